"""The list of built-in games, cached like bytecode: until a source changes."""

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from itertools import islice
from pathlib import Path

from compiler.errors import InputError
from service.cli.output.printing import print_rows
from service.results.catalog import GameList, GameRow
from workers.kept_files import cache_folder, digest_of, pure_sources, write_text

ROOT = Path(__file__).parents[3]
NAME = "games.json"
MAX_LISTED = 3
"""Exact averages of a game that a list of games has room for."""


def game_list() -> GameList:
    """Return a row for each built-in game.

    To compute them takes all games and the circuits of all their encodings. A process that has
    loaded games already may have more of them than there are sources of, so that its games are
    listed.
    """
    if "games" in sys.modules:
        return _computed()
    try:
        path = cache_folder() / NAME
    except InputError:
        return _computed()
    key = _key()
    if (cached := _read(path, key)) is not None:
        return cached
    games = _computed()
    # Where nothing can be written, they are computed each time.
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        content = {"check": _check(key, games), "list": games.model_dump(mode="json")}
        write_text(path, json.dumps(content) + "\n")
    return games


def print_games(games: GameList) -> None:
    """Print a row for each game."""
    print_rows(
        "Games (or give a file of your own, .toml or .sgf)",
        [
            (row, ", ".join(f"{n:,} {name}" for name, n in row.size.items()), _averages(row),
             fact(row.qubits))
            for row in games.games
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


def _computed() -> GameList:
    from service.cli.games.rows import rows

    return GameList(games=rows())


def _read(path: Path, key: str) -> GameList | None:
    """Return the cached list of these sources, None if there is none or it is damaged."""
    try:
        content = json.loads(path.read_bytes())
        games = GameList.model_validate(content["list"])
        return games if content["check"] == _check(key, games) else None
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _key() -> str:
    """Return what tells one state of the sources from another."""
    ours = Path(__file__).parent.glob("*.py")
    return f"{digest_of(ROOT, [*pure_sources(ROOT), *ours])} {version('qiskit')}"


def _check(key: str, games: GameList) -> str:
    return sha256(f"{key} {games.model_dump_json()}".encode()).hexdigest()
