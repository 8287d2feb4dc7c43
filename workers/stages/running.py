"""Running a compiled circuit: here, or at a provider that is paid once at most."""

from contextlib import suppress
from time import perf_counter

from attrs import asdict
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm.attributes import set_committed_value
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
from workers.accounts.budgets import (
    BudgetError,
    charge,
    give_back,
    microusd,
    reserve,
    reserve_anyway,
)
from workers.batches.pricing import held_back
from workers.clock import database_now
from workers.events import CostReserved, publish
from workers.jobs.journal import Passed, fail, move, note, note_once, quarantine, wait
from workers.jobs.quarantine import in_quarantine
from workers.jobs.states import State
from workers.queue.leases import LeaseLostError, UnconfirmedError
from workers.stages import doubt
from workers.stages.context import StageContext
from workers.stages.provider import Provider
from workers.stages.simulation import simulated

SLOWER = 10
"""A provider is asked about a job after a tenth of the time that it has had it."""

MOST_QUEUE_POSITION = 10**9


def run(context: StageContext) -> bool:
    """Run a job's circuit on this machine, or go on with it at its provider."""
    backend = context.backend
    if isinstance(backend, LocalBackend):
        return run_here(context, backend)
    assert isinstance(backend, ProviderBackend)
    if _is_elsewhere(context, backend):
        return False
    spec = context.job.backend
    engine = context.session.get_bind().engine
    provider = Provider(backend, spec.partition(":")[0], spec, engine)
    # No transaction stands still while a provider is asked.
    context.session.commit()
    if context.job.state == State.SUBMITTING:
        return _submit(context, provider)
    return _poll(context, provider)


def _is_elsewhere(context: StageContext, backend: ProviderBackend) -> bool:
    """Tell whether a job was submitted where this worker cannot look for it.

    Elsewhere it would seem not to be there. It is left to workers that are led to where it is.
    """
    job, here = context.job, backend.address()
    if job.asked_at is None or here == job.provider_address:
        return False
    note_once(
        context.session,
        job,
        f"it was submitted to {job.provider_address or 'the real provider'}, but a worker is led "
        f"to {here or 'the real provider'}: start one with the variables of then",
    )
    wait(context.session, job, context.settings.poll_most_seconds)
    return True


def run_here(context: StageContext, backend: LocalBackend, *, by: Passed | None = None) -> bool:
    """Run a job's circuit on this machine.

    Args:
        context: the job, which is running or begins to.
        backend: a simulator.
        by: a state that the job passes before it runs.
    """
    session, job = context.session, context.job
    again = job.state == State.RUNNING
    if in_quarantine(session, job):
        return False
    if not again:
        move(session, job, State.RUNNING, by=by)
    started = perf_counter()
    counts = simulated(context, backend, again=again)
    if counts is None:
        return False
    if job.counts is None:
        # What has brought nothing back has no scores: nobody needs to look for them.
        set_committed_value(job, "scores", [])
    job.run_seconds = perf_counter() - started
    job.counts = {str(outcome): n for outcome, n in counts.items() if n}
    move(session, job, State.SCORING)
    return True


def _submit(context: StageContext, provider: Provider) -> bool:
    """Hand a job over, unless its provider has it already.

    That the provider is about to be asked is committed before it is; see `workers.stages.doubt`
    for what becomes of a job that is found with that mark.
    """
    session, job = context.session, context.job
    if job.asked_at is not None and not _known_not_to_be_there(context, provider):
        return False
    if job.cancel_requested:
        give_back(session, job)
        move(session, job, State.CANCELLED, "the provider never had it")
        return False
    if job.refusal is not None:
        give_back(session, job)
        fail(session, job, job.refusal)
        return False
    if job.asked_at is None and held_back(context):
        return False
    return _ask(context, provider)


def _known_not_to_be_there(context: StageContext, provider: Provider) -> bool:
    """Look for a job that its provider may have; tell whether it is certain that it has not."""
    session, job = context.session, context.job
    doubt.begin(context, provider)
    # Not after it is looked for, which takes its time.
    left = doubt.unsettled_seconds(context)
    session.commit()
    provider_id = doubt.the_one_there(context, provider)
    if provider_id is not None:
        _accepted(context, provider_id, "the provider has it already")
        return False
    if left > 0:
        note_once(session, job, "looked for at the provider, which may have it")
        wait(session, job, min(left, context.settings.settle_seconds / doubt.LOOKS))
        return False
    return True


