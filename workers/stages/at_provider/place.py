"""Place where a job was submitted, and whether this worker would look for it there.

In another account, instance or region a job seems not to be there, and would be paid for again. It
is left to workers that are led to where it was asked for.
"""

from datetime import timedelta

from sqlalchemy import select

from workers.clock import database_now
from workers.jobs.journal import note_once, wait
from workers.records.tables import Job
from workers.stages.at_provider.provider import Provider
from workers.stages.context import StageContext

LOOKED = "looked"
"""Beside the clocks of a doubt: the accounts that a job is not in, if its account is unknown."""

IN_USE = timedelta(days=30)
"""An account that no job was submitted to for so long is not looked into."""


def is_elsewhere(context: StageContext, provider: Provider) -> bool:
    """Return whether a job was submitted in an account that this worker cannot search."""
    job, backend = context.job, provider.backend
    if job.asked_at is None:
        return False
    address, account = backend.address(), None
    if address == job.provider_address:
        # The account of a job that an older version has submitted is unknown.
        if job.provider_account is None:
            return False
        account = provider.account()
        if account == job.provider_account:
            return False
    former = _place(job.provider_address, job.provider_account)
    note_once(
        context.session,
        job,
        f"the job was submitted to {former}, but a worker uses {_place(address, account)}: start a "
        f"worker with {backend.variables(job.provider_address, job.provider_account)}",
    )
    wait(context.session, job, context.settings.poll_most_seconds)
    return True


def may_be_in_another_account(context: StageContext, provider: Provider) -> bool:
    """Return whether a job that was not found in this account may be in another one.

    An older state of the database may have forgotten the last account that a job was submitted to:
    workers of all accounts in use search for it before one of them submits it.
    """
    session, job = context.session, context.job
    clocks = job.doubt_clocks or {}
    if job.provider_account is not None and LOOKED not in clocks:
        return False
    account = provider.account()
    looked = {*clocks.get(LOOKED, ()), account}
    in_use = session.scalars(
        select(Job.provider_account)
        .where(
            Job.backend.startswith(f"{provider.name}:", autoescape=True),
            Job.provider_account.is_not(None),
            Job.asked_at > database_now(session) - IN_USE,
        )
        .distinct()
    )
    others = sorted({used for used in in_use if used is not None} - looked)
    if not others:
        session.commit()
        return False
    job.doubt_clocks, job.provider_account = {**clocks, LOOKED: sorted(looked)}, None
    leads = provider.backend.variables(job.provider_address, others[0])
    note_once(
        session,
        job,
        f"the job is not in account {account}, but may be in {others[0]}: start a worker with "
        f"{leads}",
    )
    wait(session, job, context.settings.poll_most_seconds)
    return True


def _place(address: str | None, account: str | None) -> str:
    return (address or "the real provider") + (f", account {account}" if account else "")
