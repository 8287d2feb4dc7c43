"""Running a compiled circuit: here, or at a provider that is paid once at most."""

from contextlib import suppress
from time import perf_counter

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm.exc import StaleDataError

from backends import (
    BackendError,
    CredentialsError,
    JobState,
    JobStatus,
    LocalBackend,
    PriceError,
    ProviderBackend,
    ResultError,
    UnavailableError,
)
from workers.budgets import BudgetError, charge, give_back, microusd, reserve, reserve_anyway
from workers.clock import database_now
from workers.journal import fail, move, note, note_once, quarantine, wait
from workers.leases import LeaseLostError, UnconfirmedError
from workers.metrics.recording import reserved
from workers.simulation import simulated
from workers.stages import doubt
from workers.stages.desk import Desk
from workers.stages.provider import Provider
from workers.states import State

SLOWER = 10
"""A provider is asked about a job after a tenth of the time that it has had it."""

MOST_QUEUE_POSITION = 10**9


def run(desk: Desk) -> bool:
    """Run a job's circuit on this machine, or go on with it at its provider."""
    backend = desk.backend
    if isinstance(backend, LocalBackend):
        return _run_here(desk, backend)
    assert isinstance(backend, ProviderBackend)
    if _is_elsewhere(desk, backend):
        return False
    spec = desk.job.backend
    engine = desk.session.get_bind().engine
    provider = Provider(backend, spec.partition(":")[0], spec, engine)
    # No transaction stands still while a provider is asked.
    desk.session.commit()
    if desk.job.state == State.SUBMITTING:
        return _submit(desk, provider)
    return _poll(desk, provider)


def _is_elsewhere(desk: Desk, backend: ProviderBackend) -> bool:
    """Tell whether a job was submitted where this worker cannot look for it.

    Elsewhere it would seem not to be there. It is left to workers that are led to where it is.
    """
    job, here = desk.job, backend.address()
    if job.asked_at is None or here == job.provider_address:
        return False
    note_once(
        desk.session,
        job,
        f"it was submitted to {job.provider_address or 'the real provider'}, but a worker is led "
        f"to {here or 'the real provider'}: start one with the variables of then",
    )
    wait(desk.session, job, desk.settings.poll_most_seconds)
    return True


def _run_here(desk: Desk, backend: LocalBackend) -> bool:
    session, job = desk.session, desk.job
    again = job.state == State.RUNNING
    if not again:
        move(session, job, State.RUNNING)
    started = perf_counter()
    counts = simulated(desk, backend, again=again)
    if counts is None:
        return False
    job.run_seconds = perf_counter() - started
    job.counts = {str(outcome): n for outcome, n in counts.items() if n}
    move(session, job, State.SCORING)
    return True


def _submit(desk: Desk, provider: Provider) -> bool:
    """Hand a job over, unless its provider has it already.

    That the provider is about to be asked is committed before it is; see `workers.stages.doubt`
    for what becomes of a job that is found with that mark.
    """
    session, job = desk.session, desk.job
    if job.asked_at is not None and not _known_not_to_be_there(desk, provider):
        return False
    if job.cancel_requested:
        give_back(session, job)
        move(session, job, State.CANCELLED, "the provider never had it")
        return False
    if job.refusal is not None:
        give_back(session, job)
        fail(session, job, job.refusal)
        return False
    return _ask(desk, provider)


def _known_not_to_be_there(desk: Desk, provider: Provider) -> bool:
    """Look for a job that its provider may have; tell whether it is certain that it has not."""
    session, job = desk.session, desk.job
    doubt.begin(desk, provider)
    # Not after it is looked for, which takes its time.
    left = doubt.unsettled_seconds(desk)
    session.commit()
    provider_id = doubt.the_one_there(desk, provider)
    if provider_id is not None:
        _accepted(desk, provider_id, "the provider has it already")
        return False
    if left > 0:
        note_once(session, job, "looked for at the provider, which may have it")
        wait(session, job, min(left, desk.settings.settle_seconds / doubt.LOOKS))
        return False
    return True


def _ask(desk: Desk, provider: Provider) -> bool:
    session, job = desk.session, desk.job
    circuit_job = desk.circuit_job()
    cost = 0
    if job.submitted_at is None:
        cost = microusd(provider.backend.estimated_cost_usd(circuit_job))
    # Before anything is reserved: nobody who reserves waits for a provider of another's.
    fence = provider.fence()
    if job.submitted_at is None:
        try:
            reserve(session, desk.settings, job, cost)
        except BudgetError as error:
            session.rollback()
            fail(session, job, str(error))
            with suppress(BackendError):
                doubt.close(provider, fence)
            return False
    job.fence, job.doubted, job.asks = fence, None, job.asks + 1
    job.asked_at, job.provider_address = database_now(session), provider.backend.address()
    session.commit()
    reserved(job.backend, cost)
    try:
        provider_id = provider.submit(circuit_job, job.key, fence, desk.lease.confirm)
    except (LeaseLostError, UnconfirmedError, UnavailableError, CredentialsError) as error:
        return _unanswered(desk, error)
    except BackendError as error:
        return _refused(desk, str(error))
    try:
        return _accepted(desk, provider_id, "")
    except (StaleDataError, LeaseLostError):
        session.rollback()
        doubt.cancel_own_twin(provider, job)
        raise


