"""The cards that somebody bids with."""

from itertools import combinations

from attrs import frozen

from compiler.errors import GameError
from games.trick_taking.rules.cards import Card
from games.trick_taking.rules.names import cards_of
from games.trick_taking.skat.values import DECK

HELD, SKAT = 10, 2
Cards = tuple[Card, ...]


@frozen
class Hand:
    """Ten cards, and the skat once it is taken.

    Args:
        cards: as dealt.
        skat: the two others; none of them as long as they lie on the table.

    Raises:
        GameError: if these are not ten cards and two or none, or a card is there twice.
    """

    cards: Cards
    skat: Cards = ()

    def __attrs_post_init__(self) -> None:
        for name, cards, sizes in (
            ("hand", self.cards, (HELD,)),
            ("skat", self.skat, (0, SKAT)),
        ):
            if len(cards) not in sizes:
                raise GameError(f"{name}: {len(cards)} cards; name {sizes[-1]}, such as 'CJ S10'")
        twice = [card for card in self.all if self.all.count(card) > 1]
        if twice:
            raise GameError(f"card {twice[0]}: named twice; each card is there once")

    @classmethod
    def parse(cls, cards: str, skat: str) -> "Hand":
        """Read cards as people write them, with spaces or commas between them."""
        return cls(cards_of(cards), cards_of(skat))

    @property
    def all(self) -> Cards:
        """The cards that are seen."""
        return self.cards + self.skat

    @property
    def unseen(self) -> Cards:
        """All others."""
        return tuple(card for card in DECK if card not in self.all)


def discards(twelve: Cards) -> list[tuple[Cards, Cards]]:
    """Return the 66 ways to lay two of twelve cards away: the ten that are kept, and the two."""
    return [
        (tuple(card for card in twelve if card not in away), away)
        for away in combinations(twelve, SKAT)
    ]
