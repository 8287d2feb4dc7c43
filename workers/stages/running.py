"""Running a compiled circuit: here, or at a provider that is paid once at most."""

from time import perf_counter

from backends import (
    BackendError,
    JobState,
    LocalBackend,
    ProviderBackend,
    UnavailableError,
)
from workers.budgets import BudgetError, give_back, microusd, reserve
from workers.journal import fail, move, wait
from workers.metrics.recording import reserved
from workers.records import now
from workers.stages.desk import Desk
from workers.stages.provider import Provider
from workers.states import State

SLOWER = 10
"""A provider is asked about a job after a tenth of the time that it has had it."""


def run(desk: Desk) -> bool:
    """Run a job's circuit in this process, or go on with it at its provider."""
    backend = desk.backend
    if isinstance(backend, LocalBackend):
        return _run_here(desk, backend)
    assert isinstance(backend, ProviderBackend)
    _check_address(desk, backend)
    spec = desk.job.backend
    engine = desk.session.get_bind().engine
    provider = Provider(backend, spec.partition(":")[0], spec, engine)
    if desk.job.state == State.SUBMITTING:
        return _submit(desk, provider)
    return _poll(desk, provider)


def _check_address(desk: Desk, backend: ProviderBackend) -> None:
    """Look for a job only where it was submitted: elsewhere it would seem not to be there.

    Raises:
        UnavailableError: if this worker's provider is another one.
    """
    job, here = desk.job, backend.address()
    if job.asked_at is not None and here != job.provider_address:
        raise UnavailableError(
            f"it was submitted to {job.provider_address or 'the real provider'}, but this worker "
            f"is led to {here or 'the real provider'}: start it with the variables of then"
        )


def _run_here(desk: Desk, backend: LocalBackend) -> bool:
    session, job = desk.session, desk.job
    if job.state == State.SUBMITTING:
        move(session, job, State.RUNNING)
    started = perf_counter()
    counts = backend.run(desk.circuit_job())
    job.run_seconds = perf_counter() - started
    job.counts = {str(outcome): n for outcome, n in counts.items() if n}
    move(session, job, State.SCORING)
    return True


def _submit(desk: Desk, provider: Provider) -> bool:
    """Hand a job over, unless its provider has it already.

    That the provider is about to be asked is committed before it is. Whoever finds that mark
    looks for the job's key first, for as long as the provider may take to show what it accepted.
    """
    session, job = desk.session, desk.job
    if job.asked_at is not None:
        provider_id = provider.find(job.key)
        if provider_id is not None:
            return _accepted(desk, provider_id, "the provider has it already")
        unsettled = desk.settings.settle_seconds - (now() - job.asked_at).total_seconds()
        if unsettled > 0:
            wait(session, job, unsettled)
            return False
    if job.cancel_requested:
        give_back(session, job)
        move(session, job, State.CANCELLED, "the provider never had it")
        return False
    circuit_job = desk.circuit_job()
    cost = 0
    if job.submitted_at is None:
        try:
            cost = microusd(provider.backend.estimated_cost_usd(circuit_job))
            reserve(session, desk.settings, job, cost, now())
        except BudgetError as error:
            session.rollback()
            fail(session, job, str(error))
            return False
    job.asked_at, job.provider_address = now(), provider.backend.address()
    session.commit()
    reserved(job.backend, cost)
    desk.lease.require()
    try:
        return _accepted(desk, provider.submit(circuit_job, job.key), "")
    except UnavailableError:
        # The call may have taken longer than the provider is given to show what it accepted.
        job.asked_at = now()
        session.commit()
        raise
    except BackendError as error:
        give_back(session, job)
        job.asked_at = None
        fail(session, job, str(error))
        return False


def _accepted(desk: Desk, provider_id: str, detail: str) -> bool:
    job = desk.job
    job.provider_id, job.provider_state = provider_id, JobState.QUEUED
    where = "" if job.provider_address is None else f" at {job.provider_address}"
    move(desk.session, job, State.AT_PROVIDER, detail or f"as {provider_id}{where}")
    wait(desk.session, job, desk.settings.poll_seconds)
    return False


def _poll(desk: Desk, provider: Provider) -> bool:
    session, job, provider_id = desk.session, desk.job, desk.job.provider_id or ""
    if job.cancel_requested:
        provider.cancel(provider_id)
    status = provider.status(provider_id)
    job.provider_state, job.queue_position = status.state, status.queue_position
    match status.state:
        case JobState.DONE:
            job.raw_result = provider.raw_result(provider_id)
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
    wait(session, job, _pause(desk))
    return False


def _pause(desk: Desk) -> float:
    since = desk.job.asked_at or desk.job.created_at
    asked = (now() - since).total_seconds() / SLOWER
    return min(max(desk.settings.poll_seconds, asked), desk.settings.poll_most_seconds)
