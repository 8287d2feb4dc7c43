"""The commands `gates check` and `gates update`."""

import shlex
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from attrs import frozen

from compiler.errors import InputError
from compiler.words.plurals import how_many
from service.cli.gates.annotations import annotations
from service.cli.gates.tables import check_markdown, print_check
from service.cli.options import PROCESSES, Json, Processes
from service.cli.output.printing import print_json, say
from service.cli.shared_options import shared_options
from service.results.gates import GatesResult
from workers.gate_counts.baseline import UPDATE, Baseline, baseline_text, read_baseline
from workers.gate_counts.cache import Cache, default_folder
from workers.gate_counts.checking import Check, check, new_lines
from workers.gate_counts.environment import all_versions
from workers.gate_counts.running import Counted, count_all
from workers.gate_counts.suite import Entry, read_suite
from workers.kept_files import write_text

SUITE = "gates.toml"
COUNTS = "gate_counts.json"


class Format(StrEnum):
    """Format of a result."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


SuitePath = Annotated[Path, typer.Option("--suite", help="What is compiled: a TOML file.")]
BaselinePath = Annotated[
    Path | None,
    typer.Option(
        "--baseline", help="The counts it is held to.", show_default=f"{COUNTS} beside the suite"
    ),
]
FormatName = Annotated[
    Format,
    typer.Option(
        "--format",
        help="text: tables; json: as --json; github: Markdown for a pull request, and on stderr "
        "its annotations.",
    ),
]
CacheFolder = Annotated[
    Path | None,
    typer.Option("--cache", help="Where counts are kept.", show_default="~/.cache/stichwerk/gates"),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Compile everything anew.")]


@frozen
class Request:
    """Options of a check: the suite, its baseline, and the format of the result.

    Args:
        suite: the file that says what is compiled.
        baseline: the file of its counts.
        format: of the result.
        processes: that compile.
        cache: where counts are kept, None for the usual place.
        no_cache: whether everything is compiled anew.
    """

    suite: Path
    baseline: Path
    format: Format
    processes: int
    cache: Path | None
    no_cache: bool

    @property
    def update(self) -> str:
        """The command that writes the counts of this suite down, as a shell takes it."""
        words = [] if self.suite == Path(SUITE) else ["--suite", str(self.suite)]
        if self.baseline != self.suite.parent / COUNTS:
            words += ["--baseline", str(self.baseline)]
        return " ".join([UPDATE, *map(shlex.quote, words)])


def _request(
    *,
    suite: SuitePath = Path(SUITE),
    baseline: BaselinePath = None,
    format_: FormatName = Format.TEXT,
    processes: Processes = PROCESSES,
    cache: CacheFolder = None,
    no_cache: NoCache = False,
    as_json: Json = False,
) -> Request:
    """Return the request; the parameters are the options of both commands."""
    path = baseline or suite.parent / COUNTS
    shown = Format.JSON if as_json else format_
    return Request(suite, path, shown, processes, cache, no_cache)


gates_options = shared_options("request", _request)


@gates_options
def check_command(*, request: Request) -> int:
    """Compile a suite and compare its gate counts with the committed ones.

    The exit code is 0 if nothing is worse, 1 if something is worse or missing or a program has
    changed, 2 for bad input.

    Examples:
    - `stichwerk gates check`

    - `stichwerk gates check --format github >> "$GITHUB_STEP_SUMMARY"`
    """
    started = perf_counter()
    entries, path = read_suite(request.suite), request.baseline
    held = read_baseline(path, request.update)
    counted = _count(entries, request)
    done = check(entries, counted, held)
    _show(done, request, perf_counter() - started)
    if done.outdated:
        say(f"{path} can be brought up to date: run '{request.update}' and commit it")
    return 0 if done.passed else 1


@gates_options
def update_command(*, request: Request) -> int:
    """Compile a suite and write its gate counts down, better or worse; say what has changed.

    If a program fails, nothing is written and the exit code is 1.

    Example: `stichwerk gates update`
    """
    started = perf_counter()
    entries, path = read_suite(request.suite), request.baseline
    if not path.parent.is_dir():
        raise InputError(f"baseline '{path}': there is no folder '{path.parent}'")
    if path.exists() and not path.is_file():
        raise InputError(f"baseline '{path}': not a regular file")
    held = _old(path)
    counted = _count(entries, request)
    done = check(entries, counted, held)
    _show(done, request, perf_counter() - started)
    number = how_many(len(entries), "entry", "entries")
    failed = sum(one.counts.failed for one in counted)
    if failed:
        say(f"{path} is not written: {failed} of {number} failed")
        return 1
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
        say(f"starting afresh: {error}")
        return Baseline({}, {})


def _count(entries: Sequence[Entry], request: Request) -> list[Counted]:
    cache = None if request.no_cache else Cache(request.cache or default_folder())
    return count_all(entries, request.processes, cache, say)


def _show(done: Check, request: Request, seconds: float) -> None:
    result = GatesResult.of(done, request.suite, request.baseline, seconds)
    if request.format is Format.JSON:
        print_json(result)
    elif request.format is Format.GITHUB:
        held = request.baseline.name
        print(check_markdown(result, held, request.update, outdated=done.outdated))
        # The summary is a file; what a step says anywhere else is read for annotations.
        for line in annotations(done, request.suite, request.baseline):
            say(line)
    else:
        print_check(result)
