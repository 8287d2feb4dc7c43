"""Running a circuit with many values of its parameters, or all questions of a game, as one job."""

from collections.abc import Sequence
from decimal import Decimal
from uuid import uuid4

from attrs import evolve
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.compilation.listener import Each
from compiler.errors import InputError
from service.cli.output.printing import progress
from workers.batches.batch import Batch
from workers.batches.submitting import submit_batch
from workers.jobs.request import Submission
from workers.jobs.without_queue import finish_job
from workers.records.tables import Job
from workers.settings import settings


def bound_batch(submissions: Sequence[Submission], methods: Sequence[str]) -> tuple[str, Batch]:
    """Return the key and the batch of runs of one circuit with many values, or of many questions.

    Args:
        submissions: one for each set of values or question, checked.
        methods: of mitigation.

    Raises:
        InputError: if each is to be mitigated or repeated.
    """
    if methods or submissions[0].repeat > 1:
        raise InputError(
            "several circuits make one job of several runs: leave out --mitigation and --repeat, "
            "or give one set of values or one question"
        )
    key = f"bound:{uuid4().hex}"
    jobs = [
        evolve(
            submission,
            seed=submission.seed + place,
            max_cost_usd=None,
            idempotency_key=f"{key}:{place}",
        )
        for place, submission in enumerate(submissions)
    ]
    name = submissions[0].order.source.name
    return key, Batch(f"{name} and {len(jobs) - 1} more"[:200], tuple(jobs))


def finish_bound(
    session: Session,
    submissions: Sequence[Submission],
    methods: Sequence[str],
    limit: Decimal | None,
    each: Each,
) -> tuple[Job, list[Job]]:
    """Run many circuits in this process, and return the parent job and the runs' jobs.

    Raises:
        InputError: if it costs too much.
        BackendError: if the backend refuses or fails one of the runs.
    """
    key, batch = bound_batch(submissions, methods)
    tag = submissions[0].tag
    parent = submit_batch(
        session, settings(), batch, key=key, tag=tag, max_cost_usd=limit, due=False
    )
    finish_job(session, parent, progress=progress, each=each)
    jobs = select(Job).where(Job.parent_id == parent.id).order_by(Job.id)
    return parent, list(session.scalars(jobs))
