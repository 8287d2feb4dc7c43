"""Playouts: games of random legal moves, played classically as fast as there is code for it.

What a quantum program holds in superposition, a playout draws once: the deal and every move,
each legal one with the same probability. The share of the games won estimates P(win).
"""

from collections.abc import Callable
from typing import Any

from compiler.registry import Registry
from games.game import Game

Playouts = Callable[[int, int], int]
"""Plays a number of games with a seed, on one core; returns how many of them were won."""

playouts: Registry[Callable[[Any], Playouts | None]] = Registry("playouts", "games")
"""By the name of a family, what makes playouts of a game; None for a game it does not know."""


def playouts_of(game: Game) -> Playouts | None:
    """Return the playouts of a game, None if no family has code for it."""
    found = (make(game) for make in playouts.values())
    return next((one for one in found if one is not None), None)


searches: Registry[Callable[[], None]] = Registry("search", "games")
"""What needs all compiled code of a family, by the family's name. It imports it when called."""
