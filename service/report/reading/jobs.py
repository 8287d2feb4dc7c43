"""The newest jobs with all that is known of them."""

from attrs import frozen
from sqlalchemy import func, select
from sqlalchemy.orm import Session, selectinload

from service.report.reading.compiled import Compiled, read_compiled_of
from service.report.reading.limits import MOST_JOBS
from workers.records.queries.scope import Scope
from workers.records.rounds import NO_ROUND
from workers.records.tables import Job


@frozen(eq=False)
class JobFacts:
    """A job.

    Args:
        row: its record, with its scores and events.
        compiled: what ran; None if nothing was chosen yet.
    """

    row: Job
    compiled: Compiled | None


def read_jobs(session: Session, scope: Scope) -> tuple[list[JobFacts], int]:
    """Return the newest jobs that are no rounds of estimates, and how many there are in all."""
    rows = scope.jobs(select(Job).where(NO_ROUND)).order_by(Job.id.desc()).limit(MOST_JOBS)
    number = scope.jobs(select(func.count()).select_from(Job).where(NO_ROUND))
    loaded = (selectinload(Job.scores), selectinload(Job.events))
    jobs = list(session.scalars(rows.options(*loaded)))
    ids = {job.compilation_id for job in jobs if job.compilation_id is not None}
    compiled = read_compiled_of(session, ids)
    facts = [JobFacts(job, compiled.get(job.compilation_id or 0)) for job in jobs]
    return facts, session.execute(number).scalar_one()
