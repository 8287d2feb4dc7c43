"""Finding a job by its number."""

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
