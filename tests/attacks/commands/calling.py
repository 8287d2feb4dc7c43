"""Calling the command line many times, each in a fresh copy of a small folder."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from attrs import define, field, frozen

from workers.settings import PREFIX

from .forking import ACCEPTED, LONGEST_OUTPUT
from .hostile import PRICES, SUITE, TOY, Hostile
from .tree import ROOT

SECONDS = 20
"""Processor time of a call; what takes longer hangs, as far as a user can tell."""
WALL_SECONDS = 120.0
GHZ = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\n'
COUNTS = '{"versions": {}, "entries": []}\n'
SINGLE_THREADED = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")


@frozen
class Ended:
    """How a call has ended.

    Args:
        code: with which it exited; negative for a signal, None if it took too long.
        out: what it wrote to stdout.
        err: what it wrote to stderr.
        changed: the paths below its folder that are new, gone or different.
    """

    code: int | None
    out: str
    err: str
    changed: tuple[str, ...]

    @property
    def accepted(self) -> bool:
        """Return whether it began what it was asked for."""
        return self.code == ACCEPTED


@define(eq=False)
class Calls:
    """A process that has imported the command line, and folders to call it in."""

    _folder: Path = field(factory=lambda: Path(mkdtemp(prefix="stichwerk-attack-")))
    long: dict[tuple[str, ...], bool] = field(factory=dict, init=False)
    """Which commands take too long even if nothing is wrong."""
    _process: "subprocess.Popen[str] | None" = None

    def __enter__(self) -> "Calls":
        self._furnish()
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def call(
        self,
        arguments: Sequence[str],
        variables: Mapping[str, str] | None = None,
        needs: Sequence[Hostile] = (),
    ) -> Ended:
        """Call the command line once, in a folder with the files that its arguments need."""
        folder = self._folder / "run"
        shutil.copytree(self._folder / "template", folder)
        for one in needs:
            if one.make is not None:
                one.make(folder)
        before = _listing(folder)
        answer = self._ask(folder, arguments, {**(variables or {}), "HOME": str(folder)})
        ended = Ended(
            answer["code"],
            _read(folder.with_suffix(".out")),
            _read(folder.with_suffix(".err")),
            _changed(before, _listing(folder)),
        )
        shutil.rmtree(folder)
        return ended

    def _furnish(self) -> None:
        template = self._folder / "template"
        template.mkdir()
        for name, text in (
            ("toy.toml", TOY),
            ("ghz.qasm", GHZ + "c = measure q;\n"),
            ("suite.toml", SUITE),
            ("gates.toml", 'programs = ["toy.toml"]\nmethods = ["fast"]\n'),
            ("gate_counts.json", COUNTS),
            ("prices.toml", PRICES),
        ):
            (template / name).write_text(text)
        words = ["submit", "toy.toml", "--backend", "sparse", "--method", "fast"]
        answer = self._ask(template, words, {"HOME": str(template)})
        if answer["code"] != 0:
            raise RuntimeError(_read(template.with_suffix(".err")))

    def _ask(
        self, folder: Path, arguments: Sequence[str], variables: Mapping[str, str]
    ) -> dict[str, Any]:
        process = self._started()
        call = {
            "folder": str(folder),
            "arguments": list(arguments),
            "environment": dict(variables),
            "seconds": SECONDS,
            "wall_seconds": WALL_SECONDS,
        }
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(call) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process that is forked has ended with {process.wait()}")
        return json.loads(line)

    def _started(self) -> "subprocess.Popen[str]":
        if self._process is None:
            ours = {name: value for name, value in os.environ.items()
                    if not name.startswith(PREFIX)}  # fmt: skip
            ours |= dict.fromkeys(SINGLE_THREADED, "1")
            ours |= {f"{PREFIX}REDIS": "redis://127.0.0.1:1/0", "COLUMNS": "100"}
            self._process = subprocess.Popen(
                [sys.executable, "-m", f"{__package__}.forking"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=ROOT,
                env=ours,
                text=True,
            )
            assert self._process.stdout is not None
            self._process.stdout.readline()
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.communicate()
            self._process = None


def _read(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(LONGEST_OUTPUT).decode(errors="replace")


def _listing(folder: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in folder.rglob("*"):
        if path.name.endswith(("-wal", "-shm")):
            continue
        regular = path.is_file() and not path.is_symlink()
        found[str(path.relative_to(folder))] = _content(path) if regular else None
    return found


def _content(path: Path) -> object:
    raw = path.read_bytes()
    return _records(path) if raw.startswith(b"SQLite format 3\0") else raw or ()


def _records(path: Path) -> object:
    """Return all rows of a database; its tables may be brought up to date without a word."""
    import sqlite3

    with sqlite3.connect(path) as connection:
        try:
            tables = [name for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'")]  # fmt: skip
            rows = [(name, row) for name in tables if name != "alembic_version"
                    for row in connection.execute(f'SELECT * FROM "{name}"')]  # fmt: skip
        except sqlite3.DatabaseError:
            return path.read_bytes()
    return tuple(rows)


def _changed(before: Mapping[str, object], after: Mapping[str, object]) -> tuple[str, ...]:
    # A database without records is none: who asks for one that is missing gets it.
    return tuple(
        sorted(
            name
            for name in before.keys() | after.keys()
            if before.get(name, ()) != after.get(name, ())
        )
    )
