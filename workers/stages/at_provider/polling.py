"""Asking a provider what has become of a job, until there is a result or none will come."""

from typing import Any

from attrs import asdict

from backends import (
    BackendError,
    Charge,
    CredentialsError,
    JobState,
    JobStatus,
    PriceError,
    ResultError,
    UnavailableError,
)
from workers.accounts.budgets import charge, microusd
from workers.clock import database_now
from workers.jobs.journal import fail, move, note, quarantine, wait
from workers.jobs.states import State
from workers.stages.at_provider import doubt
from workers.stages.at_provider.provider import Provider
from workers.stages.context import StageContext

SLOWER = 10
"""A provider is asked about a job after a tenth of the time that it has had it."""

MOST_QUEUE_POSITION = 10**9


def poll(context: StageContext, provider: Provider) -> bool:
    """Ask a provider about a job that it has; tell whether there is a result to be scored."""
    session, job = context.session, context.job
    if job.asks > 1:
        _keep_the_oldest(context, provider)
    provider_id = job.provider_id or ""
    try:
        if job.cancel_requested:
            provider.cancel(provider_id)
        status = provider.status(provider_id, job.key)
    except ResultError as error:
        quarantine(session, job, str(error))
        return False
    except (UnavailableError, CredentialsError):
        raise
    except BackendError as error:
        if job.cancel_requested:
            move(session, job, State.CANCELLED, f"its provider does not know it: {error}")
            return False
        raise
    _close_fence(context, provider)
    return _heard(context, provider, status)


def _heard(context: StageContext, provider: Provider, status: JobStatus) -> bool:
    """Record what a provider says of a job; tell whether there is a result to be scored.

    It is asked for everything before anything is written: a call may take long, and must hold no
    lock of the database.
    """
    session, job, provider_id = context.session, context.job, context.job.provider_id or ""
    done = status.state is JobState.DONE
    ended = done or status.state in (JobState.FAILED, JobState.CANCELLED)
    with session.no_autoflush:
        raw_result = provider.raw_result(provider_id) if done else None
        charged = _charged(provider, provider_id) if ended else None
        calibration = _calibration(context, provider) if done else None
    job.failures = 0
    job.provider_state, job.queue_position = status.state, _place(status.queue_position)
    if charged is not None:
        _charge(context, charged)
    match status.state:
        case JobState.DONE:
            job.raw_result, job.calibration = raw_result, calibration
            late = "it was done before it could be cancelled" if job.cancel_requested else ""
            move(session, job, State.SCORING, late)
            return True
        case JobState.FAILED:
            fail(session, job, f"backend '{job.backend}' failed it: {status.detail or 'no reason'}")
            return False
        case JobState.CANCELLED:
            asked = "" if job.cancel_requested else "not by this service"
            move(session, job, State.CANCELLED, asked)
            return False
        case JobState.RUNNING if job.state == State.AT_PROVIDER:
            move(session, job, State.RUNNING)
    wait(session, job, _pause(context))
    return False


def _keep_the_oldest(context: StageContext, provider: Provider) -> None:
    """Go on with the oldest of a job's twins, should one have come to light."""
    job = context.job
    oldest = doubt.the_one_there(context, provider)
    if oldest is not None and oldest != job.provider_id:
        note(context.session, job, job.state, f"goes on as {oldest}, which is older")
        job.provider_id = oldest
        context.session.commit()


def _close_fence(context: StageContext, provider: Provider) -> None:
    """Close a job's fence; nothing depends on that once the job is at its provider."""
    if context.job.fence is None:
        return
    try:
        provider.close_fence(context.job.fence)
    except BackendError:
        return
    context.job.fence = None


def _charged(provider: Provider, provider_id: str) -> Charge | None:
    """Return what a job was charged, None if its provider does not tell."""
    try:
        return provider.charge(provider_id)
    except (BackendError, PriceError):
        return None


def _charge(context: StageContext, told: Charge) -> None:
    """Let what a job was charged for take the place of its reservation."""
    context.job.usage_seconds = told.seconds
    if told.usd is not None:
        charge(context.session, context.job, microusd(told.usd))


def _calibration(context: StageContext, provider: Provider) -> dict[str, Any] | None:
    """Return what the provider tells of the device's errors; nothing depends on that."""
    try:
        told = provider.calibration(context.circuit_job())
    except BackendError:
        return None
    return None if told is None else asdict(told)


def _place(position: int | None) -> int | None:
    return position if position is not None and 0 <= position <= MOST_QUEUE_POSITION else None


def _pause(context: StageContext) -> float:
    job = context.job
    asked = (
        database_now(context.session) - (job.asked_at or job.created_at)
    ).total_seconds() / SLOWER
    return min(max(context.settings.poll_seconds, asked), context.settings.poll_most_seconds)
