"""The steps a trick-taking game is made of, in the order they are played."""

from attrs import frozen

TURNS = ("leader", "second", "third")


@frozen
class Deal:
    """All cards are dealt."""

    @property
    def title(self) -> str:
        """Short name for tables and pictures."""
        return "deal"


@frozen
class Play:
    """`seat` plays one of its `hand` cards to trick number `trick` (from 0)."""

    seat: int
    hand: int
    trick: int

    @property
    def title(self) -> str:
        """Short name for tables and pictures."""
        return f"{seat_name(self.seat)} plays 1 of {self.hand}"


@frozen
class LegalPlay:
    """The seat whose turn it is plays a legal one of its `hand` cards to trick number `trick`.

    Args:
        turn: 0 for the leader of the trick, 1 for the next seat, and so on.
        hand: number of cards that the seat holds.
        trick: number of the trick, from 0.
        seat: who it is, where that is certain; None where it depends on who took a trick.
    """

    turn: int
    hand: int
    trick: int
    seat: int | None = None

    @property
    def title(self) -> str:
        """Short name for tables and pictures."""
        who = TURNS[self.turn] if self.seat is None else seat_name(self.seat)
        return f"{who} plays a legal 1 of {self.hand}"


@frozen
class Trick:
    """The winner of trick number `trick` (from 0) takes it."""

    trick: int

    @property
    def title(self) -> str:
        """Short name for tables and pictures."""
        return f"trick {self.trick + 1}"


Step = Deal | Play | LegalPlay | Trick


def seat_name(seat: int) -> str:
    """Return the letter of a seat: seat 0, who leads first, is `A`."""
    return "ABC"[seat]
