"""The commands `gates check` and `gates update`."""

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from attrs import frozen

from compiler.errors import InputError
from compiler.words.held_inputs import FROM_ZERO, count_text
from compiler.words.plurals import how_many
from games import DEFAULT_ENCODING
from service.cli.front.parameters import shared_options
from service.cli.options import PROCESSES, Details, Json, Processes
from service.cli.output.printing import one_line, print_result, print_table, progress, say
from service.results.gates import GateEntry, GatesResult
from workers.gate_counts.baseline import (
    UPDATE,
    Baseline,
    Check,
    Row,
    baseline_text,
    check,
    new_lines,
    read_baseline,
)
from workers.gate_counts.counts import Change
from workers.gate_counts.environment import all_versions
from workers.gate_counts.running import Cache, Counted, count_all, default_folder, write_text
from workers.gate_counts.suite import Entry, read_suite, title

SUITE = "gates.toml"
COUNTS = "gate_counts.json"


class Format(StrEnum):
    """Format of a result."""

    TEXT = "text"
    GITHUB = "github"


@frozen(kw_only=True)
class Request:
    """Options of a check: the suite, its baseline, and the format of the result.

    Options:
        suite: Suite of programs: a .toml.
        baseline: File of the baseline.
        format: text: tables; github: Markdown for a pull request, and annotations on stderr.
        cache: Folder that caches gate counts.
        no_cache: Ignore the cache and compile everything.
    """

    suite: Path = Path(SUITE)
    baseline: Annotated[Path | None, typer.Option(show_default=f"{COUNTS} beside the suite")] = None
    format: Format = Format.TEXT
    processes: Processes = PROCESSES
    cache: Annotated[Path | None, typer.Option(show_default="~/.cache/stichwerk/gates")] = None
    no_cache: bool = False
    details: Details = False
    as_json: Json = False

    @property
    def counts(self) -> Path:
        """The file of the suite's counts."""
        return self.baseline or self.suite.parent / COUNTS

    @property
    def update(self) -> str:
        """The command that writes the counts of this suite down, as a shell takes it."""
        options = [] if self.suite == Path(SUITE) else ["--suite", str(self.suite)]
        if self.counts != self.suite.parent / COUNTS:
            options += ["--baseline", str(self.counts)]
        return " ".join([UPDATE, *map(shlex.quote, options)])


gates_options = shared_options("request", Request)


@gates_options
def check_command(*, request: Request) -> int:
    """Compile a suite and compare its gate counts with the baseline.

    The exit code is 0 if no entry is worse, 1 if an entry is worse or missing or a program has
    changed, 2 for invalid input. Invalid programs are listed, and all others are compared.

    Examples:
    - `stichwerk gates check`

    - `stichwerk gates check --format github >> "$GITHUB_STEP_SUMMARY"`
    """
    started = perf_counter()
    entries, path = read_suite(request.suite), request.counts
    held = read_baseline(path, request.update)
    counted = _count(entries, request)
    done = check(entries, counted, held)
    _show(done, request, perf_counter() - started, print_check)
    if done.outdated:
        say(f"{path} can be brought up to date: run '{request.update}' and commit it")
    elif not done.passed and not done.failures:
        say(f"To accept these counts, run '{request.update}' and commit {path}")
    return _report_refused(entries, counted) or (0 if done.passed else 1)


@gates_options
def update_command(*, request: Request) -> int:
    """Compile a suite and write its gate counts as the new baseline.

    If a program fails, nothing is written and the exit code is 1.

    Example: `stichwerk gates update`
    """
    started = perf_counter()
    entries, path = read_suite(request.suite), request.counts
    if not path.parent.is_dir():
        raise InputError(f"baseline '{path}': there is no folder '{path.parent}'")
    if path.exists() and not path.is_file():
        raise InputError(f"baseline '{path}': not a regular file")
    held = _old(path)
    counted = _count(entries, request)
    done = check(entries, counted, held)
    _show(done, request, perf_counter() - started, print_counts)
    number = how_many(len(entries), "entry", "entries")
    if failed := done.failures:
        say(f"{path} is not written: {failed} of {number} failed")
        return _report_refused(entries, counted) or 1
    text = baseline_text(all_versions(), new_lines(entries, counted))
    try:
        if path.is_file() and path.read_text("utf-8") == text:
            say(f"{path} is up to date")
            return 0
        write_text(path, text)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        raise InputError(f"baseline '{path}' cannot be written: {reason}") from error
    say(f"{path} is written: {number}")
    return 0


def _old(path: Path) -> Baseline:
    """Return the baseline that is to be replaced, an empty one if there is none to be read."""
    if not path.exists():
        return Baseline({}, {})
    try:
        return read_baseline(path)
    except InputError as error:
        say(f"the old baseline is ignored: {error}")
        return Baseline({}, {})


def _count(entries: Sequence[Entry], request: Request) -> list[Counted]:
    cache = None if request.no_cache else Cache(request.cache or default_folder())
    return count_all(entries, request.processes, cache, progress)


def _report_refused(entries: Sequence[Entry], counted: Sequence[Counted]) -> int:
    """Print a line for each invalid program that should compile; return 2 if there are any."""
    lines = {
        (entry.program, of.counts.detail): f"{entry.title}: {of.counts.detail}"
        for entry, of in reversed([*zip(entries, counted, strict=True)])
        if of.counts.refused and entry.expect != "refused"
    }
    for line in reversed(lines.values()):
        say(one_line(f"stichwerk: {line}"))
    return 2 if lines else 0


