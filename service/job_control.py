"""The commands that change jobs: `cancel`, `retry` and `rescore`."""

from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from compiler.errors import StichwerkError
from service.options import Json, ServiceDatabase
from service.output import print_json, say
from workers.advance import Worker
from workers.control import cancel, rescore, retry
from workers.database import open_database
from workers.finding import find_job
from workers.records import Job
from workers.settings import settings
from workers.states import Queue

JobIds = Annotated[
    list[int], typer.Argument(metavar="ID...", min=1, help="Jobs.", show_default=False)
]


def cancel_command(*, job: JobIds, database: ServiceDatabase = "", as_json: Json = False) -> int:
    """Cancel jobs, also at their provider.

    A job that the provider has is cancelled there by a worker; `stichwerk job ID --watch` tells
    whether it came in time.

    Example: `stichwerk cancel 12 13`
    """
    return _each(job, cancel, database, as_json)


def retry_command(*, job: JobIds, database: ServiceDatabase = "", as_json: Json = False) -> int:
    """Let jobs that have failed or were cancelled go on where they stopped.

    What a provider has accepted is not submitted again. If the provider itself ended the job, a
    new one takes its place, which may cost again.

    Example: `stichwerk retry 12`
    """
    return _each(job, retry, database, as_json)


def rescore_command(*, job: JobIds, database: ServiceDatabase = "", as_json: Json = False) -> int:
    """Compute scores again from the stored raw results, here and now.

    Example: `stichwerk rescore 12`
    """
    engine = open_database(database or settings().database)

    def rescored(session: Session, job_id: int) -> Job:
        rescore(session, job_id)
        Worker(engine, settings(), {Queue.SCORE}).advance(job_id)
        return find_job(session, job_id)

    return _each(job, rescored, database, as_json)


def _each(
    jobs: Sequence[int],
    change: Callable[[Session, int], Job],
    database: str,
    as_json: bool,
) -> int:
    """Change jobs one after the other; one that refuses does not hold up the others."""
    answers, refused = [], 0
    with Session(open_database(database or settings().database)) as session:
        for job_id in jobs:
            find_job(session, job_id)
        for job_id in jobs:
            try:
                changed = change(session, job_id)
            except StichwerkError as error:
                refused += 1
                say(f"stichwerk: {error}")
                continue
            answers.append(_answer(changed, job_id))
    if as_json:
        print_json({"jobs": answers})
    else:
        for answer in answers:
            instead = "" if answer["retry_of"] is None else f" instead of {answer['retry_of']}"
            asked = ", to be cancelled at its provider" if answer["cancel_requested"] else ""
            print(f"job {answer['id']}{instead}: {answer['state']}{asked}")
    return int(refused > 0)


def _answer(job: Job, asked: int) -> dict[str, object]:
    return {
        "id": job.id,
        "state": job.state,
        "cancel_requested": job.cancel_requested,
        "retry_of": job.retry_of if job.id != asked else None,
    }
