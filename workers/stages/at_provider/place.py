"""Where a job was submitted, and whether this worker would look for it there.

In another account, instance or region a job seems not to be there, and would be paid for again. It
is left to workers that are led to where it was asked for.
"""

from workers.jobs.journal import note_once, wait
from workers.stages.at_provider.provider import Provider
from workers.stages.context import StageContext


def is_elsewhere(context: StageContext, provider: Provider) -> bool:
    """Tell whether a job was submitted where this worker cannot look for it."""
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
    there = _place(job.provider_address, job.provider_account)
    note_once(
        context.session,
        job,
        f"it was submitted to {there}, but a worker is led to {_place(address, account)}: start a "
        f"worker with {backend.variables(job.provider_address, job.provider_account)}",
    )
    wait(context.session, job, context.settings.poll_most_seconds)
    return True


def _place(address: str | None, account: str | None) -> str:
    return (address or "the real provider") + (f", account {account}" if account else "")
