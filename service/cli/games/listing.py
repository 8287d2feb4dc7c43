"""The list of built-in games."""

from collections.abc import Mapping
from inspect import Parameter, signature
from itertools import islice
from typing import get_args

from games import Game, encoded, encodings, encodings_of, games, named_game
from service.cli.output.printing import print_rows
from service.results.catalog import GameList, GameRow

MAX_LISTED = 3
"""Exact averages of a game that a list of games has room for."""
QUICK = 100_000
"""States up to which a list enumerates a game without being asked for it."""


def game_list() -> GameList:
    """Return a row for each game, whose programs are built to see how wide they are.

    Those that would be simulated for it are left to `stichwerk games GAME`.
    """
    return GameList(games=[_row(name, named_game(name)) for name in games])


def print_games(found: GameList) -> None:
    """Print a row for each game."""
    print_rows(
        "Games (or give a file of your own, .toml or .sgf)",
        [
            (row, ", ".join(f"{n:,} {name}" for name, n in row.size.items()), _averages(row),
             fact(row.qubits))
            for row in found.games
        ],
        "0.game", "what it is=0.title", "size=1", "exact averages=2",
        "qubits by encoding (?: see one game)=3",
    )  # fmt: skip


def fact(value: object) -> object:
    """Return a fact of a game as a cell of a table."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {'?' if of is None else of}" for key, of in value.items())
    return f"{value:,}" if isinstance(value, int) else value


def _averages(row: GameRow) -> object:
    """Return exact averages, no more than there is room for."""
    if row.observables is None:
        return "too large"
    first = dict(islice(row.observables.items(), MAX_LISTED))
    more = len(row.observables) - len(first)
    return f"{fact(first)}{f' and {more} more' if more else ''}"


def _row(name: str, game: Game) -> GameRow:
    return GameRow.from_objects(
        game,
        game=name + _words(name),
        size=game.counts,
        observables=game.outcome_facts()["observables"] if game.most_states() <= QUICK else None,
        qubits={
            one: None if encodings[one].simulated(game) else encoded(game, one).circuit.num_qubits
            for one in encodings_of(game)
        },
    )


def _words(name: str) -> str:
    """Return what may follow a game's name, as its builder's parameters say."""
    return "".join(
        f"[:{'|'.join(get_args(p.annotation)) or p.name}]"
        + "…" * (p.kind is Parameter.VAR_POSITIONAL)
        for p in signature(games[name]).parameters.values()
    )
