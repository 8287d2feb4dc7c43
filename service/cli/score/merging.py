"""Results of many machines and times on one page."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path

from markupsafe import Markup

from backends.regular_files import read_input
from compiler.errors import InputError
from compiler.formats.text_content import text_of
from compiler.words.machine_names import calibration_digest, machine_of
from service.cli.output.plots import output_path, write_output
from service.cli.output.printing import print_result, print_rows, say
from service.cli.score.changes import ScoreChange, score_changes
from service.pages.plots import Plot, Point, hues, traces
from service.pages.tables import Number, Section, sections_page, table
from service.results.jobs.device_scores import calibration_words
from service.results.matches import MergedScores
from workers.score.document import ScoreFile, score_from_json
from workers.score.parts import ScoredPart
from workers.score.suite import suite_named

MAX_BYTES = 4_000_000
"""Bytes of a file; a result has some 10 kB."""

MAX_FILES = 2000


def merge_files(names: Sequence[str], output: str, *, as_json: bool) -> None:
    """Make a page of the results in files; the same result twice is there once.

    Raises:
        InputError: if a file is no result of a score, or was changed.
    """
    if not names:
        raise InputError("--merge: name at least one result, a .json of 'stichwerk score -o'")
    if len(names) > MAX_FILES:
        raise InputError(f"--merge: {len(names):,} files; {MAX_FILES:,} are taken")
    path = output_path("output", output, (".html",)) if output else None
    if path is None:
        raise InputError("--merge: missing option --output, the page: a .html")
    documents: dict[str, ScoreFile] = {}
    twice = []
    for name in names:
        score = score_from_json(text_of(read_input(Path(name), MAX_BYTES), name), name)
        if score.digest in documents:
            twice.append(name)
            say(f"{name}: is there already, and left out")
        documents.setdefault(score.digest, score)
    scores = merged(documents.values())
    write_output("output", path, scores_html(scores).encode())
    say(f"written to {path}")
    changes = [change.result for change in score_changes(scores)]
    result = MergedScores(output=str(path), duplicates=twice, scores=scores, changes=changes)
    print_result(result, _print, as_json=as_json)


def _print(result: MergedScores) -> None:
    print_rows(
        "Scores", result.scores, "backend", "suite", "run", "at", "score", "low", "high", "complete"
    )
    for change in result.changes:
        print(change.told)


def merged(scores: Iterable[ScoreFile]) -> list[ScoreFile]:
    """Return results by suite, then the best machine first, each machine's in time."""
    ordered = sorted(scores, key=lambda score: (score.at, score.digest))
    newest = {
        (score.suite, machine_of(score.backend)): score.score for score in ordered if score.complete
    }
    return sorted(
        ordered,
        key=lambda score: (
            score.suite,
            -newest.get((score.suite, machine_of(score.backend)), -1.0),
            machine_of(score.backend),
            score.at,
        ),
    )


SAYS = (
    "Scores of machines on a suite of circuits that never changes under its name: 1 is exact, 0 "
    "noise. Intervals hold with 95 %. A score is of the machine and of the compiler."
)


def scores_html(scores: Sequence[ScoreFile]) -> str:
    """Return the page of results, those of each suite together.

    Args:
        scores: documents of scores, sorted by suite and machine.
    """
    suites = groupby(scores, key=lambda score: score.suite)
    return sections_page("Stichwerk scores", [_section(suite, list(of)) for suite, of in suites])


def _section(suite: str, scores: Sequence[ScoreFile]) -> Section:
    pinned = suite_named(suite)
    machines = list(dict.fromkeys(machine_of(score.backend) for score in scores))
    changes = {machine_of(change.new.backend): change for change in score_changes(scores)}
    volume = scores[0].game_volume
    rows = [
        (
            machine_of(score.backend),
            Number(f"{score.score:.3f}") if score.complete else "not complete",
            Number(f"{score.low:.3f} to {score.high:.3f}"),
            *(Number("" if v is None else f"{v:.3f}") for v in score.families.values()),
            *(
                [Number(", ".join(f"{n} at {t}" for t, n in score.game_volume.items()))]
                if volume
                else []
            ),
            Number(score.at[:16].replace("T", " ")),
            _run(score),
            _version(score),
        )
        for score in scores
    ]
    columns = (
        "machine", "score", "95 %", *scores[0].families, *(["game volume"] if volume else []),
        "at", "run", "version",
    )  # fmt: skip
    newest = {machine_of(score.backend): score for score in scores}
    parts = table(
        f"Parts of suite {suite}, the newest run of each machine",
        ("part", *machines),
        [
            (part.name, *(_cell(newest[name], changes.get(name), place) for name in machines))
            for place, part in enumerate(pinned.parts)
        ],
    )
    sentence = Markup('<p class="answer">{}.</p>')
    return Section(
        f"suite-{suite}",
        f"Suite {suite}",
        f"{SAYS} {pinned.title}. Digest {pinned.digest[:16]}…, {pinned.shots:,} shots.",
        [
            *(sentence.format(change.result.told) for change in changes.values()),
            table(f"Scores of suite {suite}", columns, rows),
            _over_time(suite, machines, scores),
            parts,
        ],
    )


def _version(score: ScoreFile) -> str:
    revision = score.revision or "unknown"
    changed = "+" if revision.endswith("+changes") else ""
    return f"{score.versions.get('stichwerk', '?')} ({revision[:8]}{changed})"


def _run(score: ScoreFile) -> str:
    digest = calibration_digest(score.backend)
    of = "; ".join(calibration_words(each.model_dump()) for each in score.calibrations) or digest
    return f"{score.run} (calibration {of})" if of else score.run


def _cell(newest: ScoreFile, change: ScoreChange | None, place: int) -> object:
    """Return a part's newest score, and the one before if both can be compared."""
    part = newest.parts[place]
    if part.outcome != "completed" or part.score is None:
        return part_text(part)
    before = ""
    if change is not None and change.new is newest:
        old = change.old.parts[place]
        before = f"{old.score:.3f} → " if old.score is not None else ""
    return Number(f"{before}{part.score:.3f} ({part.two_qubit_gates} gates)")


def part_text(part: ScoredPart) -> str:
    """Return the outcome of a part, or the figures of one that has no score from 0 to 1."""
    figures = ", ".join(f"{name} {figure.value:.4g}" for name, figure in part.figures.items())
    return figures or part.outcome


def _over_time(suite: str, machines: Sequence[str], scores: Sequence[ScoreFile]) -> Plot:
    colours = hues(machines)
    points = [
        Point(machine_of(score.backend), datetime.fromisoformat(score.at), float(score.score),
              interval=(score.low, score.high))
        for score in scores
        if score.complete
    ]  # fmt: skip
    return Plot(
        f"{suite}-time",
        "Scores over time",
        f"Scores of suite {suite} over time, by machine; the table holds the values.",
        traces(points, "%{y:.3f}", lambda name: {"line": {"color": colours[name], "width": 1.5}},
               mode="lines+markers"),
        {"xaxis": {"type": "date"}, "yaxis": {"title": {"text": "score"}, "range": [0, 1.03]}},
        380,
    )  # fmt: skip
