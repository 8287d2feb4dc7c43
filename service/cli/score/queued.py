"""Handing a score to the workers, and showing what came of it."""

from decimal import Decimal
from typing import Any

from sqlalchemy.orm import Session

from compiler.errors import InputError
from compiler.words.plurals import how_many
from service.cli.output.printing import say
from service.cli.queue.existing_jobs import existing_records
from service.cli.queue.sending import print_submitted, send_or_say, unattended_queues
from workers.batches.batch import Batch
from workers.batches.submitting import least_cost_of, submit_batch
from workers.jobs.lookup import find_job
from workers.jobs.states import JobKind, Queue, State
from workers.records.database import open_database
from workers.score.planning import ScoreRun, planned_part
from workers.settings import settings


def hand_over(
    run: ScoreRun, seed: int, limit: Decimal | None, database: str, *, as_json: bool
) -> None:
    """Record a score as a job whose parts are jobs, and tell workers and user of it."""
    set_ = settings()
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
    with Session(open_database(database or set_.database)) as session:
        job = submit_batch(session, set_, batch, key=run.key, tag=run.tag, max_cost_usd=limit)
        job_id, state = job.id, State(job.state)
        unattended = unattended_queues(session, [run.backend])
        new = [job_id] if state == State.QUEUED else []
    send_or_say([job_id], Queue.COMPILE, unattended)
    print_submitted({job_id: state}, new, cost, as_json=as_json)
    if cost:
        say(
            f"what it costs exactly is told by 'stichwerk job {job_id}' once all of it is "
            "compiled, and nothing is submitted that exceeds --max-cost or a budget"
        )
    say(f"stichwerk score --job {job_id} shows the score when it is done")


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
