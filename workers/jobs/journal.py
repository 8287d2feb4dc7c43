"""Every change of a job's state: checked, dated, committed at once, and then told.

A circuit that kills processes is put in quarantine until a person has looked at it. Deaths are
counted with the order, so once for all jobs of the same circuit. The death of a sandbox is the
doing of the circuit in it: a second one in a row is the last. A worker that has died over an order
may as well have been stopped with its machine: only as many such deaths as a job may have failures
are enough.
"""

from datetime import timedelta
from itertools import pairwise
from random import uniform

from attrs import frozen
from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from compiler.errors import StichwerkError
from workers.clock import database_now, database_time, pause_seconds
from workers.events import JobMoved, JobWillTryAgain, publish
from workers.jobs.states import FINAL, State, may_follow
from workers.logs import log_move, redacted
from workers.records.tables import Event, Job, Order
from workers.settings import Settings

MAX_TEXT = 2000
"""Characters of a reason that are kept."""

AGAIN = "will try again: "
"""Begin of an event about a failure that is retried."""


class TransitionError(StichwerkError):
    """A job cannot go from its state to the one it was to go to."""


@frozen
class Passed:
    """A state on a job's way.

    Args:
        state: the next one.
        detail: remark that is stored with the event.
    """

    state: State
    detail: str = ""


def move(
    session: Session, job: Job, state: State, detail: str = "", *, by: Passed | None = None
) -> None:
    """Change a job's state and commit all changes of the session.

    Args:
        session: the one that the job belongs to.
        job: as it was read; if its row has changed since, nothing is committed.
        state: the next one.
        detail: remark that is stored with the event.
        by: an intermediate state that is recorded in the same commit.

    Raises:
        TransitionError: if the state does not follow.
        sqlalchemy.orm.exc.StaleDataError: if the job's row has changed.
    """
    left, since, first_end = State(job.state), job.state_since, job.finished_at is None
    backend, created = job.backend, job.created_at
    entered = [Passed(state, detail)] if by is None else [by, Passed(state, detail)]
    for before, passed in pairwise([Passed(left), *entered]):
        if not may_follow(before.state, passed.state):
            raise TransitionError(
                f"job {job.id} is {before.state} and cannot become {passed.state}"
            )
    for passed in entered:
        note(session, job, passed.detail, passed.state)
    job.state, job.state_since, job.failures = state, database_time(), 0
    if state in FINAL:
        job.finished_at, job.due_at, job.progress = database_time(), None, None
        # The lease is gone: a worker that still holds it has lost the job.
        job.lease_owner = job.lease_until = None
    elif job.due_at is not None:
        job.due_at = database_time()
    session.flush()
    if state in FINAL and job.parent_id is not None:
        wake(session, Job.id == job.parent_id)
    if job.leader_id == job.id:
        wake(session, Job.leader_id == job.id, Job.id != job.id)
    at = job.state_since
    session.commit()
    for passed in entered:
        log_move(job.id, backend, left, passed.state, storable(passed.detail))
        ended = passed.state in FINAL and first_end
        lifetime = (at - created).total_seconds() if ended else None
        publish(JobMoved(backend, left, passed.state, (at - since).total_seconds(), lifetime))
        left, since = passed.state, at


def wake(session: Session, *jobs: ColumnElement[bool]) -> None:
    """Let waiting jobs be looked at now; not through their versions, for nothing changes."""
    waiting = update(Job).where(*jobs, Job.due_at.is_not(None))
    session.connection().execute(waiting.values(due_at=database_time()))


def note(session: Session, job: Job, detail: str, state: State | None = None) -> None:
    """Add an event of a job's state, or of another, which the next commit keeps."""
    session.add(Event(job=job, state=state or job.state, detail=storable(detail)))


def note_once(session: Session, job: Job, detail: str) -> None:
    """Add an event unless the job's last one says the same."""
    if not job.events or job.events[-1].detail != storable(detail):
        note(session, job, detail)


def storable(text: str) -> str:
    """Return a text without secrets, short, and of characters that every database keeps."""
    if not text:
        return text
    valid = text.replace("\0", "").encode("utf-8", "replace").decode()
    return redacted(valid)[:MAX_TEXT]


def fail(session: Session, job: Job, reason: str) -> None:
    """Let a job have failed, for a reason that a user can act on."""
    job.error = storable(reason)
    move(session, job, State.FAILED, reason)


def quarantine(session: Session, job: Job, reason: str) -> None:
    """Let a job have failed, and not go on before a person has looked at it."""
    job.quarantined = storable(reason)
    fail(session, job, reason)


def wait(session: Session, job: Job, seconds: float) -> None:
    """Let a job be opened again after a pause; a job outside the queue stays as it is."""
    if job.due_at is not None:
        job.due_at = database_time(seconds)
    session.commit()


def back_off(
    session: Session,
    job: Job,
    set_: Settings,
    reason: str,
    *,
    least: float | None = None,
    for_ever: bool = False,
) -> None:
    """Count a failure that is retried, and double the pause; after too many, the job fails.

    Args:
        session: the one that the job belongs to.
        job: as it was read.
        set_: with pauses and the limit of failures.
        reason: what happened.
        least: seconds to wait at least, up to the longest pause of an outage.
        for_ever: whether the job never fails of this. A job that its provider may have ends
            only by the provider or by a user.
    """
    job.failures += 1
    for_ever = for_ever or job.may_be_there
    if job.failures >= set_.most_failures and not for_ever:
        fail(session, job, f"{reason} ({job.failures} times in a row while {job.state})")
        return
    note_once(session, job, f"{AGAIN}{reason}")
    backend, state = job.backend, State(job.state)
    most = set_.outage_most_seconds if for_ever else set_.backoff_most_seconds
    pause = pause_seconds(job.failures, set_.backoff_seconds, most)
    # Half of it is random, so that jobs that failed together do not come back together.
    wait(session, job, max(min(least or 0.0, set_.outage_most_seconds), pause * uniform(0.5, 1.0)))
    publish(JobWillTryAgain(backend, state))


MAX_DEATHS = 2
"""Deaths of sandboxes, in a row, of which the last one puts an order aside."""

OURS = (State.QUEUED, State.COMPILING, State.VERIFYING, State.SUBMITTING, State.RUNNING)
"""States in which a job may wait for a process of ours."""


def died(session: Session, job: Job, set_: Settings, reason: str) -> None:
    """Record that a sandbox has died over a job: retry it, or set its order aside.

    Args:
        session: the job's.
        job: which is held; it belongs to an order.
        set_: with the pause before the next try.
        reason: the step, and how the process ended.
    """
    if _count(session, job) < MAX_DEATHS:
        back_off(session, job, set_, reason)
    else:
        _put_aside(session, job, reason)


def found_abandoned(session: Session, job: Job, set_: Settings) -> bool:
    """Count a worker that died while it simulated a job; tell whether that puts its order aside."""
    last = session.scalars(
        select(Event.detail).where(Event.job_id == job.id).order_by(Event.id.desc()).limit(1)
    ).first()
    # Every other end of a run is recorded in an event.
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
    """Return whether a job's order was set aside; if so, let the job fail for it."""
    if job.order_digest is None:
        return False
    since = select(Order.quarantined_at).where(Order.digest == job.order_digest)
    # Changes for the next state are not written before that.
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
        f"in quarantine, because it has ended {order.deaths} processes, the last one while "
        f"{reason}; check the circuit, then run 'stichwerk retry'"
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
