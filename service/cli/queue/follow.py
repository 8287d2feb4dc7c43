"""Following a job until it has ended."""

from time import sleep

from sqlalchemy.orm import Session

from service.cli.output.printing import say
from service.results.jobs.details import JobDetails
from workers.clock import database_now
from workers.jobs.lookup import find_job
from workers.jobs.states import FINAL, State, queue_of
from workers.queue.fairness import is_local
from workers.queue.heartbeats import listeners, nobody_listens, runners
from workers.records.tables import Job

LOOK_SECONDS = 0.25


def watch(session: Session, job_id: int) -> JobDetails:
    """Say on stderr what happens to a job until it has ended, and return all of it."""
    shown, told = 0, ""
    while True:
        row = find_job(session, job_id)
        details = JobDetails.of_job(session, row)
        if len(details.events) > shown:
            shown = _say_events(details, shown)
        if row.state in FINAL:
            return details
        if (missing := _missing(session, row)) != told:
            told = missing
            if missing:
                say(missing)
        session.rollback()
        sleep(LOOK_SECONDS)


def _missing(session: Session, job: Job) -> str:
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
