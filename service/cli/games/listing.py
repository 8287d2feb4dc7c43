"""The list of built-in games."""

from itertools import islice

from service.cli.games.cells import Facts, shown
from service.cli.games.kept_rows import kept_rows
from service.cli.output.printing import print_json, print_table

MOST_LISTED = 3
"""Exact averages of a game that a list of games has room for."""


def list_games(*, as_json: bool) -> None:
    """Print a row for each."""
    rows = kept_rows()
    if as_json:
        print_json({"games": rows})
        return
    print_table(
        "Games (or give a file of your own, .toml or .sgf)",
        ("game", "what it is", "size", "exact averages", "qubits by encoding (?: see one game)"),
        [_listed(**row) for row in rows],
    )


def _listed(
    *, game: str, title: str, size: Facts, observables: Facts | None, qubits: Facts
) -> list[object]:
    """Return a row's cells, with no more averages than there is room for."""
    first = dict(islice((observables or {}).items(), MOST_LISTED))
    more = len(observables or {}) - len(first)
    return [
        game,
        title,
        ", ".join(f"{shown(value, large=False)} {name}" for name, value in size.items()),
        shown(first if observables else None, large=True) if not more
        else f"{shown(first, large=False)} and {more} more",
        shown(qubits, large=False),
    ]  # fmt: skip
