"""The list of games is found out once, and again as soon as a source has changed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from compiler.errors import InputError
from service.cli.games import listing
from service.cli.games.listing import game_list
from service.cli.games.rows import rows
from service.results.catalog import GameList, GameRow

ROW = GameRow(game="pennies", title="two pennies", size={}, observables=None, qubits={})
GAMES = GameList(games=[ROW])
HEAVY = {"games", "numba", "pytket", "qiskit", "qiskit_aer", "scipy.optimize", "scipy.stats",
         "sqlalchemy"}  # fmt: skip


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Count how often rows are found out, as a process that has no games yet."""
    found = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(listing, "_computed", lambda: found.append(1) or GAMES)
    monkeypatch.delitem(sys.modules, "games")
    return found


def test_rows_are_found_once(asked):
    assert [game_list() for _ in range(3)] == [GAMES] * 3
    assert len(asked) == 1


def test_a_changed_source_is_noticed(asked, monkeypatch, tmp_path):
    root = tmp_path / "root"
    for room in ("compiler", "games"):
        (root / room).mkdir(parents=True)
    monkeypatch.setattr(listing, "ROOT", root)
    monkeypatch.setattr(listing, "__file__", str(root / "listing.py"))
    for expected, name in enumerate(("", "games/new.py", "games/a.toml", "rows.py"), start=1):
        if name:
            (root / name).write_text("a = 1\n")
        assert (game_list(), game_list()) == (GAMES, GAMES)
        assert len(asked) == expected
    (root / "games/notes.txt").write_text("a\n")
    monkeypatch.setattr(listing, "version", lambda name: "another")
    game_list()
    assert len(asked) == 5


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[:-20],
        lambda text: text.replace("pennies", "dimes"),
        lambda text: "[]",
        lambda text: "[" * 100_000,
        lambda text: "\xff",
    ],
)
def test_a_damaged_file_is_replaced(asked, tmp_path, damage):
    game_list()
    path = tmp_path / "stichwerk" / "games.json"
    path.write_text(damage(path.read_text()), encoding="latin-1")
    assert (game_list(), game_list()) == (GAMES, GAMES)
    assert len(asked) == 2


def test_without_a_folder_rows_are_found_each_time(asked, monkeypatch, tmp_path):
    (tmp_path / "stichwerk").write_text("a file")
    assert (game_list(), game_list()) == (GAMES, GAMES)

    def nowhere():
        raise InputError("this user has no home folder")

    monkeypatch.setattr(listing, "cache_folder", nowhere)
    assert game_list() == GAMES
    assert len(asked) == 3


def test_the_second_list_is_the_same_and_loads_no_games(tmp_path):
    """The first imports no more than programs need: no searches, no statistics, no records."""
    code = (
        "import sys\nfrom service.cli import main\n"
        "try:\n    main()\nfinally:\n"
        f"    print(*sorted({HEAVY!r} & sys.modules.keys()), file=sys.stderr)"
    )
    first, second = (
        subprocess.run(
            [sys.executable, "-c", code, "games", "--json"],
            cwd=Path(__file__).parents[4], env=os.environ | {"XDG_CACHE_HOME": str(tmp_path)},
            capture_output=True, text=True, check=True,
        )
        for _ in range(2)
    )  # fmt: skip
    assert json.loads(first.stdout)["games"] == [row.model_dump(mode="json") for row in rows()]
    assert second.stdout == first.stdout
    assert (first.stderr.split(), second.stderr.split()) == (["games", "qiskit"], [])
