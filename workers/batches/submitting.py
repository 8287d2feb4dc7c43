"""Recording a batch as a job, which workers then lead."""

from decimal import Decimal

from sqlalchemy.orm import Session

from compiler.errors import InputError
from games.sources import Source
from workers.batches.asked import Batch
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.jobs.submission import least_cost_usd, submit
from workers.records.devices import keep_device
from workers.records.tables import Job
from workers.settings import Settings


def submit_batch(
    session: Session,
    set_: Settings,
    batch: Batch,
    *,
    key: str,
    tag: str,
    max_cost_usd: Decimal | None = None,
) -> Job:
    """Record a batch, due at once; the same job again for the same key.

    Args:
        session: of the records.
        set_: with the budgets.
        batch: with jobs that have been checked.
        key: of the batch.
        tag: of all of its jobs.
        max_cost_usd: what all of them may cost together.

    Raises:
        InputError: if nothing of it can be run.
        BudgetError: if it would cost too much.
    """
    jobs = batch.all_jobs
    if not jobs:
        raise InputError(f"{batch.name}: nothing of it can be run")
    first = jobs[0]
    together = sum((least_cost_usd(one.backend, one.shots, 1) for one in jobs), Decimal(0))
    if max_cost_usd is not None and together > max_cost_usd:
        raise InputError(
            f"{batch.name}: costs at least {_exact(together)} USD, more than "
            f"{_exact(max_cost_usd)} USD; nothing was submitted"
        )
    asked = Submission(
        CompileOrder(Source(batch.name), first.order.target),
        first.backend,
        sum(one.shots for one in jobs),
        first.seed,
        tag=tag,
        max_cost_usd=max_cost_usd,
        idempotency_key=key,
        batch=batch.as_json(),
    )
    for one in jobs:
        keep_device(session, one.order.target)
    (job,) = submit(session, set_, asked)
    return job


def _exact(amount: Decimal) -> str:
    return f"{amount.normalize():f}"
