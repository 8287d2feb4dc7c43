"""Skat cards: their names, and the points of their ranks."""

from attrs import frozen

from compiler.errors import GameError

SUITS = "CSHD"
POINTS = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}


@frozen
class Card:
    """One of the 32 cards, named by suit letter and rank: `CJ`, `S10`, `HA`."""

    suit: str
    rank: str

    @classmethod
    def parse(cls, name: object) -> "Card":
        """Read a card's name.

        Raises:
            GameError: if `name` is not one of the 32 cards.
        """
        if isinstance(name, str) and name[:1] in SUITS and name[1:] in POINTS and name[:1]:
            return cls(name[0], name[1:])
        raise GameError(
            f"unknown card {name!r}: write a suit of {', '.join(SUITS)} and a rank of "
            f"{', '.join(POINTS)}, such as 'S10'"
        )

    def __str__(self) -> str:
        return self.suit + self.rank
