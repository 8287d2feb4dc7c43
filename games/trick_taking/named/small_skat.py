"""Skat's rules with five and six cards: steps between the toy and the nine-card showcase."""

from games.game import game
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.cards import POINTS, Card
from games.trick_taking.rules.rules import Rules

HELD = ("CK", "HQ")


@game("skat-5")
def skat_5() -> TrickTakingGame:
    """Return a game of clubs for two seats with two cards each and one in the skat.

    You hold CK HQ and lead; you need 15 of 28 points.
    """
    return _small("skat-5", 2, ("CA", "CK", "H10", "HQ", "H7"), party=(0,), threshold=15)


@game("skat-6")
def skat_6() -> TrickTakingGame:
    """Return a game of clubs for three seats with two cards each, and no skat.

    You hold CK HQ and lead; your partner follows, and you two need 17 of 32 points.
    """
    deck = ("CA", "CK", "H10", "HK", "HQ", "H7")
    return _small("skat-6", 3, deck, party=(0, 1), threshold=17)


def _small(
    name: str, players: int, names: tuple[str, ...], party: tuple[int, ...], threshold: int
) -> TrickTakingGame:
    deck = tuple(Card.parse(card) for card in names)
    return TrickTakingGame(
        name=name,
        players=players,
        hand=2,
        deck=deck,
        points_of=tuple(POINTS[card.rank] for card in deck),
        known=tuple(0 if card in HELD else None for card in names),
        party=party,
        threshold=threshold,
        rules=Rules("C"),
    )
