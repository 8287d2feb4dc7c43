"""Scoring a machine: in this process, by the workers, and what came of it."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy.orm import Session

from compiler.errors import InputError
from compiler.words.plurals import how_many
from service.cli.output.backend_progress import backend_progress
from service.cli.output.first_time import say_if_first
from service.cli.output.printing import say
from service.cli.queue.existing_jobs import existing_records
from service.cli.queue.sending import hand_over
from workers.batches.batch import Batch
from workers.batches.submitting import least_cost_of
from workers.jobs.lookup import find_job
from workers.jobs.states import JobKind, State
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.score.document import score_document
from workers.score.here import ReadyPart, check_cost, make_ready, play
from workers.score.planning import ScoreRun, planned_part
from workers.settings import settings


def play_suite(
    run: ScoreRun, seed: int, limit: Decimal | None, database: str, processes: int
) -> dict[str, Any]:
    """Compile, tell what it costs, run and score all parts; return the score's document.

    Raises:
        BudgetError: if it would cost too much; nothing was submitted.
    """
    set_ = settings()
    say(f"run {run.run}: if it is interrupted, --run '{run.run}' goes on with it")
    planned = [planned_part(run, part, seed) for part in run.suite.parts]
    with Session(open_database(database or set_.database)) as session:
        say_if_first("compiler")
        with process_pool(processes) as pool:
            ready = make_ready(session, planned, pool, say, set_)
        cost = check_cost(session, set_, ready, limit)
        say(planned_line(run, ready, cost))
        with backend_progress():
            parts = [play(session, one, say) for one in ready]
        return score_document(session, run, parts)


def planned_line(run: ScoreRun, ready: Sequence[ReadyPart], cost: Decimal) -> str:
    """Return what is going to be run, and what that takes, in one line."""
    left = [one for one in ready if one.to_run]
    done = sum(one.job is not None and not one.to_run for one in ready)
    refused = sum(bool(one.refused) for one in ready)
    shots = sum(one.planned.part.shots for one in left)
    known = [one.seconds for one in left if one.seconds is not None]
    told = [
        f"planned: suite {run.suite.name} on {run.backend}: "
        f"{how_many(len(left), 'circuit')} to run, {how_many(shots, 'shot')}",
        f"{done} done already" if done else "",
        f"{refused} not supported" if refused else "",
        f"about {cost:.2f} USD" if cost else "no charge",
        f"about {sum(known):.0f} s of running" if known else "",
        f"{len(left) - len(known)} of unknown time" if len(left) > len(known) else "",
    ]
    return ", ".join(one for one in told if one)


def hand_over_suite(
    run: ScoreRun, seed: int, limit: Decimal | None, database: str, *, as_json: bool
) -> None:
    """Record a score as a job whose parts are jobs, and tell workers and user of it."""
    parts = []
    for part in run.suite.parts:
        parts.append(planned_part(run, part, seed))
        if parts[-1].refused:
            say(f"{part.name}: not supported: {parts[-1].refused}")
    batch = Batch(f"score {run.suite.name}", scores=((run, tuple(parts)),))
    jobs = batch.all_jobs
    cost = least_cost_of(batch)
    shots = sum(one.shots for one in jobs)
    say(
        f"planned: suite {run.suite.name} on {run.backend}: {how_many(len(jobs), 'circuit')}, "
        f"{how_many(shots, 'shot')}, {len(parts) - len(jobs)} not supported, "
        + (f"at least {cost:.2f} USD" if cost else "no charge")
    )
    job = hand_over(
        batch, key=run.key, tag=run.tag, limit=limit, database=database, as_json=as_json
    )
    if cost:
        say(
            f"stichwerk job {job} shows the exact cost once all circuits are "
            "compiled; nothing is submitted that exceeds --max-cost or a budget"
        )
    say(f"stichwerk score --job {job} shows the score when it is done")


def score_of_job(number: int, database: str) -> dict[str, Any]:
    """Return the score that a job has led to.

    Raises:
        InputError: if there is none.
    """
    with Session(existing_records(database)) as session:
        job = find_job(session, number)
        why = f": {job.error}" if job.error else ""
        if job.kind != JobKind.BATCH:
            raise InputError(f"job {number} is no score; 'stichwerk score --queue' makes one")
        if job.result is None:
            raise InputError(f"job {number} is {job.state} and has no score yet{why}")
        if job.state != State.DONE:
            say(f"job {number} is {job.state}{why}")
        scores: list[dict[str, Any]] = job.result["scores"]
    if len(scores) != 1:
        raise InputError(
            f"job {number} has {how_many(len(scores), 'score')}; "
            f"'stichwerk result {number}' shows all"
        )
    return scores[0]
