"""Recording a batch as a job, which workers then lead.

Circuits of a batch that wait for the same provider, with the same shots and treatments, are
submitted as one provider job where that takes several (IBM's PUBs, Braket's program sets), and the
saving is told in the batch's events before. So circuits that belong together are submitted as
`submit_batch(session, settings, Batch(name, jobs), key=..., tag=...)`; see
`workers.stages.at_provider.groups`.
"""

from collections import Counter
from decimal import Decimal

from attrs import evolve
from sqlalchemy.orm import Session

from compiler.errors import InputError
from games.sources import Source
from workers.accounts.budgets import check_budgets, microusd
from workers.batches.batch import Batch
from workers.compilation.orders import CompileOrder
from workers.jobs.lookup import keyed_job
from workers.jobs.request import Submission, recorded_key
from workers.jobs.states import JobKind
from workers.jobs.submission import least_cost_usd, submit
from workers.records.devices import keep_device
from workers.records.tables import Job
from workers.settings import Settings, exact_usd


def submit_batch(
    session: Session,
    set_: Settings,
    batch: Batch,
    *,
    key: str,
    tag: str | None,
    max_cost_usd: Decimal | None = None,
    due: bool = True,
) -> Job:
    """Record a batch as a job; the same job again for the same key.

    Args:
        session: of the records.
        set_: with the budgets.
        batch: with jobs that have been checked.
        key: of the batch.
        tag: of all of its jobs.
        max_cost_usd: what all of them may cost together.
        due: whether workers run it; see `workers.jobs.submission.submit`.

    Raises:
        InputError: if none of its jobs can be run.
        BudgetError: if it would cost too much.
    """
    jobs = batch.all_jobs
    if not jobs:
        raise InputError(f"{batch.name}: nothing of it can be run")
    first = jobs[0]
    together = least_cost_of(batch)
    if max_cost_usd is not None and together > max_cost_usd:
        raise InputError(
            f"{batch.name}: costs at least {exact_usd(together)} USD, more than the limit of "
            f"{exact_usd(max_cost_usd)} USD; nothing was submitted. Allow more, or take "
            "fewer circuits or shots, or a simulator"
        )
    if keyed_job(session, recorded_key(key, None)) is None:
        for_all = evolve(set_, job_budget_usd=None)
        check_budgets(session, for_all, microusd(together), tag=tag, token_id=None)
    parent = Submission(
        CompileOrder(Source(batch.name), first.order.target),
        first.backend,
        sum(child.shots for child in jobs),
        first.seed,
        tag=tag,
        max_cost_usd=max_cost_usd,
        idempotency_key=key,
        kind=JobKind.BATCH,
        request=batch.as_json(),
    )
    for child in jobs:
        keep_device(session, child.order.target)
    (job,) = submit(session, set_, parent, due=due)
    return job


def least_cost_of(batch: Batch) -> Decimal:
    """Return a lower bound of the cost of all jobs of a batch, before they are compiled.

    That is a provider job for each backend, number of shots and treatment.
    """
    alike = Counter(
        (job.backend, job.shots, evolve(job.run_options, noise=1)) for job in batch.all_jobs
    )
    costs = (least_cost_usd(backend, shots * n, 1) for (backend, shots, _), n in alike.items())
    return sum(costs, Decimal(0))
