"""The steps a trick-taking game is made of, in the order they are played."""

from attrs import frozen


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
class Trick:
    """The winner of trick number `trick` (from 0) takes it."""

    trick: int

    @property
    def title(self) -> str:
        """Short name for tables and pictures."""
        return f"trick {self.trick + 1}"


Step = Deal | Play | Trick


def seat_name(seat: int) -> str:
    """Return the letter of a seat: seat 0, who leads first, is `A`."""
    return "ABC"[seat]
