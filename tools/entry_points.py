"""`python tools/entry_points.py`: writes the methods' entry points into pyproject.toml.

They are the entries of Qiskit's plugin group that stand for the registered operators and methods.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import games
from compiler.synthesis.method import DEFAULT, GROUP, methods, operators
from games.operators import all_operators

PYPROJECT = Path(games.__file__).parents[1] / "pyproject.toml"
TABLE = re.compile(rf'(?<=\[project\.entry-points\."{re.escape(GROUP)}"\]\n)(?:"[^\n]*\n)*')


def entry_points() -> Mapping[str, str]:
    """Return the value of each entry: a method, or an operator for its cheapest method.

    Qiskit loads all of them before its first circuit, and imports their modules when it runs them.
    """
    entries: dict[str, type] = {name: type(method) for name, method in methods.items()}
    kinds = entries | {f"{name}.{DEFAULT}": kind for name, kind in operators.items()}
    return {
        name: f"compiler.plugins.synthesis:at.{kind.__module__}.{kind.__name__}"
        for name, kind in sorted(kinds.items())
    }


def with_entry_points(pyproject: str) -> str:
    """Return the text of a pyproject.toml with these entries in the place of those it has.

    Raises:
        ValueError: if it has no table of them.
    """
    lines = [f'"{name}" = "{loads}"\n' for name, loads in entry_points().items()]
    if not TABLE.search(pyproject):
        raise ValueError(f'write [project.entry-points."{GROUP}"] into pyproject.toml first')
    return TABLE.sub("".join(lines), pyproject, count=1)


if __name__ == "__main__":
    all_operators()
    PYPROJECT.write_text(with_entry_points(PYPROJECT.read_text()))
