"""Polling of a provider for a job's status until its end, and for its charge.

Of a group only the leader is polled; the others follow it.

A job that has ended does not wait for its charge. When a provider is next asked for it is a column
of the row, which changes neither the job's state nor its version: others may score the job anew or
retry it meanwhile. Until the charge is known, the reservation stands.
"""

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from attrs import asdict
from sqlalchemy import Engine, select, update
from sqlalchemy.orm import Session

import backends
from backends import BackendError, Charge, PriceError, ProviderBackend
from compiler.errors import StichwerkError
from workers.accounts.budgets import charge, microusd
from workers.clock import database_now
from workers.jobs.journal import Passed, fail, move, note, note_once, quarantine, wait
from workers.jobs.states import FINAL, State
from workers.records.tables import Job
from workers.settings import Settings
from workers.stages.at_provider import doubt
from workers.stages.at_provider.groups import followers_of
from workers.stages.at_provider.provider import Provider
from workers.stages.context import StageContext, shared_backend

LOG = logging.getLogger("stichwerk.worker")

ASKED_FOR = timedelta(days=7)
"""After this time since a job has ended, its charge is not asked for again."""


def charge_of(provider: Provider, provider_id: str) -> Charge | None:
    """Return the charge of a job, None if its provider has not reported it."""
    try:
        return provider.ask(provider.backend.charge, provider_id)
    except (BackendError, PriceError):
        return None


def enter_charge(session: Session, job: Job, charged: Charge) -> None:
    """Replace a job's reservation by its charge, once; the caller commits."""
    session.connection().execute(
        update(Job)
        .where(Job.id == job.id)
        .values(usage_seconds=charged.seconds, charge_due_at=None)
    )
    if charged.usd is not None:
        charge(session, job, microusd(charged.usd))


def ask_for_charge(engine: Engine, set_: Settings, job_id: int | None = None) -> bool:
    """Ask a provider for a charge that is due to be asked for.

    Args:
        engine: of the database.
        set_: how long to wait before the provider is asked again.
        job_id: of which job; by default the one that has been due longest.

    Returns:
        whether a charge was entered.
    """
    with Session(engine, expire_on_commit=False) as session:
        job = _claimed(session, set_, job_id)
        if job is None:
            return False
        try:
            backend = shared_backend(job.backend)
        except StichwerkError as error:
            # A backend of another version, which its workers know.
            LOG.warning("job %s: its charge cannot be asked for: %s", job.id, error)
            return False
        assert isinstance(backend, ProviderBackend)
        provider = Provider(backend, job.backend, engine)
        charged = charge_of(provider, job.provider_id or "")
        if charged is None:
            return False
        enter_charge(session, job, charged)
        session.commit()
        return True


def _claimed(session: Session, set_: Settings, job_id: int | None) -> Job | None:
    """Return a job whose charge is due; it is due again after a pause, even after a crash."""
    at = database_now(session)
    due = select(Job).where(Job.charge_due_at <= at).order_by(Job.charge_due_at).limit(1)
    if job_id is not None:
        due = due.where(Job.id == job_id)
    job = session.scalars(due).one_or_none()
    if job is None:
        return None
    waited = at - (job.finished_at or job.state_since)
    again = _again(set_, at, waited)
    claimed = session.connection().execute(
        update(Job)
        .where(Job.id == job.id, Job.charge_due_at == job.charge_due_at)
        .values(charge_due_at=again)
    )
    if claimed.rowcount and again is None:
        note(
            session,
            job,
            "the provider has not reported the charge; the reservation remains",
        )
    session.commit()
    return job if claimed.rowcount else None


def _again(set_: Settings, at: datetime, waited: timedelta) -> datetime | None:
    """Return when to ask next: after as long as was waited already, within bounds."""
    if waited > ASKED_FOR:
        return None
    least, most = set_.poll_seconds, set_.outage_most_seconds
    return at + timedelta(seconds=min(max(least, waited.total_seconds()), most))


SLOWER = 10
"""A provider is asked about a job after a tenth of the time that it has had it."""

MAX_QUEUE_POSITION = 10**9

RESULT_TRIES = 3
"""Attempts in a row to fetch a result that is not there, before a user can give it up."""


def poll(context: StageContext, provider: Provider) -> bool:
    """Ask a provider about a job that it has; tell whether there is a result to be scored."""
    session, job = context.session, context.job
    if job.asks > 1:
        _keep_the_oldest(context, provider)
    if job.cancel_requested:
        if all(follower.state in FINAL for follower in followers_of(session, job)):
            _cancel(context, provider)
        else:
            note_once(
                session,
                job,
                "not cancelled at the provider: the provider job has circuits of other jobs",
            )
            session.commit()
    try:
        status = provider.ask(provider.backend.status, job.provider_id or "", job.key)
    except backends.ResultError as error:
        quarantine(session, job, str(error))
        return False
    except (backends.UnavailableError, backends.CredentialsError):
        raise
    except backends.BackendError as error:
        if job.cancel_requested:
            move(session, job, State.CANCELLED, f"its provider does not know it: {error}")
            return False
        raise
    _close_fence(context, provider)
    return _record(context, provider, status)


