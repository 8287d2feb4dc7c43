"""Skat's rules with five and six cards: steps between the toy and the nine-card showcase."""

from games.game import game
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.cards import POINTS, Card
from games.trick_taking.rules.rules import Rules

HAND = ("H10", "H7")


@game("skat-5")
def skat_5() -> TrickTakingGame:
    """Return the end of a clubs game between two seats, two cards each and one in the skat.

    You hold H10 H7 and lead either; the other seat is known to hold one trump and the last heart.
    You need 10 of 28 points.
    """
    return _small("skat-5", 2, ("CA", "CK", "H10", "HQ", "H7"), (0,), 10)


@game("skat-6")
def skat_6() -> TrickTakingGame:
    """Return the end of a clubs game between three seats with two cards each.

    You hold H10 H7 and lead either, then your partner plays, then the declarer. Each of these
    two is known to hold one trump and one heart. You two need 15 of 28 points.
    """
    return _small("skat-6", 3, ("CA", "CK", "H10", "HQ", "H8", "H7"), (0, 1), 15)


def _small(
    name: str, players: int, names: tuple[str, ...], party: tuple[int, ...], threshold: int
) -> TrickTakingGame:
    deck = tuple(Card.parse(card) for card in names)
    others = range(1, players)
    return TrickTakingGame(
        name=name,
        players=players,
        hand=2,
        deck=deck,
        points_of=tuple(POINTS[card.rank] for card in deck),
        known=tuple(0 if card in HAND else None for card in names),
        party=party,
        threshold=threshold,
        rules=Rules("C"),
        class_counts=tuple((seat, kind, 1) for seat in others for kind in "TH"),
    )
