"""Submitting a compiled circuit to a provider, which is paid once at most."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta

from attrs import evolve
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm.exc import StaleDataError

import backends
from backends.devices.reading import live_target
from workers.accounts import budgets
from workers.batches.running import budget_notice, held_back
from workers.clock import database_now
from workers.compilation.orders import stored_order
from workers.events import CostReserved, publish
from workers.jobs.journal import fail, move, note, note_once, quarantine, wait
from workers.jobs.states import State
from workers.jobs.submission import record_order
from workers.queue.leases import LeaseLostError, UnconfirmedError
from workers.records.backup import doubt_older_state, is_older_state, older_for_seconds
from workers.records.calibrations import calibration_of_target
from workers.records.tables import Order
from workers.stages.at_provider import doubt, groups
from workers.stages.at_provider.place import is_elsewhere, may_be_in_another_account
from workers.stages.at_provider.provider import Provider
from workers.stages.context import StageContext

THERE_ALREADY = "the provider has it already"
HOUR = timedelta(hours=1)


def submit(context: StageContext, provider: Provider) -> bool:
    """Submit the circuits of a job and its followers, unless the provider has them already.

    The submission is marked and committed before the call; a job that is found with that mark
    goes to `doubt`.
    """
    session, job = context.session, context.job
    waits = job.leader_id is None and (held_back(context) or not groups.is_grouped(context))
    if waits or (job.asked_at is not None and not _known_not_to_be_there(context, provider)):
        return False
    if job.cancel_requested:
        budgets.give_back(session, job)
        move(session, job, State.CANCELLED, "the provider never had it")
        return False
    if job.refusal is not None:
        return _ended_by_refusal(context, job.refusal)
    circuits = groups.circuits_to_submit(context)
    cost = 0
    if job.submitted_at is None:
        cost = budgets.microusd(provider.backend.estimated_cost_usd(list(circuits.values())))
    if job.asked_at is None:
        try:
            budgets.check_limit(context.settings, job, cost, len(circuits))
        except budgets.BudgetError as error:
            fail(session, job, str(error))
            return False
    if job.asked_at is None and _is_there_already(context, provider):
        return False
    return _ask(context, provider, circuits, cost)


def recompiled(context: StageContext) -> bool:
    """Send a job back to be compiled for a newer calibration, if its own is older than it may be.

    Raises:
        BackendError: if the provider does not describe its device.
    """
    session, job = context.session, context.job
    limit, at = job.max_calibration_hours, job.compiled.calibrated_at
    if limit is None or at is None or job.order is None:
        return False
    if job.asked_at is not None or job.cancel_requested or job.refusal is not None:
        return False
    age = database_now(session) - at
    if age / HOUR <= limit:
        return False
    order = stored_order(job.order)
    # No transaction stands still while a provider is asked.
    session.commit()
    target = live_target(job.backend)
    _, newest = calibration_of_target(target)
    if newest is None or newest <= at:
        note_once(session, job, f"its calibration is of {at:%Y-%m-%d %H:%M} UTC, and the newest")
        session.commit()
        return False
    order = evolve(order, target=target)
    if session.get(Order, order.digest) is None:
        record_order(session, order)
    job.order_digest, job.target, job.compilation = order.digest, target, None
    move(session, job, State.QUEUED, f"compiled anew: its calibration was {age / HOUR:.1f} h old")
    return True


def _is_there_already(context: StageContext, provider: Provider) -> bool:
    """Look once for a job that was never asked for: the database may be older than the question.

    A job whose key follows from another's may have been recorded, asked for and forgotten. If that
    has just come to light, its provider is given time to show it.
    """
    session, job = context.session, context.job
    recorded_anew = job.parent_id is not None or job.retry_of is not None
    settle = context.settings.settle_seconds
    is_in_doubt = recorded_anew and older_for_seconds(session) < settle
    session.commit()
    provider_id = doubt.the_one_there(context, provider)
    if provider_id is None and not is_in_doubt:
        return doubt.is_regrouped(context, provider)
    account = None if provider_id is None else provider.account()
    job.asked_at, job.asks = database_now(session), 1
    job.provider_address, job.provider_account = provider.backend.address(), account
    if provider_id is not None:
        _accepted(context, provider, provider_id, THERE_ALREADY)
        return True
    job.doubtful = True
    note(session, job, "in doubt: the provider may have it, and is searched")
    wait(session, job, 0)
    return True


def _known_not_to_be_there(context: StageContext, provider: Provider) -> bool:
    """Look for a job that its provider may have; tell whether it is certain that it has not."""
    session, job = context.session, context.job
    doubt.begin(context, provider)
    # Not after it is looked for, which takes its time.
    left = doubt.unsettled_seconds(context)
    session.commit()
    provider_id = doubt.the_one_there(context, provider)
    if provider_id is not None:
        account = provider.account()
        job.provider_account = account
        _accepted(context, provider, provider_id, THERE_ALREADY)
        return False
    if left > 0:
        note_once(session, job, "in doubt: searching the provider, which may have it")
        wait(session, job, min(left, context.settings.settle_seconds / doubt.LOOKS))
        return False
    return not (
        doubt.is_regrouped(context, provider) or may_be_in_another_account(context, provider)
    )


def _ask(
    context: StageContext,
    provider: Provider,
    circuits: Mapping[str, backends.CircuitJob],
    cost: int,
) -> bool:
    session, job = context.session, context.job
    if is_elsewhere(context, provider):
        return False
    # Before the reservation, so that other reservations do not wait for this provider.
    account = provider.account()
    fence = provider.ask(provider.backend.fence)
    if job.submitted_at is None:
        try:
            budgets.reserve(session, context.settings, job, cost, len(circuits))
        except budgets.BudgetError as error:
            context.roll_back()
            groups.set_apart(context, dict.fromkeys(circuits, str(error)))
            budget_notice(session, context.settings, error, job)
            fail(session, job, str(error))
            return _unused(provider, fence)
    # In the transaction that notes the question: only the database that takes it can tell.
    if not groups.hold_group(context, len(circuits)) or is_older_state(session):
        context.roll_back()
        doubt_older_state(session)
        return _unused(provider, fence)
    job.fence, job.doubt_clocks, job.asks = fence, None, job.asks + 1
    job.asked_at, job.provider_address = database_now(session), provider.backend.address()
    job.provider_account = account
    session.commit()
    publish(CostReserved(job.backend, cost))
    has_left = False

    def leave() -> None:
        nonlocal has_left
        context.lease.confirm()
        has_left = True

    try:
        provider_id = provider.ask(
            provider.backend.submit, circuits, job.key, fence=fence, leave=leave
        )
    except (
        LeaseLostError,
        UnconfirmedError,
        backends.UnavailableError,
        backends.CredentialsError,
    ) as error:
        return _unanswered(context, error, has_left=has_left)
    except backends.BackendError as error:
        return _refused(context, error)
    try:
        return _accepted(context, provider, provider_id, "")
    except (StaleDataError, LeaseLostError):
        session.rollback()
        doubt.without_twins(context, provider)
        raise


def _unused(provider: Provider, fence: str | None) -> bool:
    with suppress(backends.BackendError):
        doubt.close(provider, fence)
    return False


def _unanswered(context: StageContext, error: Exception, *, has_left: bool) -> bool:
    """Leave a job as one that its provider may have, unless nothing of it has ever left.

    Args:
        context: of the job.
        error: that ended the question.
        has_left: whether the request has left; before it, the provider is asked other things.

    Raises:
        Exception: the one that was given, if the job is to be tried again.
    """
    session, job = context.session, context.job
    if isinstance(error, LeaseLostError):
        raise error
    refused = isinstance(error, backends.NotAcceptedError)
    if isinstance(error, backends.UnavailableError) and has_left and not refused:
        job.doubtful = True
    elif not job.doubtful:
        job.asked_at = None
        if isinstance(error, backends.CredentialsError) and job.due_at is None:
            # A command that waits for it can react to that at once.
            budgets.give_back(session, job)
            fail(session, job, str(error))
            return False
    session.commit()
    raise error


def _refused(context: StageContext, error: backends.BackendError) -> bool:
    """Let a job have failed; not before the provider is known not to have it after all."""
    session, job = context.session, context.job
    if job.doubtful:
        job.refusal = str(error)
        note(session, job, f"refused while an earlier submission is in doubt: {error}")
        wait(session, job, 0)
        return False
    if not isinstance(error, backends.CircuitsRefusedError):
        return _ended_by_refusal(context, str(error))
    groups.set_apart(context, error.reasons)
    if job.key not in error.reasons:
        return _asked_anew(context)
    budgets.give_back(session, job)
    job.asked_at = None
    fail(session, job, error.reasons[job.key])
    return False


def _ended_by_refusal(context: StageContext, reason: str) -> bool:
    """Let a job fail that its provider refuses; of a group, each circuit is submitted alone."""
    session, job = context.session, context.job
    if groups.followers_of(session, job):
        groups.set_apart(context)
        note(session, job, f"refused together, so submitted one by one: {reason}")
        job.refusal, job.doubtful = None, False
        return _asked_anew(context)
    budgets.give_back(session, job)
    if not job.doubtful:
        job.asked_at = None
    fail(session, job, reason)
    return False


def _asked_anew(context: StageContext) -> bool:
    """Submit a group again that is now a smaller one; its provider does not have it."""
    session, job = context.session, context.job
    budgets.give_back(session, job)
    job.asked_at = None
    wait(session, job, 0)
    return False


def _accepted(context: StageContext, provider: Provider, provider_id: str, detail: str) -> bool:
    """Store the provider's id of a job.

    Raises:
        StaleDataError: if another worker has the job now.
    """
    session, job = context.session, context.job
    if job.submitted_at is None:
        circuits = groups.submitted_circuits(context)
        cost = provider.backend.estimated_cost_usd(list(circuits.values()))
        budgets.reserve_anyway(session, job, budgets.microusd(cost))
    job.provider_id, job.provider_state, job.refusal = provider_id, backends.JobState.QUEUED, None
    where = "" if job.provider_address is None else f" at {job.provider_address}"
    try:
        move(session, job, State.AT_PROVIDER, detail or f"as {provider_id}{where}")
    except IntegrityError:
        context.roll_back()
        job.doubtful = True
        quarantine(
            session,
            job,
            f"backend '{job.backend}' returned the id {provider_id} of another job; it is unknown "
            "whether it has accepted this job",
        )
        return False
    wait(session, job, context.settings.poll_seconds)
    return False
