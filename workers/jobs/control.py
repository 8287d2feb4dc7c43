"""Control of jobs by users: cancel, retry, rescore."""

from collections.abc import Sequence
from contextlib import suppress

from sqlalchemy import ColumnElement, and_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased
from sqlalchemy.orm.exc import StaleDataError

from compiler.errors import StichwerkError
from workers.accounts.budgets import give_back
from workers.clock import database_now, database_time
from workers.jobs.journal import move, note, release
from workers.jobs.lookup import find_job, retry_key
from workers.jobs.states import FINAL, OPEN, State
from workers.records.tables import Job, Order

ENDED_THERE = (State.FAILED, State.CANCELLED)
"""States at a provider in which nothing comes of a job; `backends.JobState` has the same words."""


class RefusedError(StichwerkError):
    """A job is in a state in which this cannot be done to it."""


def cancel(session: Session, job_id: int) -> Job:
    """Cancel a job, also at its provider, and with it all of its rounds.

    A job that its provider may have is marked, and the next worker that opens it cancels it there;
    all others end at once. A reservation is given back only if the provider was never called.
    The provider job of a group goes on until all of its jobs are cancelled.

    Raises:
        UnknownJobError: if there is no such job.
        RefusedError: if it has ended already.
    """
    while True:
        job = find_job(session, job_id)
        if job.state in FINAL:
            raise RefusedError(f"job {job_id} is {job.state} already")
        if job.cancel_requested:
            return job
        try:
            if not job.may_be_there:
                if job.asked_at is None:
                    give_back(session, job)
                move(session, job, State.CANCELLED)
                _cancel_rounds(session, job)
                return job
        except StaleDataError:
            session.rollback()
            continue
        # Not through the row's version: that would discard the result of a worker's current step.
        marked = session.connection().execute(
            update(Job)
            .where(Job.id == job_id, Job.state == job.state, Job.asked_at.is_not(None))
            .values(cancel_requested=True, due_at=database_time())
        )
        if marked.rowcount:
            note(session, job, "cancellation requested")
            session.commit()
            return find_job(session, job_id)
        session.rollback()


def _cancel_rounds(session: Session, parent: Job) -> None:
    if not parent.is_parent:
        return
    rounds = select(Job.id).where(Job.parent_id == parent.id, Job.state.in_(OPEN)).order_by(Job.id)
    for round_id in session.scalars(rounds).all():
        with suppress(RefusedError):
            cancel(session, round_id)


def retry(session: Session, job_id: int) -> Job:
    """Continue a job that has failed or was cancelled where it stopped.

    A job that its provider has accepted is not submitted again. If the provider itself ended the
    job, only a new one can bring a result: it is recorded, compiled already, and returned. A job
    whose command ran it without a queue and died is taken up, too.

    Raises:
        UnknownJobError: if there is no such job.
        RefusedError: if it has not failed.
    """
    job = find_job(session, job_id)
    if _abandoned(session, job):
        job.due_at = database_now(session)
        note(session, job, "taken up by the queue")
        session.commit()
        return job
    if job.state not in (State.FAILED, State.CANCELLED):
        raise RefusedError(f"job {job_id} is {job.state}: only failed jobs can be retried")
    if job.provider_state in ENDED_THERE:
        return _again(session, job)
    if job.is_parent:
        _retry_rounds(session, job)
    leader = job.provider_job
    if job.follows and leader.state in ENDED_THERE and leader.provider_state not in ENDED_THERE:
        retry(session, leader.id)
    if job.order_digest is not None:
        release(session, session.get_one(Order, job.order_digest))
    job.error, job.quarantined, job.refusal, job.doubt_clocks = None, None, None, None
    job.cancel_requested, job.finished_at, job.due_at = False, None, database_now(session)
    move(session, job, _resumed(job), "retried")
    return job


def _retry_rounds(session: Session, parent: Job) -> None:
    again = select(Job.retry_of).where(Job.retry_of.is_not(None))
    failed = select(Job.id).where(
        Job.parent_id == parent.id,
        Job.state.in_((State.FAILED, State.CANCELLED)),
        Job.id.not_in(again),
    )
    for round_id in session.scalars(failed.order_by(Job.id)).all():
        retry(session, round_id)


def rescore(session: Session, job_id: int) -> Job:
    """Score a job again from its raw result, with the rules of now.

    Raises:
        UnknownJobError: if there is no such job.
        RefusedError: if it has brought back nothing that could be scored.
    """
    job = find_job(session, job_id)
    if job.state not in FINAL or (job.raw_result is None and job.counts is None):
        raise RefusedError(f"job {job_id} is {job.state} and has no result to score")
    job.due_at, job.quarantined = database_now(session), None
    job.compiled.unscored = None
    move(session, job, State.SCORING, "to be scored again")
    return job


def _abandoned(session: Session, job: Job) -> bool:
    """Return whether a job has no worker, and will have none."""
    held = job.lease_until is not None and job.lease_until > database_now(session)
    return job.state not in FINAL and job.due_at is None and not held


def _resumed(job: Job) -> State:
    if job.provider_id is not None:
        return State.AT_PROVIDER
    if job.counts is not None:
        return State.SCORING
    return _begun(job)


def _begun(job: Job) -> State:
    """Return where a job begins whose circuit may be there already."""
    ready = job.compilation is not None and job.compilation.ready
    return State.SUBMITTING if ready else State.QUEUED


def _again(session: Session, job: Job) -> Job:
    again = job.another(
        parent_id=job.parent_id,
        key=retry_key(job.key),
        retry_of=job.id,
        # Unique: a second retry of the same job at the same time is refused by the database.
        idempotency_key=f"retry:{job.id}",
        state=_begun(job),
        due_at=database_now(session),
    )
    session.add(again)
    try:
        session.flush()
    except IntegrityError:
        session.rollback()
        raise _refused_again(session, job.id) from None
    note(session, again, f"instead of job {job.id}")
    note(session, job, f"continues as job {again.id}")
    session.commit()
    return again


def _refused_again(session: Session, job_id: int) -> RefusedError:
    other = session.scalars(select(Job).where(Job.retry_of == job_id)).one()
    return RefusedError(
        f"job {job_id} continues as job {other.id}, which is {other.state}: retry that job"
    )


CANCELLABLE = tuple(state for state in State if state not in FINAL)
RETRIABLE = (State.FAILED, State.CANCELLED)


def to_cancel(session: Session, states: Sequence[State], tag: str | None) -> Sequence[int]:
    """Return the jobs of states and a tag that are to be cancelled, the oldest first.

    Those that are to be cancelled at their provider already are left out.
    """
    return _selected_jobs(session, states, tag, ~Job.cancel_requested)


def to_retry(session: Session, states: Sequence[State], tag: str | None) -> Sequence[int]:
    """Return the jobs of states and a tag that are to be retried, the oldest first.

    Those that go on as another job already are left out, and so are those in quarantine, each of
    which a person must look at.
    """
    later = aliased(Job)
    goes_on = select(later.id).where(later.retry_of == Job.id).exists()
    return _selected_jobs(session, states, tag, and_(~goes_on, Job.quarantined.is_(None)))


def _selected_jobs(
    session: Session, states: Sequence[State], tag: str | None, condition: ColumnElement[bool]
) -> Sequence[int]:
    query = select(Job.id).where(Job.state.in_(states), condition).order_by(Job.id)
    return session.scalars(query if tag is None else query.where(Job.tag == tag)).all()