def follow(context: StageContext, provider: Provider) -> bool:
    """Let a job be where its leader is; tell whether there is a result to be scored."""
    session, job = context.session, context.job
    leader = session.get_one(Job, job.leader_id, populate_existing=True)
    has_result = session.scalar(select(Job.raw_result.is_not(None)).where(Job.id == leader.id))
    job.provider_state = leader.provider_state
    detail = f"with job {leader.id}"
    at_provider = None if job.state != State.SUBMITTING else Passed(State.AT_PROVIDER, detail)
    match State(leader.state):
        case State.SUBMITTING:
            pass
        case State.AT_PROVIDER | State.RUNNING as state:
            if job.state != state:
                move(
                    session, job, state, detail, by=at_provider if state is State.RUNNING else None
                )
        case _ if has_result:
            job.calibration = _calibration(context, provider)
            move(session, job, State.SCORING, by=at_provider)
            return True
        case State.CANCELLED | State.FAILED if leader.provider_id is None and not leader.doubtful:
            job.leader_id = None
        case State.CANCELLED:
            move(session, job, State.CANCELLED, f"{detail}, which is cancelled")
            return False
        case state:
            fail(session, job, f"{detail}, which is {state}: {leader.error}")
            return False
    wait(session, job, 0 if job.leader_id is None else context.settings.poll_most_seconds)
    return False


def _cancel(context: StageContext, provider: Provider) -> None:
    """Ask a provider to cancel a job; only the job's status says whether it did.

    Raises:
        UnavailableError: if the provider cannot be asked just now.
        CredentialsError: likewise.
    """
    job = context.job
    try:
        provider.ask(provider.backend.cancel, job.provider_id or "")
    except (backends.UnavailableError, backends.CredentialsError):
        raise
    except backends.BackendError as error:
        note_once(context.session, job, f"its provider refuses to cancel it: {error}")
        context.session.commit()


def _record(context: StageContext, provider: Provider, status: backends.JobStatus) -> bool:
    """Record a provider's status of a job; return whether there is a result to be scored.

    All calls come before the first write: a call may take long, and must hold no lock of the
    database.
    lock of the database.
    """
    session, job, provider_id = context.session, context.job, context.job.provider_id or ""
    done = status.state is backends.JobState.DONE
    ended = done or status.state in (backends.JobState.FAILED, backends.JobState.CANCELLED)
    raw_result, missing = None, None
    with session.no_autoflush:
        if done:
            try:
                raw_result = provider.ask(provider.backend.raw_result, provider_id)
            except backends.ResultError:
                raise
            except backends.BackendError as error:
                missing = _given_up(context, error)
        charged = charge_of(provider, provider_id) if ended else None
        calibration = _calibration(context, provider) if raw_result is not None else None
        executed = None
        if raw_result is not None:
            # A result without its program is a result.
            with suppress(backends.BackendError):
                executed = provider.ask(provider.backend.executed_program, provider_id, raw_result)
    job.failures = 0
    job.provider_state, job.queue_position = status.state, _place(status.queue_position)
    if charged is not None:
        enter_charge(session, job, charged)
    elif ended:
        pause = timedelta(seconds=context.settings.poll_seconds)
        job.charge_due_at = database_now(session) + pause
    match status.state:
        case backends.JobState.DONE if missing is not None:
            detail = f"it was done, but its result is lost; its cost is spent: {missing}"
            move(session, job, State.CANCELLED, detail)
            return False
        case backends.JobState.DONE:
            job.raw_result, job.calibration = raw_result, calibration
            job.executed_program = executed
            late = "it was done before it could be cancelled" if job.cancel_requested else ""
            move(session, job, State.SCORING, late)
            return True
        case backends.JobState.FAILED:
            fail(session, job, f"backend '{job.backend}' failed it: {status.detail or 'no reason'}")
            return False
        case backends.JobState.CANCELLED:
            reason = "" if job.cancel_requested else "not by this service"
            move(session, job, State.CANCELLED, reason)
            return False
        case backends.JobState.RUNNING if job.state == State.AT_PROVIDER:
            move(session, job, State.RUNNING)
    wait(session, job, _pause(context))
    return False


def _given_up(context: StageContext, error: backends.BackendError) -> backends.BackendError:
    """Return why the result of a job that is done is given up, as a user has asked for.

    Raises:
        BackendError: if it is asked for again.
    """
    job, is_gone = context.job, isinstance(error, backends.GoneError)
    tries = RESULT_TRIES if is_gone else context.settings.most_failures
    if job.cancel_requested and job.failures >= tries:
        return error
    if is_gone:
        raise backends.GoneError(
            f"its result is missing: {error}. If it does not arrive, cancel the job; its cost "
            "stays spent"
        ) from error
    raise error


def _keep_the_oldest(context: StageContext, provider: Provider) -> None:
    """Go on with the oldest of a job's twins, should one have come to light."""
    job = context.job
    oldest = doubt.the_one_there(context, provider)
    if oldest is not None and oldest != job.provider_id:
        note(context.session, job, f"continues as the older provider job {oldest}")
        job.provider_id = oldest
        context.session.commit()


def _close_fence(context: StageContext, provider: Provider) -> None:
    """Close a job's fence; nothing depends on that once the job is at its provider."""
    if context.job.fence is None:
        return
    try:
        provider.ask(provider.backend.close_fence, context.job.fence)
    except backends.BackendError:
        return
    context.job.fence = None


def _calibration(context: StageContext, provider: Provider) -> dict[str, Any] | None:
    """Return the device's errors as the provider reports them; no step depends on them."""
    try:
        calibration = provider.ask(provider.backend.calibration, context.circuit_job())
    except backends.BackendError:
        return None
    return None if calibration is None else asdict(calibration)


def _place(position: int | None) -> int | None:
    return position if position is not None and 0 <= position <= MAX_QUEUE_POSITION else None


def _pause(context: StageContext) -> float:
    job = context.job
    wanted = (
        database_now(context.session) - (job.asked_at or job.created_at)
    ).total_seconds() / SLOWER
    return min(max(context.settings.poll_seconds, wanted), context.settings.poll_most_seconds)