def _unanswered(desk: Desk, error: Exception) -> bool:
    """Leave a job as one that its provider may have, unless nothing of it has ever left.

    Raises:
        Exception: the one that was given, if the job is to be tried again.
    """
    session, job = desk.session, desk.job
    if isinstance(error, LeaseLostError):
        raise error
    if isinstance(error, UnavailableError):
        job.doubtful = True
    elif not job.doubtful:
        job.asked_at = None
        if isinstance(error, CredentialsError) and job.due_at is None:
            # Whoever waits for it can do something about that at once.
            give_back(session, job)
            fail(session, job, str(error))
            return False
    session.commit()
    raise error


def _refused(desk: Desk, reason: str) -> bool:
    """Let a job have failed; not before the provider is known not to have it after all."""
    session, job = desk.session, desk.job
    if job.doubtful:
        job.refusal = reason
        note(session, job, job.state, f"refused, while an earlier question is in doubt: {reason}")
        wait(session, job, 0)
        return False
    give_back(session, job)
    job.asked_at = None
    fail(session, job, reason)
    return False


def _accepted(desk: Desk, provider_id: str, detail: str) -> bool:
    """Keep the provider's id of a job.

    Raises:
        StaleDataError: if somebody else has the job now.
    """
    session, job = desk.session, desk.job
    if job.submitted_at is None:
        circuit_job = desk.circuit_job()
        assert isinstance(desk.backend, ProviderBackend)
        reserve_anyway(session, job, microusd(desk.backend.estimated_cost_usd(circuit_job)))
    job.provider_id, job.provider_state, job.refusal = provider_id, JobState.QUEUED, None
    where = "" if job.provider_address is None else f" at {job.provider_address}"
    try:
        move(session, job, State.AT_PROVIDER, detail or f"as {provider_id}{where}")
    except IntegrityError:
        session.rollback()
        job.doubtful = True
        quarantine(
            session,
            job,
            f"backend '{job.backend}' gave it the id {provider_id}, which is another job's; "
            "whether it has this one is not known",
        )
        return False
    wait(session, job, desk.settings.poll_seconds)
    return False


def _poll(desk: Desk, provider: Provider) -> bool:
    session, job = desk.session, desk.job
    if job.asks > 1:
        _keep_the_oldest(desk, provider)
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
    _close_fence(desk, provider)
    return _heard(desk, provider, status)


def _heard(desk: Desk, provider: Provider, status: JobStatus) -> bool:
    """Record what a provider says of a job; tell whether there is a result to be scored."""
    session, job, provider_id = desk.session, desk.job, desk.job.provider_id or ""
    job.failures = 0
    job.provider_state, job.queue_position = status.state, _place(status.queue_position)
    match status.state:
        case JobState.DONE:
            job.raw_result = provider.raw_result(provider_id)
            late = "it was done before it could be cancelled" if job.cancel_requested else ""
            _charge(desk, provider)
            move(session, job, State.SCORING, late)
            return True
        case JobState.FAILED:
            _charge(desk, provider)
            fail(session, job, f"backend '{job.backend}' failed it: {status.detail or 'no reason'}")
            return False
        case JobState.CANCELLED:
            asked = "" if job.cancel_requested else "not by this service"
            _charge(desk, provider)
            move(session, job, State.CANCELLED, asked)
            return False
        case JobState.RUNNING if job.state == State.AT_PROVIDER:
            move(session, job, State.RUNNING)
    wait(session, job, _pause(desk))
    return False


def _keep_the_oldest(desk: Desk, provider: Provider) -> None:
    """Go on with the oldest of a job's twins, should one have come to light."""
    job = desk.job
    oldest = doubt.the_one_there(desk, provider)
    if oldest is not None and oldest != job.provider_id:
        note(desk.session, job, job.state, f"goes on as {oldest}, which is older")
        job.provider_id = oldest
        desk.session.commit()


def _close_fence(desk: Desk, provider: Provider) -> None:
    """Close a job's fence; nothing depends on that once the job is at its provider."""
    if desk.job.fence is None:
        return
    try:
        provider.close_fence(desk.job.fence)
    except BackendError:
        return
    desk.job.fence = None


def _charge(desk: Desk, provider: Provider) -> None:
    """Let what a job was charged for take the place of its reservation, if the provider tells."""
    try:
        told = provider.charge(desk.job.provider_id or "")
    except (BackendError, PriceError):
        return
    if told is None:
        return
    desk.job.usage_seconds = told.seconds
    if told.usd is not None:
        charge(desk.session, desk.job, microusd(told.usd))


def _place(position: int | None) -> int | None:
    return position if position is not None and 0 <= position <= MOST_QUEUE_POSITION else None


def _pause(desk: Desk) -> float:
    job = desk.job
    asked = (database_now(desk.session) - (job.asked_at or job.created_at)).total_seconds() / SLOWER
    return min(max(desk.settings.poll_seconds, asked), desk.settings.poll_most_seconds)