def _ask(context: StageContext, provider: Provider) -> bool:
    session, job = context.session, context.job
    circuit_job = context.circuit_job()
    cost = 0
    if job.submitted_at is None:
        cost = microusd(provider.backend.estimated_cost_usd(circuit_job))
    # Before anything is reserved: nobody who reserves waits for a provider of another's.
    fence = provider.fence()
    if job.submitted_at is None:
        try:
            reserve(session, context.settings, job, cost)
        except BudgetError as error:
            context.roll_back()
            fail(session, job, str(error))
            with suppress(BackendError):
                doubt.close(provider, fence)
            return False
    job.fence, job.doubted, job.asks = fence, None, job.asks + 1
    job.asked_at, job.provider_address = database_now(session), provider.backend.address()
    session.commit()
    publish(CostReserved(job.backend, cost))
    try:
        provider_id = provider.submit(circuit_job, job.key, fence, context.lease.confirm)
    except (LeaseLostError, UnconfirmedError, UnavailableError, CredentialsError) as error:
        return _unanswered(context, error)
    except BackendError as error:
        return _refused(context, str(error))
    try:
        return _accepted(context, provider_id, "")
    except (StaleDataError, LeaseLostError):
        session.rollback()
        doubt.cancel_own_twin(provider, job)
        raise


def _unanswered(context: StageContext, error: Exception) -> bool:
    """Leave a job as one that its provider may have, unless nothing of it has ever left.

    Raises:
        Exception: the one that was given, if the job is to be tried again.
    """
    session, job = context.session, context.job
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


def _refused(context: StageContext, reason: str) -> bool:
    """Let a job have failed; not before the provider is known not to have it after all."""
    session, job = context.session, context.job
    if job.doubtful:
        job.refusal = reason
        note(session, job, job.state, f"refused, while an earlier question is in doubt: {reason}")
        wait(session, job, 0)
        return False
    give_back(session, job)
    job.asked_at = None
    fail(session, job, reason)
    return False


def _accepted(context: StageContext, provider_id: str, detail: str) -> bool:
    """Keep the provider's id of a job.

    Raises:
        StaleDataError: if somebody else has the job now.
    """
    session, job = context.session, context.job
    if job.submitted_at is None:
        circuit_job = context.circuit_job()
        assert isinstance(context.backend, ProviderBackend)
        reserve_anyway(session, job, microusd(context.backend.estimated_cost_usd(circuit_job)))
    job.provider_id, job.provider_state, job.refusal = provider_id, JobState.QUEUED, None
    where = "" if job.provider_address is None else f" at {job.provider_address}"
    try:
        move(session, job, State.AT_PROVIDER, detail or f"as {provider_id}{where}")
    except IntegrityError:
        context.roll_back()
        job.doubtful = True
        quarantine(
            session,
            job,
            f"backend '{job.backend}' gave it the id {provider_id}, which is another job's; "
            "whether it has this one is not known",
        )
        return False
    wait(session, job, context.settings.poll_seconds)
    return False


def _poll(context: StageContext, provider: Provider) -> bool:
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
    """Record what a provider says of a job; tell whether there is a result to be scored."""
    session, job, provider_id = context.session, context.job, context.job.provider_id or ""
    job.failures = 0
    job.provider_state, job.queue_position = status.state, _place(status.queue_position)
    match status.state:
        case JobState.DONE:
            job.raw_result = provider.raw_result(provider_id)
            late = "it was done before it could be cancelled" if job.cancel_requested else ""
            _charge(context, provider)
            _note_calibration(context, provider)
            move(session, job, State.SCORING, late)
            return True
        case JobState.FAILED:
            _charge(context, provider)
            fail(session, job, f"backend '{job.backend}' failed it: {status.detail or 'no reason'}")
            return False
        case JobState.CANCELLED:
            asked = "" if job.cancel_requested else "not by this service"
            _charge(context, provider)
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


def _charge(context: StageContext, provider: Provider) -> None:
    """Let what a job was charged for take the place of its reservation, if the provider tells."""
    try:
        told = provider.charge(context.job.provider_id or "")
    except (BackendError, PriceError):
        return
    if told is None:
        return
    context.job.usage_seconds = told.seconds
    if told.usd is not None:
        charge(context.session, context.job, microusd(told.usd))


def _note_calibration(context: StageContext, provider: Provider) -> None:
    """Keep what the provider tells of the device's errors; nothing depends on that."""
    try:
        told = provider.calibration(context.circuit_job())
    except BackendError:
        return
    context.job.calibration = None if told is None else asdict(told)


def _place(position: int | None) -> int | None:
    return position if position is not None and 0 <= position <= MOST_QUEUE_POSITION else None


def _pause(context: StageContext) -> float:
    job = context.job
    asked = (
        database_now(context.session) - (job.asked_at or job.created_at)
    ).total_seconds() / SLOWER
    return min(max(context.settings.poll_seconds, asked), context.settings.poll_most_seconds)
