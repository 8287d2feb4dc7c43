"""Groups of stones, their liberties and their rows, in all games at once.

Only points that were ever touched can have stones, so that all of it goes through these.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from games.board.rules.superposition import Stone, Stones, Superposition

Held = NDArray[np.bool_]
"""Shape (games, touched points)."""


def neighbours(point: int, size: int) -> Iterator[int]:
    """Yield the points beside a point."""
    row, column = divmod(point, size)
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if 0 <= row + down < size and 0 <= column + right < size:
            yield point + size * down + right


def dead(held: Stones, points: Sequence[int], colour: Stone, size: int) -> Held:
    """Return which stones of a colour belong to groups without a liberty.

    Args:
        held: shape (games, points).
        points: points of the columns of `held`; all others are empty.
        colour: colour of the groups.
        size: lines of the board.
    """
    place = {point: number for number, point in enumerate(points)}
    group, empty = held == colour, held == Stone.EMPTY
    alive = np.zeros_like(group)
    links = []
    for number, point in enumerate(points):
        beside = list(neighbours(point, size))
        near = [place[other] for other in beside if other in place]
        # A point that was never touched is a liberty in every game.
        alive[:, number] = group[:, number] & (
            empty[:, near].any(axis=1) if len(near) == len(beside) else True
        )
        links += [(number, other) for other in near]
    # Only games with undecided stones are processed again.
    open_ = np.flatnonzero((group & ~alive).any(axis=1))
    while len(open_):
        now, own = alive[open_], group[open_]
        before = now.copy()
        for number, other in links:
            now[:, number] |= own[:, number] & now[:, other]
        alive[open_] = now
        open_ = open_[(now != before).any(axis=1)]
    return group & ~alive


def suicides(board: Superposition, colour: Stone) -> NDArray[np.bool_]:
    """Return the empty points where a stone has no liberty in some game, after its captures.

    Args:
        board: the board before the stone.
        colour: colour of the stone.

    Returns:
        Shape (all points,).
    """
    size, touched = board.size, {*board.points}
    result = np.zeros(size * size, bool)
    near = {other for point in touched for other in neighbours(point, size)} | touched
    for point in near:
        beside = list(neighbours(point, size))
        # Elsewhere the stone has a liberty in every game.
        if not touched.issuperset(beside):
            continue
        narrow = board.at(point) == Stone.EMPTY
        for other in beside:
            narrow &= board.at(other) != Stone.EMPTY
        if narrow.any():
            with_point = board.touching(point)
            rows = np.unique(with_point.held[narrow], axis=0)
            place = with_point.points.index(point)
            rows[:, place] = colour
            rows[dead(rows, with_point.points, colour.other, size)] = Stone.EMPTY
            result[point] = dead(rows, with_point.points, colour, size)[:, place].any()
    return result


def lines_through(points: Sequence[int], size: int, length: int) -> Iterator[tuple[int, ...]]:
    """Yield the rows, columns and diagonals of `length` points that are all among some."""
    own = {*points}
    for point in points:
        row, column = divmod(point, size)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            last_row, last_column = row + down * (length - 1), column + right * (length - 1)
            if 0 <= last_row < size and 0 <= last_column < size:
                line = tuple(point + step * (down * size + right) for step in range(length))
                if own.issuperset(line):
                    yield line


def in_a_row(board: Superposition, colour: Stone, length: int = 5) -> NDArray[np.bool_]:
    """Return the games with a line of a colour: in a row, a column or a diagonal.

    Args:
        board: the board.
        colour: colour of the stones.
        length: minimum number of stones in a line.

    Returns:
        Shape (games,).
    """
    own = board.held == colour
    place = {point: number for number, point in enumerate(board.points)}
    ever = [point for point, has in zip(board.points, own.any(axis=0), strict=True) if has]
    result = np.zeros(board.games, bool)
    for line in lines_through(ever, board.size, length):
        result |= own[:, [place[point] for point in line]].all(axis=1)
    return result
