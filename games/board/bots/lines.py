"""What lines of five are worth, in all games at once."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.board.rules.five_in_a_row import LENGTH
from games.board.rules.superposition import Stone, Superposition

Values = NDArray[np.float32]

WORTH = np.array([1, 8, 64, 512, 1e5, 1e7], np.float32)
"""Of a line by the stones of one colour on it, where the other has none."""


@lru_cache(8)
def lines(size: int) -> Values:
    """Return which points are on each line of five; shape (lines, points)."""
    found = []
    for row in range(size):
        for column in range(size):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                ends = row + down * (LENGTH - 1), column + right * (LENGTH - 1)
                if all(0 <= end < size for end in ends):
                    line = np.zeros(size * size, np.float32)
                    for step in range(LENGTH):
                        line[(row + down * step) * size + column + right * step] = 1
                    found.append(line)
    return np.array(found).reshape(-1, size * size)


def worth(board: Superposition, colour: Stone) -> Values:
    """Return what each line is worth to a colour, shape (games, lines): 0 where it is blocked."""
    on = lines(board.size).T
    own = (board.has(colour).astype(np.float32) @ on).astype(np.int8)
    other = board.has(colour.other).astype(np.float32) @ on
    found: Values = np.where(other == 0, WORTH[own], np.float32(0))
    return found


def by_point(board: Superposition, colour: Stone) -> Values:
    """Return what the lines through each point are worth to a colour, shape (games, points)."""
    found: Values = worth(board, colour) @ lines(board.size)
    return found


def standing(board: Superposition, colour: Stone) -> float:
    """Return what a colour may hope for: all lines of its best game, and those of all on average.

    Five in any game wins, so that the best one counts for itself.
    """
    if not len(lines(board.size)):
        return 0.0
    games: NDArray[Any] = worth(board, colour).sum(axis=1)
    return float(games.max() + games.mean())
