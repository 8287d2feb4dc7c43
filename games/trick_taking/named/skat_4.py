"""The four-card toy of the Skat papers (Armbrüster et al., AAMAS 2026, section 5)."""

from games.game import game
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.cards import POINTS, Card


@game("skat-4")
def skat_4() -> TrickTakingGame:
    """Return the toy: clubs ace, ten, king and queen, two players, two cards each."""
    deck = tuple(Card.parse(name) for name in ("CA", "C10", "CK", "CQ"))
    return TrickTakingGame(
        name="skat-4",
        players=2,
        hand=2,
        deck=deck,
        points_of=tuple(POINTS[card.rank] for card in deck),
        known=(None,) * 4,
        party=(0,),
        threshold=15,
    )
