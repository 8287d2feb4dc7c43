"""Quarantine: a circuit that kills processes is put aside until a person has looked at it.

Deaths are counted with the order, so once for all jobs of the same circuit. The death of a sandbox
is the doing of the circuit in it: a second one in a row is the last. A worker that has died over an
order may as well have been stopped with its machine: only as many such deaths as a job may have
failures are enough.
"""

from datetime import timedelta

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from workers.clock import database_now
from workers.jobs.journal import back_off, fail
from workers.jobs.states import State
from workers.records.tables import Event, Job, Order
from workers.settings import Settings

MOST_DEATHS = 2
"""Deaths of sandboxes, in a row, of which the last one puts an order aside."""

OURS = (State.QUEUED, State.COMPILING, State.VERIFYING, State.SUBMITTING, State.RUNNING)
"""States in which a job may wait for a process of ours."""


def died(session: Session, job: Job, set_: Settings, reason: str) -> None:
    """Record that a sandbox has died over a job: try again, or put its order aside.

    Args:
        session: the job's.
        job: which is held; it belongs to an order.
        set_: how long to wait before the next try.
        reason: what was done, and how the process ended.
    """
    if _count(session, job) < MOST_DEATHS:
        back_off(session, job, set_, reason)
    else:
        _put_aside(session, job, reason)


def found_abandoned(session: Session, job: Job, set_: Settings) -> bool:
    """Count a worker that died while it simulated a job; tell whether that puts its order aside."""
    last = session.scalars(
        select(Event.detail).where(Event.job_id == job.id).order_by(Event.id.desc()).limit(1)
    ).first()
    # Whatever else ends a run is told in an event.
    return not last and died_perhaps(session, job, set_, f"simulating it on '{job.backend}'")


def died_perhaps(session: Session, job: Job, set_: Settings, doing: str) -> bool:
    """Count a worker that died over a job's order; tell whether that puts the order aside."""
    if job.order_digest is None or _count(session, job) < set_.most_failures:
        session.commit()
        return False
    _put_aside(session, job, f"{doing}: its workers have died")
    return True


def lived(session: Session, job: Job) -> None:
    """Forget deaths: the same has just been done without one. The next commit keeps that."""
    if job.order_digest is not None:
        session.connection().execute(
            update(Order).where(Order.digest == job.order_digest, Order.deaths > 0).values(deaths=0)
        )


def in_quarantine(session: Session, job: Job) -> bool:
    """Tell whether a job's order has been put aside; if so, let the job have failed for it."""
    if job.order_digest is None:
        return False
    since = select(Order.quarantined_at).where(Order.digest == job.order_digest)
    # What is changed with the next state is not written before that.
    if session.scalar(since, execution_options={"autoflush": False}) is None:
        return False
    fail_with(session, job, session.get_one(Order, job.order_digest, populate_existing=True))
    return True


def fail_with(session: Session, job: Job, order: Order) -> None:
    """Let a job have failed for the reason that its order cannot be carried out."""
    reason = order.error or "its circuit has been put aside"
    if order.quarantined_at is not None:
        job.quarantined = reason
    fail(session, job, reason)


def release(session: Session, order: Order) -> None:
    """Let an order go on that was put aside; the caller commits."""
    order.quarantined_at, order.deaths, order.error = None, 0, None


def _count(session: Session, job: Job) -> int:
    connection = session.connection()
    same = Order.digest == job.order_digest
    connection.execute(update(Order).where(same).values(deaths=Order.deaths + 1))
    return int(connection.scalar(select(Order.deaths).where(same)) or 0)


def _put_aside(session: Session, job: Job, reason: str) -> None:
    order = session.get_one(Order, job.order_digest, populate_existing=True)
    order.quarantined_at = at = database_now(session)
    order.error = (
        f"put aside, because it has ended {order.deaths} processes, the last one while {reason}; "
        "look at the circuit, and retry the job if it may go on"
    )
    session.connection().execute(
        update(Job)
        .where(
            Job.order_digest == order.digest,
            Job.state.in_(OURS),
            Job.asked_at.is_(None),
            Job.due_at.is_not(None),
            Job.id != job.id,
        )
        .values(due_at=at - timedelta(seconds=1))
    )
    fail_with(session, job, order)
