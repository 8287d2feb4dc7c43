"""The command `job`."""

from time import sleep
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from service.cli.options import Json, ServiceDatabase
from service.cli.output.printing import print_json, say
from service.cli.queue.existing_jobs import JobId, existing_records, job_number
from service.cli.queue.tables import print_job, result_line
from service.results.jobs.details import JobDetails
from workers.clock import database_now
from workers.jobs.lookup import find_job
from workers.jobs.states import FINAL, State, queue_of
from workers.queue.fairness import is_local
from workers.queue.heartbeats import listeners, nobody_listens, runners
from workers.records.tables import Job

LOOK_SECONDS = 0.25


def job_command(
    *,
    job: JobId,
    watch: Annotated[bool, typer.Option("--watch", help="Follow it until it has ended.")] = False,
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> int:
    """Show where a job is, what it has been through, and how long each stage took.

    With --watch the exit code is 0 if the job is done in the end, else 1.

    Example: `stichwerk job 12 --watch`
    """
    number = job_number(job, "job")
    with Session(existing_records(database)) as session:
        details = (
            follow_job(session, number)
            if watch
            else JobDetails.of_job(session, find_job(session, number))
        )
    if as_json:
        print_json(details)
    else:
        print_job(details)
    if watch:
        say(result_line(details))
    return int(watch and details.state != State.DONE)


def follow_job(session: Session, job_id: int) -> JobDetails:
    """Say on stderr what happens to a job until it has ended, and return all of it."""
    shown, shown_missing = 0, ""
    while True:
        row = find_job(session, job_id)
        details = JobDetails.of_job(session, row)
        if len(details.events) > shown:
            shown = _say_events(details, shown)
        if row.state in FINAL:
            return details
        if (missing := _nobody_listens(session, row)) != shown_missing:
            shown_missing = missing
            if missing:
                say(missing)
        session.rollback()
        sleep(LOOK_SECONDS)


def _nobody_listens(session: Session, job: Job) -> str:
    """Return that nobody listens to the queue of a job's next work; nothing if somebody does.

    A worker that has the job is there, also if it is of a version that says nothing of itself.
    """
    queue = queue_of(State(job.state), local=is_local(job.backend))
    held = job.lease_until is not None and job.lease_until > database_now(session)
    if queue is None or held or listeners(runners(session))[queue]:
        return ""
    return nobody_listens(queue)


def _say_events(details: JobDetails, shown: int) -> int:
    place = details.queue_position
    for event in details.events[shown:]:
        number = f" (number {place} in the provider's queue)" if place else ""
        detail = f": {event.detail}" if event.detail else ""
        say(f"{event.at:%H:%M:%S} {event.state}{number}{detail}")
    return len(details.events)
