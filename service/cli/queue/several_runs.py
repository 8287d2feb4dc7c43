"""Runs that make one job: values of one circuit, questions, cards, or runs of a mitigation."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from uuid import uuid4

from attrs import evolve
from sqlalchemy import select
from sqlalchemy.orm import Session

from backends import backend_from_spec
from compiler.compilation.listener import Each
from compiler.errors import InputError
from compiler.words.plurals import how_many
from service.cli.output.printing import progress, say
from workers.batches.batch import Batch
from workers.batches.submitting import least_cost_of, submit_batch
from workers.compilation.orders import plan_order
from workers.jobs.request import Submission
from workers.jobs.without_queue import finish_job
from workers.mitigation.methods import check_methods, treatments_of
from workers.records.tables import Job
from workers.settings import settings


def batch_of(submissions: Sequence[Submission], methods: Sequence[str]) -> tuple[str, Batch]:
    """Return the key and the batch of several runs; report the plan of mitigating ones.

    Args:
        submissions: one for each set of values, question or card, checked; the raw run alone if it
            is to be mitigated.
        methods: of mitigation.

    Raises:
        InputError: if each of several is to be mitigated or repeated, or the backend does not
            support a method.
    """
    first, name = submissions[0], submissions[0].order.source.name
    if len(submissions) > 1 or not methods:
        if methods or first.repeat > 1:
            raise InputError(
                "several circuits make one job of several runs: leave out --mitigation and "
                "--repeat, or give one set of values or one question"
            )
        key, jobs = _numbered("bound", submissions)
        more = f" and {len(jobs) - 1} more" if len(jobs) > 1 else ""
        return key, Batch(f"{name}{more}"[:200], jobs)
    if first.repeat > 1:
        raise InputError("--mitigation makes one job of several: leave out --repeat")
    circuit = plan_order(first.order)[1].program.circuit
    backend = backend_from_spec(first.backend)
    check_methods(first.backend, backend, methods, circuit, first.shots)
    treated = [evolve(first, run_options=treatment) for treatment in treatments_of(methods)]
    key, jobs = _numbered("mitigated", treated)
    batch = Batch(f"{name} mitigated"[:200], jobs, mitigation=tuple(methods))
    cost, raw = least_cost_of(batch), least_cost_of(Batch("raw", jobs[:1]))
    money = f"at least {cost - raw:.4f} USD more than {raw:.4f} USD" if cost else "no charge"
    extra = len(jobs) - 1
    say(
        f"{', '.join(methods)}: {how_many(extra, 'more circuit')} and "
        f"{how_many(extra * first.shots, 'more shot')} than the raw run's {first.shots:,}, {money}"
    )
    return key, batch


def _numbered(kind: str, runs: Iterable[Submission]) -> tuple[str, tuple[Submission, ...]]:
    """Return a new key, and runs with keys and seeds of their own."""
    key = f"{kind}:{uuid4().hex}"
    return key, tuple(
        evolve(run, seed=run.seed + place, max_cost_usd=None, idempotency_key=f"{key}:{place}")
        for place, run in enumerate(runs)
    )


def finish_batch(
    session: Session, key: str, batch: Batch, limit: Decimal | None, each: Each
) -> tuple[Job, list[Job]]:
    """Run a batch in this process, and return the parent job and the runs' jobs.

    Raises:
        InputError: if it costs too much.
        BackendError: if the backend refuses or fails one of the runs.
    """
    tag = batch.jobs[0].tag
    parent = submit_batch(
        session, settings(), batch, key=key, tag=tag, max_cost_usd=limit, due=False
    )
    finish_job(session, parent, progress=progress, each=each)
    jobs = select(Job).where(Job.parent_id == parent.id).order_by(Job.id)
    return parent, list(session.scalars(jobs))
