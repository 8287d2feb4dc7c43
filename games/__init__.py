"""Games: one package per family, and the modules that all games share."""

from games.contest import BestEncoding, compile_best
from games.encoding import (
    BEST_ENCODING,
    DEFAULT_ENCODING,
    Encoding,
    encoded,
    encoding,
    encodings,
    encodings_of,
)
from games.game import Game, game, games, named_game

__all__ = [
    "BEST_ENCODING",
    "DEFAULT_ENCODING",
    "BestEncoding",
    "Encoding",
    "Game",
    "compile_best",
    "encoded",
    "encoding",
    "encodings",
    "encodings_of",
    "game",
    "games",
    "named_game",
]
