"""The commands `gates check` and `gates update`."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from compiler.errors import InputError
from service.cli.gates.answers import check_answer
from service.cli.gates.markdown import check_markdown
from service.cli.gates.tables import print_check
from service.cli.options import PROCESSES, Json, Processes
from service.cli.output.printing import print_json, say
from workers.gate_counts.baseline import (
    UPDATE,
    Baseline,
    baseline_text,
    read_baseline,
    write_text,
)
from workers.gate_counts.cache import Cache, default_folder
from workers.gate_counts.checking import Check, check, new_lines
from workers.gate_counts.environment import all_versions
from workers.gate_counts.running import Counted, count_all
from workers.gate_counts.suite import Entry, read_suite

SUITE = "gates.toml"
COUNTS = "gate_counts.json"

gates_app = typer.Typer(
    name="gates",
    help="Hold a suite of programs to the gate counts that they once had.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)


class Format(StrEnum):
    """How an answer is written."""

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
        "--format", help="text: tables; json: as --json; github: Markdown for a pull request."
    ),
]
CacheFolder = Annotated[
    Path | None,
    typer.Option("--cache", help="Where counts are kept.", show_default="~/.cache/stichwerk/gates"),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Compile everything anew.")]


@gates_app.command("check")
def check_command(
    *,
    suite: SuitePath = Path(SUITE),
    baseline: BaselinePath = None,
    format_: FormatName = Format.TEXT,
    processes: Processes = PROCESSES,
    cache: CacheFolder = None,
    no_cache: NoCache = False,
    as_json: Json = False,
) -> int:
    """Compile a suite and compare its gate counts with the committed ones.

    The exit code is 0 if nothing has become worse, 1 if something has, 2 for bad input.

    Examples:
    - `stichwerk gates check`

    - `stichwerk gates check --format github >> "$GITHUB_STEP_SUMMARY"`
    """
    started = perf_counter()
    entries = read_suite(suite)
    path = baseline or suite.parent / COUNTS
    held = read_baseline(path)
    counted = _count(entries, processes, cache, no_cache)
    done = check(entries, counted, held)
    _answer(done, suite, path, Format.JSON if as_json else format_, perf_counter() - started)
    if done.outdated:
        say(f"{path} can be brought up to date: run '{UPDATE}' and commit it")
    return 0 if done.passed else 1


@gates_app.command("update")
def update_command(
    *,
    suite: SuitePath = Path(SUITE),
    baseline: BaselinePath = None,
    format_: FormatName = Format.TEXT,
    processes: Processes = PROCESSES,
    cache: CacheFolder = None,
    no_cache: NoCache = False,
    as_json: Json = False,
) -> int:
    """Compile a suite and write its gate counts down, better or worse; say what has changed.

    If a program fails, nothing is written and the exit code is 1.

    Example: `stichwerk gates update`
    """
    started = perf_counter()
    entries = read_suite(suite)
    path = baseline or suite.parent / COUNTS
    if not path.parent.is_dir():
        raise InputError(f"baseline '{path}': there is no folder '{path.parent}'")
    held = _old(path)
    counted = _count(entries, processes, cache, no_cache)
    done = check(entries, counted, held)
    _answer(done, suite, path, Format.JSON if as_json else format_, perf_counter() - started)
    failed = sum(one.counts.failed for one in counted)
    if failed:
        say(f"{path} is not written: {failed} of {len(entries)} entries failed")
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
    say(f"{path} is written: {len(entries)} entries")
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


def _count(
    entries: Sequence[Entry], processes: int, folder: Path | None, no_cache: bool
) -> list[Counted]:
    return count_all(
        entries, processes, None if no_cache else Cache(folder or default_folder()), say
    )


def _answer(done: Check, suite: Path, baseline: Path, format_: Format, seconds: float) -> None:
    if format_ is Format.JSON:
        print_json(check_answer(done, suite, baseline, seconds))
    elif format_ is Format.GITHUB:
        print(check_markdown(done, baseline))
    else:
        print_check(done, baseline, seconds)
