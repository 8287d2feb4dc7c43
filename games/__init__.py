"""What is played: a folder a family, and beside them what all games share."""

from games.encoding import Encoding, encoded, encoding, encodings, encodings_of
from games.game import Game, game, games, named_game

__all__ = [
    "Encoding",
    "Game",
    "encoded",
    "encoding",
    "encodings",
    "encodings_of",
    "game",
    "games",
    "named_game",
]
