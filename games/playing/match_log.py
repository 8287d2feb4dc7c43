"""Entries of a match's log: moves, measured outcomes with their origin, and looks at a machine."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeGuard

from attrs import asdict, fields, frozen

from compiler.errors import GameError

LONGEST = 400
"""Characters of a text in an origin."""


class How(StrEnum):
    """The ways in which outcomes are got."""

    EXACT = "exact"
    """Drawn from the exact probabilities."""
    CERTAIN = "certain"
    """Nothing else could be measured, so nothing was."""
    SELECTED = "post-selected"
    """Of those shots of the circuit so far in which all that was known came out again."""
    AFRESH = "prepared afresh"
    """Of shots in which the collapsed state was prepared by itself, and measured."""


@frozen
class Origin:
    """How outcomes were got.

    Args:
        how: in which way.
        backend: that has run shots for it; empty if none has.
        job: that did.
        agreeing: shots among which one was drawn.
        shots: that were run.
        reason: why it was not got in the way that is tried before this one; empty if it is tried
            first.
    """

    how: How
    backend: str = ""
    job: int = 0
    agreeing: int = 0
    shots: int = 0
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return what is not empty."""
        return {name: value for name, value in asdict(self).items() if value}

    def told(self) -> str:
        """Return it for people."""
        drawn = (
            f"one of {self.agreeing:,} of {self.shots:,} shots on {self.backend}, job {self.job}"
        )
        match self.how:
            case How.EXACT:
                said = "drawn from the exact probabilities"
            case How.CERTAIN:
                said = "certain, so nothing was run"
            case How.SELECTED:
                said = f"post-selected, {drawn}"
            case How.AFRESH:
                said = f"state prepared afresh, {drawn}"
        return said + (f" ({self.reason})" if self.reason else "")


def origin_from_json(table: Mapping[str, Any]) -> Origin:
    """Return what `Origin.as_json` has written.

    Raises:
        GameError: if it has not.
    """
    kinds: Mapping[str, type] = {
        field.name: type(field.default) for field in fields(Origin) if field.name != "how"
    }
    how, rest = table.get("how"), {name: v for name, v in table.items() if name != "how"}
    wrong = [
        name
        for name, value in rest.items()
        if name not in kinds
        or type(value) is not kinds[name]
        or (value < 0 if isinstance(value, int) else not _is_line(value))
    ]
    if not isinstance(how, str) or how not in set(How) or wrong:
        raise GameError(
            f"origin: {str(dict(table))[:80]}: write how ({', '.join(How)}), and what else "
            f"is known of {', '.join(kinds)}"
        )
    return Origin(How(how), **rest)


def _is_line(text: object) -> bool:
    return isinstance(text, str) and text.isprintable() and len(text) <= LONGEST


MOST_SEEN = 2000
"""Observables in a look."""


@frozen
class Seen:
    """An observable, as it was measured and as it should be; None where nobody knows.

    Args:
        name: of the observable.
        kind: whether it is an `event` or a `number`.
        measured: its average over the shots.
        low: lower end of its interval of 95 %.
        high: its upper end.
        exact: the exact average.
    """

    name: str
    kind: str
    measured: float | None
    low: float | None
    high: float | None
    exact: float | None


@frozen
class Look:
    """What a job has measured of the moves so far.

    Args:
        backend: that ran it.
        job: its number; 0 if there is none.
        shots: that were run.
        scores: which of its scores these are, such as `mitigated`; empty if there are none.
        fidelity: the Hellinger fidelity of the measured distribution with the exact one.
        seen: all observables.
        reason: why nothing was measured; empty if something was.
    """

    backend: str
    job: int = 0
    shots: int = 0
    scores: str = ""
    fidelity: float | None = None
    seen: tuple[Seen, ...] = ()
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return what is not empty; a row for each observable."""
        found = {name: value for name, value in asdict(self, recurse=False).items() if value}
        return found | ({"seen": [list(asdict(one).values()) for one in self.seen]})

    def told(self) -> str:
        """Return for people how it was got."""
        if self.reason:
            return f"not measured on {self.backend}: {self.reason}"
        undone = ", readout errors undone" if self.scores.startswith("mitigated") else ""
        close = "" if self.fidelity is None else f", fidelity {self.fidelity:.3f}"
        return f"{self.shots:,} shots on {self.backend}, job {self.job}{undone}{close}"


def look_from_json(table: Mapping[str, Any]) -> Look:
    """Return what `Look.as_json` has written.

    Raises:
        GameError: if it has not.
    """
    match dict(table):
        case {"backend": str(backend), "seen": [*rows], **rest} if (
            len(rows) <= MOST_SEEN
            and _is_line(backend)
            and all(name in _CHECKS and _CHECKS[name](value) for name, value in rest.items())
        ):
            return Look(backend, seen=tuple(map(_seen, rows)), **rest)
    raise GameError(
        f"look: {str(dict(table))[:80]}: write backend, seen (a list of rows), and what else is "
        f"known of {', '.join(_CHECKS)}"
    )


def _seen(row: object) -> Seen:
    match row:
        case [str(name), str(kind), *values] if _is_line(name) and _is_line(kind):
            numbers = [one for one in values if one is None or _is_number(one)]
            if len(values) == len(numbers) == 4:
                return Seen(name, kind, *numbers)
    raise GameError(f"look: {str(row)[:80]}: a row has name, kind, measured, low, high and exact")


def _is_number(value: object) -> TypeGuard[float]:
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < float("inf")
    )


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


_CHECKS = {
    "job": _is_count,
    "shots": _is_count,
    "scores": _is_line,
    "fidelity": _is_number,
    "reason": _is_line,
}


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
