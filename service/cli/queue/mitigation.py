"""Running a compiled program several times, so that noise can be lessened or subtracted."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from uuid import uuid4

from attrs import evolve
from sqlalchemy import select
from sqlalchemy.orm import Session

from backends import backend_from_spec
from compiler.compilation.listener import Each
from compiler.errors import InputError
from compiler.words.plurals import how_many
from service.cli.output.printing import progress, say
from service.cli.queue.sending import hand_over_batch
from workers.batches.batch import Batch
from workers.batches.submitting import least_cost_of, submit_batch
from workers.compilation.orders import plan_order
from workers.jobs.request import Submission
from workers.jobs.without_queue import finish_job
from workers.mitigation.methods import check_methods, treatments_of
from workers.records.tables import Job
from workers.settings import settings


def mitigation_batch(submission: Submission, methods: Sequence[str]) -> tuple[str, Batch]:
    """Return the key and the batch of a run and of its mitigating runs; report the plan.

    Args:
        submission: the raw run, checked.
        methods: requested ones.

    Raises:
        InputError: if the backend does not support a method.
    """
    if submission.repeat > 1:
        raise InputError("--mitigation makes one job of several: leave out --repeat")
    circuit = plan_order(submission.order)[1].program.circuit
    check_methods(
        submission.backend,
        backend_from_spec(submission.backend),
        methods,
        circuit,
        submission.shots,
    )
    key = f"mitigated:{uuid4().hex}"
    jobs = [
        evolve(
            submission,
            run_options=treatment,
            seed=submission.seed + place,
            max_cost_usd=None,
            idempotency_key=f"{key}:{place}",
        )
        for place, treatment in enumerate(treatments_of(methods))
    ]
    name = submission.order.source.name
    batch = Batch(f"{name} mitigated"[:200], tuple(jobs), mitigation=tuple(methods))
    cost, raw = least_cost_of(batch), least_cost_of(Batch("raw", tuple(jobs[:1])))
    money = f"at least {cost - raw:.4f} USD more than {raw:.4f} USD" if cost else "no charge"
    extra = len(jobs) - 1
    say(
        f"{', '.join(methods)}: {how_many(extra, 'more circuit')} and "
        f"{how_many(extra * submission.shots, 'more shot')} than the raw run's "
        f"{submission.shots:,}, {money}"
    )
    return key, batch


def finish_mitigated(
    session: Session, raw: Submission, methods: Sequence[str], limit: Decimal | None, each: Each
) -> tuple[Job, dict[str, Any]]:
    """Run a program and its mitigating runs in this process.

    Returns:
        The job of the raw run, and the mitigated values.

    Raises:
        InputError: if it costs too much.
        BackendError: if the backend refuses or fails one of the runs.
    """
    key, batch = mitigation_batch(raw, methods)
    parent = submit_batch(
        session, settings(), batch, key=key, tag=raw.tag, max_cost_usd=limit, due=False
    )
    finish_job(session, parent, progress=progress, each=each)
    assert parent.result is not None, "a batch that is done has a result"
    children = select(Job).where(Job.parent_id == parent.id).order_by(Job.id).limit(1)
    return session.scalars(children).one(), parent.result["mitigated"]


def hand_over_mitigated(
    raw: Submission, methods: Sequence[str], limit: Decimal | None, database: str, *, as_json: bool
) -> None:
    """Record a run and its mitigating runs as one job, and tell workers and user of it.

    Args:
        raw: the raw run, checked.
        methods: requested ones.
        limit: of their cost together.
        database: of the records; that of the settings, if empty.
        as_json: whether to print one JSON object.

    Raises:
        InputError: if the backend does not support a method, or it costs too much.
    """
    key, batch = mitigation_batch(raw, methods)
    job = hand_over_batch(
        batch, key=key, tag=raw.tag, limit=limit, database=database, as_json=as_json
    )
    say(f"stichwerk result {job} shows raw and mitigated values when it is done")
