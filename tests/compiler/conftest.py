"""Games that the compiler's tests look at, too."""

from tests.games.conftest import game_of, make_game, program_vector, to_toml, toy, vector

__all__ = ["game_of", "make_game", "program_vector", "to_toml", "toy", "vector"]
