"""What a batch costs: known once all of it is compiled, before any provider is asked for any."""

from collections.abc import Sequence

from attrs import evolve
from sqlalchemy import update
from sqlalchemy.orm import Session

from backends import ProviderBackend
from compiler.words.plurals import how_many
from workers.accounts.budgets import BudgetError, check_budgets, microusd, shown
from workers.clock import database_time
from workers.jobs.journal import fail, move, note, wait
from workers.jobs.states import FINAL, JobKind, State
from workers.records.tables import Job
from workers.settings import Settings
from workers.stages.context import StageContext, shared_backend, stored_circuit

UNCOMPILED = (State.QUEUED, State.COMPILING, State.VERIFYING)


def price_batch(context: StageContext, jobs: Sequence[Job]) -> None:
    """Tell what a batch costs and let its jobs go to providers, once all of them are compiled.

    If that is more than is allowed, it has failed, and nothing of it is submitted.
    """
    session, parent = context.session, context.job
    if parent.estimated_cost_microusd is not None or any(job.state in UNCOMPILED for job in jobs):
        return
    costs = {job.id: _cost(job) for job in jobs}
    asked = sum(cost is not None for cost in costs.values())
    if not asked:
        return
    together = sum(cost or 0 for cost in costs.values())
    to_come = sum(costs[job.id] or 0 for job in jobs if job.submitted_at is None)
    context.lease.require()
    # They are told what becomes of them with what becomes of this one.
    waiting = Job.parent_id == parent.id, Job.state == State.SUBMITTING, Job.due_at.is_not(None)
    session.connection().execute(update(Job).where(*waiting).values(due_at=database_time()))
    try:
        _check(session, context.settings, parent, together, to_come)
    except BudgetError as error:
        fail(session, parent, str(error))
        return
    parent.estimated_cost_microusd = together
    told = how_many(asked, "circuit")
    note(session, parent, parent.state, f"{told} for providers, up to {shown(together)}")
    session.commit()


def held_back(context: StageContext) -> bool:
    """Keep a job from its provider while nobody knows what the batch that it is of costs.

    Returns:
        whether it waits, or has ended because that was too much.
    """
    session, job = context.session, context.job
    if job.parent_id is None or job.submitted_at is not None:
        return False
    parent = session.get_one(Job, job.parent_id, populate_existing=True)
    if parent.kind != JobKind.BATCH or parent.estimated_cost_microusd is not None:
        return False
    if parent.state in FINAL:
        why = f"job {parent.id}, which it is of, is {parent.state}: retry that one"
        move(session, job, State.CANCELLED, why)
    else:
        wait(session, job, context.settings.poll_most_seconds)
    return True


def _check(session: Session, set_: Settings, parent: Job, together: int, to_come: int) -> None:
    limit = parent.max_cost_microusd
    if limit is not None and together > limit:
        more = "" if together == to_come else " more"
        raise BudgetError(
            f"all of it needs {shown(together)}, more than its limit of {shown(limit)}; "
            f"nothing{more} was submitted: take fewer shots or allow more"
        )
    for_all = evolve(set_, job_budget_usd=None)
    check_budgets(session, for_all, to_come, tag=parent.tag, token_id=parent.token_id)


def _cost(job: Job) -> int | None:
    """Return what a job costs at its provider in millionths of US dollars; None if it has none."""
    backend = shared_backend(job.backend)
    if not isinstance(backend, ProviderBackend):
        return None
    if job.estimated_cost_microusd is not None or job.state in FINAL:
        return job.estimated_cost_microusd
    return microusd(backend.estimated_cost_usd(stored_circuit(job).circuit_job))
