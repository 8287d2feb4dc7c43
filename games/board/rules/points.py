"""Points of a square board, by letter and number."""

import re
from functools import cache
from string import ascii_uppercase

from compiler.errors import GameError

SMALLEST, LARGEST = 2, 25
NAME = re.compile(r"([A-Y])([1-9][0-9]?)")


def check_size(size: object) -> int:
    """Return the number of lines of a board.

    Raises:
        GameError: if there is no such board.
    """
    if type(size) is not int or not SMALLEST <= size <= LARGEST:
        raise GameError(f"size = {size!r}: a board has {SMALLEST} to {LARGEST} lines each way")
    return size


def point_of(name: str, size: int) -> int:
    """Return the number of a point: column + size · row, both counted from 0 at A1.

    Letters go on without a gap, as in the paper: I follows H.

    Raises:
        GameError: if there is no such point.
    """
    found = NAME.fullmatch(name.strip().upper())
    if found is not None:
        column, row = ascii_uppercase.index(found[1]), int(found[2]) - 1
        if column < size and row < size:
            return column + size * row
    last = name_of(size * size - 1, size)
    raise GameError(f"'{name[:20]}' is no point of this board; its points are A1 to {last}")


@cache
def name_of(point: int, size: int) -> str:
    """Return a point's letter and number."""
    row, column = divmod(point, size)
    return f"{ascii_uppercase[column]}{row + 1}"
