"""How answers are written: JSON or tables on stdout, progress on stderr."""

import json
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table


def print_json(answer: Any) -> None:
    """Write one JSON document to stdout."""
    print(json.dumps(answer, indent=2, allow_nan=False))


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Write a table to stdout; columns whose cells are all numbers or `–` are right-aligned."""
    table = Table(show_header=any(columns))
    texts = [[_cell(cell) for cell in row] for row in rows]
    for place, column in enumerate(columns):
        numeric = all(isinstance(row[place], int | float | None) for row in rows)
        table.add_column(column, justify="right" if numeric else "left")
    for row in texts:
        table.add_row(*row)
    width = None if sys.stdout.isatty() else 200
    print(title)
    Console(width=width, markup=False, highlight=False).print(table)


def say(message: str) -> None:
    """Write one line of progress to stderr."""
    print(message, file=sys.stderr, flush=True)


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)
