"""Groups of stones and their liberties, in all games at once."""

import numpy as np
from numpy.typing import NDArray

from games.board.rules.superposition import Stone, Stones

Points = NDArray[np.bool_]
"""Shape (games, points)."""


def beside(points: Points, size: int) -> Points:
    """Tell which points have a neighbour among some."""
    square = points.reshape(-1, size, size)
    found = np.zeros_like(square)
    found[:, 1:] |= square[:, :-1]
    found[:, :-1] |= square[:, 1:]
    found[:, :, 1:] |= square[:, :, :-1]
    found[:, :, :-1] |= square[:, :, 1:]
    return found.reshape(points.shape)


def dead(stones: Stones, colour: Stone, size: int) -> Points:
    """Tell which stones of a colour belong to groups without a liberty.

    Args:
        stones: shape (games, points).
        colour: whose groups.
        size: lines of the board.
    """
    group = stones == colour
    alive = group & beside(stones == Stone.EMPTY, size)
    # Only games with stones whose fate is open are gone through again.
    open_ = np.flatnonzero((group & ~alive).any(axis=1))
    while len(open_):
        grown = alive[open_] | beside(alive[open_], size) & group[open_]
        changed = (grown != alive[open_]).any(axis=1)
        alive[open_] = grown
        open_ = open_[changed]
    return group & ~alive


def suicides(stones: Stones, colour: Stone, size: int) -> NDArray[np.bool_]:
    """Tell on which empty points a stone would have no liberty in some game, captures made.

    Args:
        stones: shape (games, points).
        colour: of the stone.
        size: lines of the board.

    Returns:
        Shape (points,).
    """
    empty = stones == Stone.EMPTY
    # A point with an empty neighbour has a liberty.
    narrow = empty & ~beside(empty, size)
    found = np.zeros(stones.shape[1], bool)
    for point in np.flatnonzero(narrow.any(axis=0)):
        rows = stones[narrow[:, point]].copy()
        rows[:, point] = colour
        rows[dead(rows, colour.other, size)] = Stone.EMPTY
        found[point] = dead(rows, colour, size)[:, point].any()
    return found


def in_a_row(stones: Points, size: int, length: int = 5) -> NDArray[np.bool_]:
    """Tell which games have so many points of some in a row, column or diagonal.

    Args:
        stones: shape (games, points).
        size: lines of the board.
        length: of a row; a longer one has it, too.

    Returns:
        Shape (games,).
    """
    square = stones.reshape(-1, size, size)
    found = np.zeros(len(square), bool)
    if size < length:
        return found
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        board = square if right >= 0 else square[:, :, ::-1]
        height, width = size - down * (length - 1), size - abs(right) * (length - 1)
        runs = np.ones((len(square), height, width), bool)
        for step in range(length):
            y, x = down * step, abs(right) * step
            runs &= board[:, y : y + height, x : x + width]
        found |= runs.any(axis=(1, 2))
    return found
