"""Games of tricks for what knows of no weights."""

from compiler.errors import InputError
from games.game import Game
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.weighted.game import WeightedGame


def unweighted(game: Game) -> TrickTakingGame:
    """Return a game of tricks whose cards have no weights.

    Raises:
        InputError: if it is another game, or its cards have weights.
    """
    if isinstance(game, WeightedGame):
        raise InputError(
            f"{game.name}: its cards have weights, which this command does not take; leave out "
            '[[weights]], and write game = "skat"'
        )
    if not isinstance(game, TrickTakingGame):
        raise InputError(f"{game.name}: no game of tricks; see 'stichwerk games'")
    return game
