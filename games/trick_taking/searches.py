"""The search with open cards and random games, done once for the sake of being compiled."""

from attrs import evolve

from games.game import named_game
from games.searches import searches


@searches.register("trick-taking")
def search_small_games() -> None:
    """Advise in a game of nine cards and one of 32, and bid; one deal of each is looked at."""
    # They import Numba, which no other part of these games needs.
    from games.trick_taking.advice.adviser import advise
    from games.trick_taking.advice.effort import Effort
    from games.trick_taking.advice.stakes import stakes_of
    from games.trick_taking.game import TrickTakingGame
    from games.trick_taking.named.skat_32 import HAND
    from games.trick_taking.playouts import trick_taking_playouts
    from games.trick_taking.skat.bidding.hand import Hand
    from games.trick_taking.skat.bidding.sampling import Bidder

    effort = Effort(playouts=1, deals=1, seconds=0, seed=0, threads=1, clock=lambda: 0.0)
    for name in ("skat-9", "skat-32:known"):
        game = named_game(name)
        assert isinstance(game, TrickTakingGame)
        stakes = stakes_of(game, None, 18, 0)
        advise(evolve(game, first_card=None), effort, lambda _: None, stakes)
        play = trick_taking_playouts(game)
        assert play is not None
        play(1, 0)
    Bidder(Hand.parse(HAND, "C7 DK"), 0, effort, lambda _: None).offers()
