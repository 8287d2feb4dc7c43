"""Jobs by their numbers and keys, and the orders of their rows."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.errors import InputError
from games.sources import Source
from workers.compilation.orders import CompileOrder, order_from_json
from workers.records.tables import Job, Order


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
    found = session.scalars(select(Job).where(Job.idempotency_key == key)).one_or_none()
    again = found
    while again is not None:
        found = again
        again = session.scalars(select(Job).where(Job.retry_of == found.id)).one_or_none()
    return found


def stored_order(order: Order) -> CompileOrder:
    """Return what a row says is to be compiled."""
    source = Source(order.program, order.source, order.expected or b"")
    return order_from_json(source, order.target, order.options)
