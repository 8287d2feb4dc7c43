"""Results of many machines and times on one page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backends.regular_files import read_regular_file
from compiler.errors import InputError
from compiler.words.machine_names import machine_of
from service.cli.output.files import output_path, write_output
from service.cli.output.printing import print_result, print_rows, say
from service.cli.score.changes import score_changes
from service.cli.score.page import scores_html
from service.results.score import MergedScores
from workers.score.document import score_from_json

MOST_BYTES = 4_000_000
"""Of a file; a result has some 10 kB."""

MOST_FILES = 2000


def merge_files(names: Sequence[str], output: str, *, as_json: bool) -> None:
    """Make a page of the results in files; the same result twice is there once.

    Raises:
        InputError: if a file is no result of a score, or was changed.
    """
    if not names:
        raise InputError("--merge: name at least one result, a .json of 'stichwerk score -o'")
    if len(names) > MOST_FILES:
        raise InputError(f"--merge: {len(names):,} files; {MOST_FILES:,} are taken")
    path = output_path("output", output, (".html",)) if output else None
    if path is None:
        raise InputError("--merge: missing option --output, the page: a .html")
    found: dict[str, dict[str, Any]] = {}
    twice = []
    for name in names:
        one = score_from_json(_text(name), name)
        if one["digest"] in found:
            twice.append(name)
            say(f"{name}: is there already, and left out")
        found.setdefault(one["digest"], one)
    scores = merged(found.values())
    write_output("output", path, scores_html(scores).encode())
    say(f"written to {path}")
    changes = [one.document() for one in score_changes(scores)]
    result = MergedScores.model_validate(
        {"output": str(path), "duplicates": twice, "scores": scores, "changes": changes}
    )
    print_result(result, _print, as_json=as_json)


def _print(result: MergedScores) -> None:
    print_rows(
        "Scores", result.scores, "backend", "suite", "run", "at", "score", "low", "high", "complete"
    )
    for change in result.changes:
        print(change.told)


def merged(scores: Sequence[dict[str, Any]] | Any) -> list[dict[str, Any]]:
    """Return results by suite, then the best machine first, each machine's in time."""
    known = sorted(scores, key=lambda one: (one["at"], one["digest"]))
    newest = {
        (one["suite"], machine_of(one["backend"])): one["score"] for one in known if one["complete"]
    }
    return sorted(
        known,
        key=lambda one: (
            one["suite"],
            -newest.get((one["suite"], machine_of(one["backend"])), -1.0),
            machine_of(one["backend"]),
            one["at"],
        ),
    )


def _text(name: str) -> str:
    try:
        return read_regular_file(Path(name), MOST_BYTES).decode()
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not a text file ({error.reason})") from error
