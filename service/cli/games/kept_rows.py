"""Rows of the list of games, which are kept like bytecode: until a source changes."""

import json
import sys
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from compiler.errors import InputError
from service.cli.games.cells import Facts
from workers.kept_files import cache_folder, digest_of, pure_sources, write_text

ROOT = Path(__file__).parents[3]
NAME = "games.json"


def kept_rows() -> list[Facts]:
    """Return a row for each built-in game.

    To find them out takes all games and the circuits of all their encodings. A process that has
    loaded games already may have more of them than there are sources of, so that it is asked
    itself.
    """
    if "games" in sys.modules:
        return _found()
    try:
        folder = cache_folder()
    except InputError:
        return _found()
    path, key = folder / NAME, _key()
    kept = _read(path, key)
    if kept is None:
        kept = _found()
        _keep(path, key, kept)
    return kept


def _found() -> list[Facts]:
    from service.cli.games.rows import rows

    return rows()


def _read(path: Path, key: str) -> list[Facts] | None:
    """Return what is kept for these sources, None if that is nothing or damaged."""
    try:
        kept = json.loads(path.read_bytes())
        rows: list[Facts] = kept["rows"]
        intact = kept["check"] == _check(key, rows)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return rows if intact else None


def _keep(path: Path, key: str, rows: list[Facts]) -> None:
    """Keep rows; where nothing can be written, they are found anew each time."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, json.dumps({"check": _check(key, rows), "rows": rows}) + "\n")


def _key() -> str:
    """Return what tells one state of the sources from another."""
    ours = Path(__file__).parent.glob("*.py")
    return f"{digest_of(ROOT, [*pure_sources(ROOT), *ours])} {version('qiskit')}"


def _check(key: str, rows: list[Facts]) -> str:
    return sha256(f"{key} {json.dumps(rows)}".encode()).hexdigest()
