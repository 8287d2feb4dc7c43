"""Jobs by their numbers and keys."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.errors import InputError
from workers.records.tables import Job


class UnknownJobError(InputError):
    """There is no such job."""


def find_job(session: Session, job_id: int) -> Job:
    """Return a job, read afresh.

    Raises:
        UnknownJobError: if there is none.
    """
    # A larger number fits in no database's integers.
    job = session.get(Job, job_id, populate_existing=True) if 0 < job_id < 2**31 else None
    if job is None:
        raise UnknownJobError(f"there is no job {job_id}; 'stichwerk jobs' lists them")
    return job


def keyed_job(session: Session, key: str) -> Job | None:
    """Return the job with a key as its row has it, or the one that has taken its place."""
    result = session.scalars(select(Job).where(Job.idempotency_key == key)).one_or_none()
    again = result
    while again is not None:
        result = again
        again = session.scalars(select(Job).where(Job.retry_of == result.id)).one_or_none()
    return result
