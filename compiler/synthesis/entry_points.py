"""The entries of Qiskit's plugin group that stand for the registered operators and methods."""

import re
from collections.abc import Mapping

from compiler.synthesis.method import DEFAULT, GROUP, Cheapest, methods
from compiler.synthesis.operator import operators

TABLE = re.compile(rf'(?<=\[project\.entry-points\."{re.escape(GROUP)}"\]\n)(?:"[^\n]*\n)*')


def entry_points() -> Mapping[str, str]:
    """Return the class that each entry loads: one for every method, one for every default."""
    entries = {name: type(method) for name, method in methods.items()}
    defaults = {f"{name}.{DEFAULT}": Cheapest for name in operators}
    loaded = {**entries, **defaults}
    return {name: f"{loaded[name].__module__}:{loaded[name].__name__}" for name in sorted(loaded)}


def with_entry_points(pyproject: str) -> str:
    """Return the text of a pyproject.toml with these entries in the place of those it has.

    Raises:
        ValueError: if it has no table of them.
    """
    lines = [f'"{name}" = "{loads}"\n' for name, loads in entry_points().items()]
    if not TABLE.search(pyproject):
        raise ValueError(f'write [project.entry-points."{GROUP}"] into pyproject.toml first')
    return TABLE.sub("".join(lines), pyproject, count=1)
