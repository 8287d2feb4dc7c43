"""Playouts of card games; see `games.playing.playouts`."""

from games.game import Game
from games.playing.playouts import Playouts, playouts
from games.trick_taking.rules.setup import Setup

ANY = -1


@playouts.register("trick_taking")
def trick_taking_playouts(game: Game) -> Playouts | None:
    """Return the playouts of a game of tricks; None for one whose deals cannot be drawn."""
    if not isinstance(game, Setup):
        return None
    # Numba takes half a second to load, which nobody waits for who plays no games.
    from games.trick_taking.advice.compiled.deals import deck_of, generator
    from games.trick_taking.advice.compiled.layout import bit_order, layout_of
    from games.trick_taking.advice.compiled.playouts import won_games

    deck = deck_of(game)
    if deck is None:
        return None
    layout = layout_of(game)
    first = ANY if game.first_card is None else bit_order(game).index(game.first_card)
    return lambda games, seed: int(won_games(layout, deck, first, games, generator(seed, 0)))
