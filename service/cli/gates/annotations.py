"""A comparison as annotations of a pull request: lines of a log that GitHub Actions reads.

`::error file=gates.toml,line=3,title=…::message`, with all that would end a part of it escaped.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from workers.gate_counts.checking import Check, Row
from workers.gate_counts.counts import Change
from workers.gate_counts.suite import title

MOST = 10
"""Annotations of a kind that GitHub shows of one step."""

LONGEST = 1000
WORKSPACE = "GITHUB_WORKSPACE"


def annotations(done: Check, suite: Path, baseline: Path) -> list[str]:
    """Return an error for each entry that fails, and a warning for each that is not proven.

    Args:
        done: the comparison.
        suite: whose lines they are shown at.
        baseline: at whose lines entries are shown that the suite no longer names.
    """
    failing = [row for row in done.rows if row.change.fails]
    unproven = [row for row in done.rows if row.change is Change.UNPROVEN]
    return [
        *_of_kind("error", failing, suite, baseline),
        *_of_kind("warning", unproven, suite, baseline),
    ]


def _of_kind(kind: str, rows: list[Row], suite: Path, baseline: Path) -> Iterator[str]:
    shown = rows if len(rows) <= MOST else rows[: MOST - 1]
    texts = {path: _lines(path) for path in (suite, baseline)}
    for row in shown:
        path = baseline if row.change is Change.MISSING else suite
        # In the counts a line is an entry; in the suite any line may name its program.
        words = (row.key[0], row.key[2]) if path == baseline else (row.key[0],)
        line = _line(texts[path], words)
        yield _command(kind, path, line, f"Gate counts: {row.change}", _message(row))
    if left := len(rows) - len(shown):
        yield _command(kind, suite, 1, "Gate counts", f"{left} more; see the summary of this run")


def _message(row: Row) -> str:
    why = "; ".join(row.verdict.reasons) or str(row.change)
    return f"{title(row.key)}: {why}"[:LONGEST]


def _line(lines: list[str], words: Iterable[str]) -> int:
    """Return the first line, from 1, that holds all words in quotes; 1 if none does."""
    for number, line in enumerate(lines, 1):
        if all(f'"{word}"' in line or f"'{word}'" in line for word in words):
            return number
    return 1


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []


def _command(kind: str, path: Path, line: int, heading: str, message: str) -> str:
    root = os.environ.get(WORKSPACE) or Path.cwd()
    file = Path(os.path.relpath(path, root)).as_posix()
    properties = f"file={_property(file)},line={line},title={_property(heading)}"
    return f"::{kind} {properties}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
