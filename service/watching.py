"""Following a job until it has ended."""

from collections.abc import Mapping
from time import monotonic, sleep
from typing import Any

from sqlalchemy.orm import Session

from service.output import say
from workers.finding import find_job
from workers.job_lists import job_answer
from workers.records import Job, now
from workers.states import FINAL, State

LOOK_SECONDS = 0.25
QUIET_SECONDS = 20.0
"""After so long without news, a user is told what may be missing."""
QUIET = (
    f"no change for {QUIET_SECONDS:.0f} s; is a worker running? start one with 'stichwerk up' or "
    "'stichwerk worker'"
)


def watch(session: Session, job_id: int) -> dict[str, Any]:
    """Say on stderr what happens to a job until it has ended, and return all of it."""
    shown, told, since = 0, False, monotonic()
    while True:
        row = find_job(session, job_id)
        answer = job_answer(session, row)
        if len(answer["events"]) > shown:
            shown, since = _say_events(answer, shown), monotonic()
        if row.state in FINAL:
            return answer
        if not told and monotonic() - since >= QUIET_SECONDS and _idle(row):
            told = True
            say(QUIET)
        session.rollback()
        sleep(LOOK_SECONDS)


def _idle(job: Job) -> bool:
    """Tell whether a job waits for a worker: none has it, and neither has a provider."""
    held = job.lease_until is not None and job.lease_until > now()
    there = job.state == State.AT_PROVIDER or job.provider_id is not None
    return not held and not there


def _say_events(answer: Mapping[str, Any], shown: int) -> int:
    place = answer["queue_position"]
    for event in answer["events"][shown:]:
        number = f" (number {place} in the provider's queue)" if place else ""
        detail = f": {event['detail']}" if event["detail"] else ""
        say(f"{event['at'][11:19]} {event['state']}{number}{detail}")
    return len(answer["events"])
