"""Who runs, how providers answer, and which jobs do not go on."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import frozen
from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from service.report.reading.limits import MOST_FAILED
from workers.clock import database_now
from workers.queue.heartbeats import Runner, listeners, runners
from workers.records.tables import Job
from workers.settings import Settings
from workers.stages.at_provider.health import Answering, answering
from workers.status.waiting import Reason, Stuck, stuck_jobs, waiting_jobs


@frozen
class ServiceHealth:
    """What stands in the way of jobs, when the report was made.

    Args:
        at: by the database's clock.
        runners: who had been heard of lately.
        providers: how they answered.
        stuck: jobs that did not go on, by reason.
        quarantined: numbers, programs, backends, reasons and times of the newest jobs that a
            person must look at.
    """

    at: datetime
    runners: Sequence[Runner]
    providers: Sequence[Answering]
    stuck: Mapping[Reason, Stuck]
    quarantined: Sequence[Row[int, str, str, str | None, datetime]]


def read_service_health(session: Session) -> ServiceHealth:
    """Read it, of all jobs."""
    at = database_now(session)
    known, providers = runners(session), answering(session)
    waiting = waiting_jobs(session, Settings())
    busy = {one.queue for one in waiting if one.held}
    unattended = {queue for queue, number in listeners(known).items() if not number} - busy
    columns = (Job.id, Job.program, Job.backend, Job.quarantined, Job.state_since)
    held = select(*columns).where(Job.quarantined.is_not(None)).order_by(Job.id.desc())
    return ServiceHealth(
        at,
        known,
        providers,
        stuck_jobs(session, waiting, providers, unattended, at),
        session.execute(held.limit(MOST_FAILED)).all(),
    )
