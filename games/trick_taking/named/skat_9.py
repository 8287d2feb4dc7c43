"""The nine-card showcase of the Skat papers (Armbrüster et al., section VII.3)."""

from typing import Literal

from compiler.errors import GameError
from games.game import game
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.cards import POINTS, Card
from games.trick_taking.rules.rules import Rules

DECK = ("CJ", "SJ", "HJ", "S7", "HA", "H10", "HQ", "H8", "H7")
HAND = ("H10", "HQ", "H7")
Word = Literal["HQ", "H10", "H7", "paper"]


@game("skat-9")
def skat_9(word: Word = "HQ") -> TrickTakingGame:
    """Return the end of a spades game, seen by the seat that leads to it.

    You hold H10 HQ H7 and lead, then your partner plays, then the declarer. Each of these two
    is known to hold two trumps and one heart. Your party has 48 points and needs 60.

    Args:
        word: the card you lead: `skat-9:H10`, `skat-9:HQ` (the default) or `skat-9:H7`; or
            `skat-9:paper` for the same cards in paper rules, nothing known, scored for the
            third seat.

    Raises:
        GameError: if you do not hold it.
    """
    deck = tuple(Card.parse(name) for name in DECK)
    if word == "paper":
        return _in_paper_rules(deck)
    if word not in HAND:
        raise GameError(f"skat-9:{word}: you hold {', '.join(HAND)}; lead one of them")
    return TrickTakingGame(
        name="skat-9" if word == "HQ" else f"skat-9:{word}",
        players=3,
        hand=3,
        deck=deck,
        points_of=tuple(POINTS[card.rank] for card in deck),
        known=tuple(0 if name in HAND else None for name in DECK),
        party=(0, 1),
        threshold=60,
        base_points=48,
        rules=Rules("S"),
        first_card=DECK.index(word),
        class_counts=((1, "T", 2), (1, "H", 1), (2, "T", 2), (2, "H", 1)),
    )


def _in_paper_rules(deck: tuple[Card, ...]) -> TrickTakingGame:
    return TrickTakingGame(
        name="skat-9:paper",
        players=3,
        hand=3,
        deck=deck,
        points_of=tuple(POINTS[card.rank] for card in deck),
        known=(None,) * len(deck),
        party=(2,),
        threshold=16,
    )
