"""What happens in a match: the entries of its log."""

from typing import Any

from attrs import frozen

from games.playing.measurements.looks import Look
from games.playing.measurements.origins import Origin


@frozen
class Moved:
    """A seat has moved; `move` is in the notation of the game."""

    seat: int
    move: str


@frozen
class Measured:
    """What the measurements that the match was waiting for have given, in order.

    Args:
        outcomes: 0 or 1 each.
        origin: how they were got; None if nobody says.
    """

    outcomes: tuple[int, ...]
    origin: Origin | None = None


@frozen
class Looked:
    """Somebody has looked at what a machine holds; the match goes on as it would have."""

    look: Look


Entry = Moved | Measured | Looked


def as_json(entry: Entry) -> dict[str, Any]:
    """Return an entry as a record of a match has it."""
    if isinstance(entry, Moved):
        return {"seat": entry.seat, "move": entry.move}
    if isinstance(entry, Looked):
        return {"look": entry.look.as_json()}
    origin = {} if entry.origin is None else {"origin": entry.origin.as_json()}
    return {"outcomes": list(entry.outcomes), **origin}
