"""`python tools/entry_points.py`: writes the methods' entry points into pyproject.toml."""

from pathlib import Path

import games
from compiler.synthesis.entry_points import with_entry_points
from games.operators import all_operators

PYPROJECT = Path(games.__file__).parents[1] / "pyproject.toml"

if __name__ == "__main__":
    all_operators()
    PYPROJECT.write_text(with_entry_points(PYPROJECT.read_text()))
