"""What a record says of a game."""

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from compiler.errors import GameError
from games.trick_taking.rules.cards import Card
from games.trick_taking.skat.contracts import Contract


class RecordError(GameError):
    """A record that cannot be read, or whose moves are against the rules."""


@frozen
class Unread:
    """A game of a file that cannot be read, or whose moves are against the rules.

    Args:
        number: its place in the file, from 1.
        reason: one line that names the game.
    """

    number: int
    reason: str


@frozen
class Said:
    """Record of the server about a game; None where it has none.

    Args:
        declarer: their seat.
        won: whether they have.
        value: what it counts for them.
        matadors: with how many, below zero without how many; 0 for a null.
        overbid: whether it is worth less than was bid.
        points: of the declarer, the skat's among them.
        tricks: of the declarer.
        schneider: whether one side has 30 points or fewer.
        resigned: whether it ended before all cards were played; not told before 2009.
    """

    declarer: int | None = None
    won: bool | None = None
    value: int | None = None
    matadors: int | None = None
    overbid: bool | None = None
    points: int | None = None
    tricks: int | None = None
    schneider: bool | None = None
    resigned: bool | None = None


@frozen
class Record:
    """A game of Skat that was recorded; seats are 0, 1, 2, and seat 0 leads first.

    Args:
        number: its place in the file, from 1.
        hands: of each seat, ten cards each, as dealt.
        skat: the two others.
        bid: the highest number that was said or held; 0 if all have passed.
        declarer: their seat; None if all have passed, or the bidding does not end.
        contract: what is played; None if all have passed, or the moves end before.
        discards: two cards that the declarer has laid away; the skat in a hand game.
        plays: seat and card, in order.
        resigned: seats that have given up, in order.
        late: the seat that took too long or left; None if nobody did.
        unknown: whether a card was played that the record does not tell, after the last of `plays`.
        passed: whether all have passed.
        said: what the server says of it; None if it says nothing, or that all have passed.
        players: names by seat.
        note: why the record ends early; empty if it does not.
    """

    number: int
    hands: Sequence[Sequence[Card]]
    skat: Sequence[Card]
    bid: int = 0
    declarer: int | None = None
    contract: Contract | None = None
    discards: Sequence[Card] = ()
    plays: Sequence[tuple[int, Card]] = ()
    resigned: Sequence[int] = ()
    late: int | None = None
    unknown: bool = False
    passed: bool = False
    said: Said | None = None
    players: Mapping[int, str] = field(factory=dict)
    note: str = ""
