"""The command `score`: how well a machine plays a suite that never changes, as one number."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any
from xml.sax.saxutils import escape

import typer
from sqlalchemy import select
from sqlalchemy.orm import Session

from backends import BackendError
from backends.devices.reading import SNAPSHOT, target_with_calibration
from compiler.errors import InputError
from compiler.words.plurals import how_many
from service.cli.devices import Backend, BackendTarget, Calibration, RecompileAfter
from service.cli.options import (
    PROCESSES,
    Details,
    HandOver,
    Json,
    Processes,
    ServiceDatabase,
)
from service.cli.output.plots import output_path, write_output
from service.cli.output.printing import json_text, print_result, print_rows, progress, say
from service.cli.output.progress import backend_progress, say_if_first
from service.cli.queue.existing_jobs import existing_records
from service.cli.queue.sending import hand_over_batch
from service.cli.score.merging import merge_files
from service.results.jobs.device_scores import calibration_words, wins_words
from workers.accounts.budgets import microusd
from workers.batches.batch import Batch
from workers.batches.submitting import least_cost_of, submit_batch
from workers.jobs.control import RETRIABLE, retry
from workers.jobs.lookup import find_job, keyed_job
from workers.jobs.request import recorded_key
from workers.jobs.states import JobKind, State
from workers.jobs.without_queue import finish_job
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.records.devices import recall_device
from workers.records.tables import Job, now
from workers.score.document import ScoreFile
from workers.score.suite import (
    NEWEST,
    Outcome,
    ScoreRun,
    planned_part,
    score_run,
    suite_named,
    suite_names,
)
from workers.settings import dollars, settings


def score_command(
    files: Annotated[list[str] | None, typer.Argument(metavar="[RESULT.json]...")] = None,
    *,
    backend: Backend = "",
    target: BackendTarget = "",
    calibration: Calibration = "",
    recompile_after: RecompileAfter = None,
    suite: Annotated[str, typer.Option(help=f"Suite: {', '.join(suite_names())}.")] = NEWEST,
    run: Annotated[str, typer.Option(show_default="current time")] = "",
    seed: Annotated[int, typer.Option(min=0, max=2**31 - 1)] = 0,
    queue: HandOver = False,
    job: int | None = None,
    merge: bool = False,
    max_cost: str = "",
    output: Annotated[str, typer.Option("--output", "-o")] = "",
    badge: str = "",
    database: ServiceDatabase = "",
    processes: Processes = PROCESSES,
    details: Details = False,
    as_json: Json = False,
) -> int | None:
    """Score a device on a fixed suite: 0 is noise, 1 is exact.

    A suite pins programs, encodings, shots and weights, and never changes under its name. Every
    part is compiled, proven, run and scored. In suite v1 a part that the device does not support
    counts as 0. Suite standard-1 has hardware benchmarks (mirror circuits, layer fidelity, CLOPS,
    QFT, LR-QAOA, BSEQ); its score is the mean of the completed parts. In nonlocal-1 each part is a
    nonlocal game: 0 is its classical bound, 1 its quantum value. The cost is shown before any
    circuit runs. The exit code is 1 if the score is incomplete because a provider lost a part.

    Examples:
    - `stichwerk score --backend sparse:boston --output boston.json --badge score.svg`

    - `stichwerk score --suite standard-1 --backend ibm:boston --run monday --max-cost 50USD`

    - `stichwerk score --backend ibm:boston --calibration live --recompile-after 24`

    - `stichwerk score --merge boston.json miami.json --output scores.html`

    Options:
        files: With --merge: results that this command has written.
        run: Name of the run: the same name resumes the run, with only the missing parts.
        seed: Seed of simulated shots; devices ignore it.
        job: Show the score of this job, which --queue submitted.
        merge: Combine results from files into one page, which --output names.
        max_cost: Maximum cost of all circuits together, such as 50USD; if they may cost more,
            nothing is submitted.
        output: Write the result to a .json; with --merge the page to a .html.
        badge: Write a badge to a .svg.
    """
    for wrong, why in (
        (files and not merge, "files of results are for --merge: say that, too"),
        (
            merge and (backend or queue or job is not None or badge),
            "--merge only reads files: leave out the options of running",
        ),
        (
            job is not None and (backend or queue),
            "--job shows an existing score: leave out --backend and --queue",
        ),
        (
            not (merge or job is not None or backend),
            "missing option --backend; see 'stichwerk backends'",
        ),
        (
            queue and (output or badge),
            "--queue: leave out --output and --badge; --job takes them",
        ),
    ):
        if wrong:
            raise InputError(why)
    if merge:
        merge_files(files or [], output, as_json=as_json)
        return None
    limit = dollars(max_cost) if max_cost else None
    paths = {
        name: output_path(name, path, suffixes)
        for name, path, suffixes in (("output", output, (".json",)), ("badge", badge, (".svg",)))
        if path
    }
    if job is not None:
        with Session(existing_records(database)) as session:
            return _show(score_of_job(session, job), paths, as_json=as_json, details=details)
    name = run or now().isoformat(timespec="seconds").removesuffix("+00:00")
    with Session(open_database(database or settings().database)) as session:
        recorded = recorded_target(session, ScoreRun(suite_named(suite), backend, name, target))
    spec = recorded or target_with_calibration(backend, target, calibration or SNAPSHOT)
    scored_run = score_run(suite_named(suite), backend, name, spec)
    if not queue:
        say(f"run {name}: to resume it after an interruption, use --run '{name}'")
    batch = planned_batch(scored_run, seed, recompile_after)
    if queue:
        hand_over_suite(scored_run, batch, limit, database, as_json=as_json)
        return None
    result = play_suite(scored_run, batch, limit, database, processes)
    return _show(result, paths, as_json=as_json, details=details)


def _show(
    result: ScoreFile, paths: Mapping[str, Path], *, as_json: bool, details: bool
) -> int | None:
    """Write files, print a score, and return the exit code."""
    for name, path in paths.items():
        write_output(name, path, (badge_svg if name == "badge" else json_text)(result).encode())
        say(f"written to {path}")
    print_result(result, print_score, as_json=as_json, details=details)
    return None if result.complete else 1


def recorded_target(session: Session, run: ScoreRun) -> str | None:
    """Return the target of a run that is recorded, which is resumed for it; None if it is new."""
    job = keyed_job(session, recorded_key(run.key, None))
    if job is None or job.request is None:
        return None
    target: str = job.request["scores"][0]["target"]
    if run.target not in ("", target):
        raise InputError(
            f"run '{run.run}' is for target '{target}', not '{run.target}'. Choose another --run"
        )
    recall_device(session, target)
    return target


def play_suite(
    run: ScoreRun, batch: Batch, limit: Decimal | None, database: str, processes: int
) -> ScoreFile:
    """Run all parts in this process, and return the score's document.

    Raises:
        InputError: if nothing can be run, or it would cost too much.
        BackendError: if no score comes of it.
    """
    set_ = settings()
    say_if_first("compiler")
    with Session(open_database(database or set_.database)) as session:
        job = submit_batch(
            session, set_, batch, key=run.key, tag=run.tag, max_cost_usd=limit, due=False
        )
        if job.state in RETRIABLE:
            job.max_cost_microusd = None if limit is None else microusd(limit)
            job = retry(session, job.id)
        with process_pool(processes) as each, backend_progress():
            try:
                finish_job(session, job, progress=progress, each=each)
            except BackendError:
                if job.result is None:
                    raise
        return score_of_job(session, job.id)


def planned_batch(run: ScoreRun, seed: int, recompile_after: float | None) -> Batch:
    """Return a score as a batch of its parts, and report its plan."""
    parts = []
    for part in run.suite.parts:
        parts.append(planned_part(run, part, seed, recompile_after))
        if parts[-1].refused:
            say(f"{part.name}: {parts[-1].outcome}: {parts[-1].refused}")
    batch = Batch(f"score {run.suite.name}", scores=((run, tuple(parts)),))
    jobs, cost = batch.all_jobs, least_cost_of(batch)
    say(
        f"planned: suite {run.suite.name} on {run.backend}: {how_many(len(jobs), 'circuit')}, "
        f"{how_many(sum(job.shots for job in jobs), 'shot')}, "
        f"{how_many(sum(not part.jobs for part in parts), 'part')} left out, "
        f"{f'at least {cost:.2f} USD' if cost else 'no charge'}"
    )
    return batch


def hand_over_suite(
    run: ScoreRun, batch: Batch, limit: Decimal | None, database: str, *, as_json: bool
) -> None:
    """Record a score as a job whose parts are jobs, and tell workers and user of it."""
    job = hand_over_batch(
        batch, key=run.key, tag=run.tag, limit=limit, database=database, as_json=as_json
    )
    if least_cost_of(batch):
        say(
            f"stichwerk job {job} shows the exact cost once all circuits are "
            "compiled; nothing is submitted that exceeds --max-cost or a budget"
        )
    say(
        f"stichwerk score --job {job} shows the score when it is done; the page /jobs#job={job} of "
        "'stichwerk up' shows it live"
    )


def score_of_job(session: Session, number: int) -> ScoreFile:
    """Return the score that a job has led to.

    Raises:
        InputError: if there is none.
    """
    job = find_job(session, number)
    why = f": {job.error}" if job.error else ""
    if job.kind != JobKind.BATCH:
        raise InputError(f"job {number} is no score; 'stichwerk score --queue' makes one")
    if job.result is None:
        parts = session.scalars(select(Job.state).where(Job.parent_id == number)).all()
        raise InputError(
            f"job {number} is {job.state} and has no score yet{why}; "
            f"{parts.count(State.DONE)} of {len(parts)} parts are done"
        )
    if job.state != State.DONE:
        say(f"job {number} is {job.state}{why}")
    scores = job.result["scores"]
    if len(scores) != 1:
        raise InputError(
            f"job {number} has {how_many(len(scores), 'score')}; "
            f"'stichwerk result {number}' shows all"
        )
    return ScoreFile.model_validate(scores[0])


LETTER = 6.6
"""Width of a letter in 11 pixels of Verdana, about; `textLength` makes the text fit exactly."""

PADDING = 6
COLOURS = ((0.75, "#1a7f37"), (0.5, "#4d7c0f"), (0.25, "#8a6100"), (0.0, "#b3261e"))
"""Colour of scores from a limit on; white text on each has a contrast of 4.5 or more."""


def badge_svg(document: ScoreFile) -> str:
    """Return the badge of a score, an SVG that needs nothing else.

    Args:
        document: the document of a score.
    """
    name = f"stichwerk {document.suite} · {document.backend}"
    half = (document.high - document.low) / 2
    value = wins_words(_parts(document)) or f"{document.score:.3f} ± {half:.3f}"
    value = value if document.complete else "not complete"
    colour = next(fill for least, fill in COLOURS if document.score >= least)
    fill = colour if document.complete else "#57606a"
    left, right = (round(len(text) * LETTER) + 2 * PADDING for text in (name, value))
    title = escape(f"{name}: {value}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{escape(title, {chr(34): "&quot;"})}"><title>{title}</title>'
        f'<clipPath id="r"><rect width="{left + right}" height="20" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#3b424c"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="{fill}"/></g>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">'
        f"{_text(name, PADDING, left)}{_text(value, left + PADDING, right)}</g></svg>\n"
    )


def _text(text: str, x: int, width: int) -> str:
    length = width - 2 * PADDING
    return f'<text x="{x}" y="14" textLength="{length}">{escape(text)}</text>'


def print_score(document: ScoreFile) -> None:
    """Print the number, and its parts."""
    print(score_sentence(document))
    weights = sum(part.weight for part in document.parts if part.score is not None)
    print_rows(
        "Parts; the score is the mean of theirs, each with its share",
        [
            (part, "" if part.low is None else f"{part.low:.3f} to {part.high:.3f}",
             ": ".join(filter(None, (part.outcome, part.why))),
             "" if part.score is None else f"{part.weight / weights:.1%}")
            if part.outcome != Outcome.ERROR
            else (part.model_copy(update={"score": None}), "", f"{part.outcome}: {part.why}", "")
            for part in document.parts
        ],
        "part=0.name", "0.family", "0.score", "95 %=1", "share=3",
        "two-qubit gates=0.two_qubit_gates", "proof=0.verified", "outcome=2",
    )  # fmt: skip
    for calibration in document.calibrations:
        print(f"compiled for the calibration of {calibration_words(calibration.model_dump())}")


def score_sentence(document: ScoreFile) -> str:
    """Return the number in one sentence."""
    title = f"Suite {document.suite} on {document.backend}, run {document.run}"
    if not document.complete:
        missing = sum(part.outcome == Outcome.ERROR for part in document.parts)
        parts = how_many(missing, "part")
        return f"{title}: not complete, {parts} lost; resume with the same --run."
    low, high = document.low, document.high
    counted = [part for part in document.parts if part.weight]
    left_out = sum(part.score is None for part in counted)
    of = f", {len(counted) - left_out} of {how_many(len(counted), 'part')}" if left_out else ""
    number = f"{document.score:.3f} (95 %: {low:.3f} to {high:.3f}; 1 exact, 0 noise)"
    volume = ", ".join(f"{cards} cards at {at}" for at, cards in document.game_volume.items())
    more = [f"game volume {volume}" if volume else "", wins_words(_parts(document))]
    return "; ".join(filter(None, (f"{title}: {number}{of}", *more))) + "."


def _parts(document: ScoreFile) -> list[dict[str, Any]]:
    return [part.model_dump() for part in document.parts]
