"""Games: rules, what is known of the deal, the exact reference, and scores."""

import sys

from compiler.games.game import Game, game, games, named_game
from compiler.registry import discover

__all__ = ["Game", "game", "games", "named_game"]

discover(sys.modules[__name__])
