"""Jobs by their numbers and keys.

Keys by which providers know jobs that follow from another job's.

They are the first 32 hexadecimal digits of the SHA-256 of a text in ASCII:

- `round KEY PLACE`: the job at a place, counted from 0, among those under the job with a key
- `retry KEY`: the job that takes the place of one that its provider has failed or cancelled

A job that is lost when records are restored is thus recorded anew under the same key, and found at
its provider. Keys of all other jobs are random.
"""

from hashlib import sha256

from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.errors import InputError
from workers.records.database import address_of
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
        where = address_of(session.get_bind().engine)
        raise UnknownJobError(
            f"there is no job {job_id} in {where}; 'stichwerk jobs' lists the jobs, --database "
            "selects another database"
        )
    return job


def keyed_job(session: Session, key: str) -> Job | None:
    """Return the job with a key as its row has it, or the one that has taken its place."""
    result = session.scalars(select(Job).where(Job.idempotency_key == key)).one_or_none()
    again = result
    while again is not None:
        result = again
        again = session.scalars(select(Job).where(Job.retry_of == result.id)).one_or_none()
    return result


DIGITS = 32


def round_key(parent: str, place: int) -> str:
    """Return the key of the job at a place among those under a job with a key."""
    return _derived(f"round {parent} {place}")


def retry_key(ended: str) -> str:
    """Return the key of the job that takes the place of one with a key."""
    return _derived(f"retry {ended}")


def _derived(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()[:DIGITS]
