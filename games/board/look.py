"""A board as a machine has measured it."""

from collections.abc import Mapping
from string import ascii_uppercase

from games.board.game import stone_at
from games.board.panels import SIGNS
from games.board.rules.points import name_of
from games.board.rules.superposition import Stone
from games.playing.measurements.looks import Look, Seen
from games.playing.panels import Cell, Grid

LEAST = 0.005
"""Probabilities below are not drawn."""


def look_panel(look: Look, size: int) -> Grid:
    """Return the measured board: in how many per cent of the shots which stone was where.

    Args:
        look: at the board.
        size: its lines.
    """
    seen = {one.name: one for one in look.seen}
    rows = []
    for row in reversed(range(size)):
        names = [name_of(point, size) for point in range(row * size, (row + 1) * size)]
        rows.append([Cell(str(row + 1), "faint"), *(_cell(seen, name) for name in names)])
    return Grid("Measured board, in per cent of the shots", ["", *ascii_uppercase[:size]], rows)


def _cell(seen: Mapping[str, Seen], name: str) -> Cell:
    found = []
    for stone in (Stone.BLACK, Stone.WHITE):
        one = seen.get(stone_at(stone, name))
        if one is not None and one.measured is not None and one.measured >= LEAST:
            found.append(f"{SIGNS[stone]}{100 * one.measured:.0f}")
    return Cell("".join(found), "fair") if found else Cell(SIGNS[Stone.EMPTY], "faint")