def _show(
    done: Check, request: Request, seconds: float, show: Callable[[GatesResult], None]
) -> None:
    result = GatesResult.of(done, request.suite, request.counts, seconds)
    if request.format is Format.GITHUB and not request.as_json:
        held = request.counts.name
        print(check_markdown(result, held, request.update, outdated=done.outdated))
        # The summary is a file; output of a step is searched for annotations.
        for line in annotations(done, request.suite, request.counts):
            say(line)
    else:
        print_result(result, show, as_json=request.as_json, details=request.details)


COLUMNS = (
    "change", "program", "encoding", "target", "method", "2q gates", "2q depth", "depth", "gates",
    "proof", "why",
)  # fmt: skip
FIGURES = ("two_qubit_gates", "two_qubit_depth", "depth", "gates", "verified")
SPECIAL = re.compile(r"[^\w \-.,;:=→–]|_")
MAX_ROWS = 500
"""GitHub takes a summary of 1 MiB."""


def print_check(result: GatesResult) -> None:
    """Print the verdict and the counts."""
    print("Gate check", "passed." if result.passed else "failed.", end=" ")
    print_counts(result)


def print_counts(result: GatesResult) -> None:
    """Print the changed entries, and the number of unchanged ones."""
    print(f"Gate counts: {result.headline}; {result.seconds:.1f} s.")
    rows = [_cells(entry) for entry in result.changed]
    if rows:
        print_table(f"Gate counts against {result.baseline}", COLUMNS, rows)
    if result.versions:
        print(f"Versions differ from the baseline's, a possible cause: {result.versions_text}")


def check_markdown(result: GatesResult, held: str, update: str, *, outdated: bool) -> str:
    """Return a heading, the changed entries, and advice.

    Args:
        result: of the comparison.
        held: name of the baseline's file.
        update: command that writes the baseline.
        outdated: whether the baseline should be written although the check passed.
    """
    failing = dict.fromkeys(str(entry.change) for entry in result.changed if entry.change.fails)
    parts = [
        f"### Gate counts: {', '.join(failing) or 'no worse'}",
        f"{result.headline}, against {_code(result.baseline)}.",
    ]
    if result.changed:
        parts.append(_table(result.changed[:MAX_ROWS]))
    if (left := len(result.changed) - MAX_ROWS) > 0:
        parts.append(f"{left} more are left out.")
    if result.versions:
        versions = escaped(result.versions_text)
        parts.append(f"Other versions than the baseline's, which may be why: {versions}.")
    if not result.passed:
        parts.append(f"If this is meant, run {_code(update)}, commit {_code(held)}, say why.")
    elif outdated:
        parts.append(f"Run {_code(update)} and commit {_code(held)}, to keep the gain.")
    return "\n\n".join(parts)


def escaped(text: str) -> str:
    """Return a text that Markdown and HTML take for nothing but text, in one line.

    Character references are never markup, not even in a table's cells.
    """
    return SPECIAL.sub(lambda match: f"&#{ord(match[0])};", " ".join(text.split()))


def _code(text: str) -> str:
    # Not backticks: inside them references would be shown as they are.
    return f"<code>{escaped(text)}</code>"


def _table(entries: list[GateEntry]) -> str:
    lines = [COLUMNS, ("---",) * len(COLUMNS)]
    for entry in entries:
        change, program, encoding, target, method, *remaining = _cells(entry)
        named = (_code(cell) for cell in (program, encoding, target, method))
        shown = f"**{change}**" if entry.change.fails else change
        lines.append((shown, *named, *map(escaped, remaining)))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cells(entry: GateEntry) -> tuple[str, ...]:
    gates, *figures = (_figure(entry, name) for name in FIGURES)
    return (
        entry.change, entry.program,
        "" if entry.encoding == DEFAULT_ENCODING else entry.encoding, entry.target,
        ", ".join((entry.method, *entry.options)),
        count_text(gates, from_zero=entry.holds == FROM_ZERO), *figures, "; ".join(entry.reasons),
    )  # fmt: skip


def _figure(entry: GateEntry, name: str) -> str:
    """Return `old → new`, or the one there is."""
    texts = [
        "–" if counts.failed and name != "verified" else str(getattr(counts, name))
        for counts in (entry.before, entry.after)
        if counts is not None
    ]
    return " → ".join(dict.fromkeys(texts))


MAX_ANNOTATIONS = 10
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
    shown = rows if len(rows) <= MAX_ANNOTATIONS else rows[: MAX_ANNOTATIONS - 1]
    texts = {path: _lines(path) for path in (suite, baseline)}
    for row in shown:
        path = baseline if row.change is Change.MISSING else suite
        # In the counts a line is an entry; in the suite any line may name its program.
        names = (row.key[0], row.key[2]) if path == baseline else (row.key[0],)
        line = _line(texts[path], names)
        yield _command(kind, path, line, f"Gate counts: {row.change}", _message(row))
    if left := len(rows) - len(shown):
        yield _command(kind, suite, 1, "Gate counts", f"{left} more; see the summary of this run")


def _message(row: Row) -> str:
    why = "; ".join(row.verdict.reasons) or str(row.change)
    return f"{title(row.key)}: {why}"[:LONGEST]


def _line(lines: list[str], names: Iterable[str]) -> int:
    """Return the first line, from 1, that holds all words in quotes; 1 if none does."""
    for number, line in enumerate(lines, 1):
        if all(f'"{word}"' in line or f"'{word}'" in line for word in names):
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
