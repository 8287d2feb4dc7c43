"""The commands that change jobs: `cancel`, `retry` and `rescore`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import typer
from sqlalchemy.orm import Session

from compiler.errors import StichwerkError
from service.job_tables import change_words
from service.options import Json, ServiceDatabase
from service.output import print_json, say
from service.recorded_jobs import JobIds, existing_records, job_number
from workers.advance import Worker
from workers.budgets import microusd
from workers.control import cancel, rescore, retry
from workers.finding import find_job
from workers.job_lists import job_answer
from workers.records import Job
from workers.settings import dollars, settings
from workers.states import Queue, State

Change = Callable[[Session, int], tuple[Job, Mapping[str, Any]]]
"""What is done to a job: returns the job, and what else is told of it."""


def cancel_command(*, job: JobIds, database: ServiceDatabase = "", as_json: Json = False) -> int:
    """Cancel jobs, also at their provider.

    A job that the provider has is cancelled there by a worker; `stichwerk job ID --watch` tells
    whether it came in time.

    Example: `stichwerk cancel 12 13`
    """
    return _each(job, "cancel", lambda session, job_id: (cancel(session, job_id), {}), database,
                 as_json)  # fmt: skip


def retry_command(
    *,
    job: JobIds,
    max_cost: Annotated[
        str, typer.Option(help="What each may cost from now on, such as 5USD; else as before.")
    ] = "",
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> int:
    """Let jobs that have failed or were cancelled go on where they stopped.

    What a provider has accepted is not submitted again. If the provider itself ended the job, a
    new one takes its place, which may cost again.

    Examples:
    - `stichwerk retry 12`

    - `stichwerk retry 12 --max-cost 5USD`
    """
    limit = microusd(dollars(max_cost)) if max_cost else None

    def retried(session: Session, job_id: int) -> tuple[Job, Mapping[str, Any]]:
        if limit is not None:
            find_job(session, job_id).max_cost_microusd = limit
            # Kept if the job is retried, and only then; retrying reads the row again.
            session.flush()
        return retry(session, job_id), {}

    return _each(job, "retry", retried, database, as_json)


def rescore_command(*, job: JobIds, database: ServiceDatabase = "", as_json: Json = False) -> int:
    """Compute scores again from the stored raw results, here and now.

    Example: `stichwerk rescore 12`
    """
    engine = existing_records(database)

    def rescored(session: Session, job_id: int) -> tuple[Job, Mapping[str, Any]]:
        before = job_answer(session, find_job(session, job_id))["scores"]
        rescore(session, job_id)
        Worker(engine, settings(), {Queue.SCORE}).advance(job_id)
        found = find_job(session, job_id)
        return found, {"before": before, "scores": job_answer(session, found)["scores"]}

    return _each(job, "rescore", rescored, database, as_json)


def _each(jobs: Sequence[str], command: str, change: Change, database: str, as_json: bool) -> int:
    """Change jobs one after the other; one that refuses does not hold up the others."""
    answers, refused = [], 0
    numbers = [job_number(job, command) for job in jobs]
    with Session(existing_records(database)) as session:
        for job_id in numbers:
            find_job(session, job_id)
        for job_id in numbers:
            try:
                changed, more = change(session, job_id)
            except StichwerkError as error:
                session.rollback()
                refused += 1
                say(f"stichwerk: {error}")
                continue
            answers.append({**_answer(changed, job_id), **more})
    if as_json:
        print_json({"jobs": answers})
    else:
        for answer in answers:
            print(_line(answer))
    return int(refused > 0)


def _line(answer: Mapping[str, Any]) -> str:
    instead = "" if answer["retry_of"] is None else f" instead of {answer['retry_of']}"
    asked = ", to be cancelled at its provider" if answer["cancel_requested"] else ""
    why = f": {answer['error']}" if answer["error"] else ""
    scored = answer["state"] == State.DONE and "before" in answer
    scores = change_words(answer["before"], answer["scores"]) if scored else ""
    return f"job {answer['id']}{instead}: {answer['state']}{asked}{why}{scores}"


def _answer(job: Job, asked: int) -> dict[str, Any]:
    return {
        "id": job.id,
        "state": job.state,
        "error": job.error,
        "cancel_requested": job.cancel_requested,
        "retry_of": job.retry_of if job.id != asked else None,
    }
