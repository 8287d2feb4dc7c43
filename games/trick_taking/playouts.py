"""Playouts: games of random legal moves, played classically in the fastest available code.

A playout draws one game from the superposition of a quantum program: the deal and every move,
each legal one with the same probability. The share of the games won estimates P(win).
"""

from collections.abc import Callable

from attrs import evolve

from games.game import Game, named_game
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.named import HAND
from games.trick_taking.rules.setup import Setup

ANY = -1

Playouts = Callable[[int, int], int]
"""Plays a number of games with a seed, on one core; returns the number of won ones."""


def playouts_of(game: Game) -> Playouts | None:
    """Return the playouts of a game of tricks; None for others, and if deals cannot be drawn."""
    if not isinstance(game, Setup):
        return None
    # Numba takes half a second to load: import it only for callers that play games.
    from games.trick_taking.advice.compiled.deals import deck_of, generator
    from games.trick_taking.advice.compiled.layout import bit_order, layout_of
    from games.trick_taking.advice.compiled.playouts import won_games

    deck = deck_of(game)
    if deck is None:
        return None
    layout = layout_of(game)
    first = ANY if game.first_card is None else bit_order(game).index(game.first_card)
    return lambda games, seed: int(won_games(layout, deck, first, games, generator(seed, 0)))


def search_small_games() -> None:
    """Advise in a game of nine cards and one of 32, and bid; one deal of each is looked at."""
    # They import Numba, which no other part of these games needs.
    from games.trick_taking.advice.adviser import advise
    from games.trick_taking.advice.effort import Effort
    from games.trick_taking.advice.stakes import stakes_of
    from games.trick_taking.skat.bidding.offers import Hand
    from games.trick_taking.skat.bidding.sampling import Bidder

    effort = Effort(playouts=1, deals=1, seconds=0, seed=0, threads=1, clock=lambda: 0.0)
    for name in ("skat-9", "skat-32:known"):
        game = named_game(name)
        assert isinstance(game, TrickTakingGame)
        stakes = stakes_of(game, None, 18, 0)
        advise(evolve(game, first_card=None), effort, lambda _: None, stakes)
        play = playouts_of(game)
        assert play is not None
        play(1, 0)
    Bidder(Hand.parse(HAND, "C7 DK"), 0, effort, lambda _: None).offers()
