"""Batches: all of their jobs are begun at once, and told together when the last one has ended."""

from collections.abc import Sequence

from attrs import evolve

from workers.batches.asked import Batch, batch_from_json, targets_of
from workers.batches.found import batch_document
from workers.batches.pricing import price_batch
from workers.jobs.journal import note
from workers.jobs.keys import round_key
from workers.jobs.lookup import keyed_job
from workers.jobs.request import Submission, recorded_key
from workers.jobs.states import FINAL, State
from workers.jobs.submission import checked, submit
from workers.records.devices import recall_device
from workers.records.tables import Job
from workers.stages.context import StageContext
from workers.stages.rounds import FailedRoundError, OpenRoundError

MOST_TOLD = 3
"""Failed jobs that a batch's error names."""


def run_batch(context: StageContext) -> None:
    """Take a batch as far as its jobs have come, and record what came of them.

    Raises:
        OpenRoundError: if one has not ended yet.
        FailedRoundError: if one has been lost, so that the batch is not complete; what came of
            the others is recorded, and it can be retried.
    """
    session, parent = context.session, context.job
    assert parent.request is not None
    for spec in targets_of(parent.request):
        recall_device(session, spec)
    batch = batch_from_json(parent.request)
    jobs = [_job(context, asked, place) for place, asked in enumerate(batch.all_jobs)]
    left = [job.id for job in jobs if job.state not in FINAL]
    if left:
        price_batch(context, jobs)
        raise OpenRoundError(f"{len(left)} of {len(jobs)} jobs have not ended")
    for job in jobs:
        # Others have ended them since they were read.
        session.refresh(job)
    found = batch_document(session, batch, jobs)
    parent.result = found
    for one in found["drifts"]:
        note(session, parent, parent.state, one["told"])
    if found["lost"]:
        session.commit()
        raise FailedRoundError(_told(batch, jobs, found["lost"]))


def _job(context: StageContext, asked: Submission, place: int) -> Job:
    session, parent = context.session, context.job
    known = keyed_job(session, recorded_key(asked.idempotency_key or "", parent.token_id))
    if known is not None:
        return known
    context.lease.require()
    ready = checked(
        evolve(
            asked,
            token_id=parent.token_id,
            parent_id=parent.id,
            provider_key=round_key(parent.key, place),
        )
    )
    told = f"{ready.order.source.name} on {ready.backend}: {ready.shots} shots"
    note(session, parent, parent.state, told)
    (one,) = submit(session, context.settings, ready)
    return one


def _told(batch: Batch, jobs: Sequence[Job], lost: Sequence[int]) -> str:
    named = [
        f"job {job.id} ({job.program} on {job.backend}) is {job.state}"
        + (f": {job.error}" if job.error else "")
        for job in jobs
        if job.id in lost and job.state != State.DONE
    ]
    more = f" and {len(named) - MOST_TOLD} more" if len(named) > MOST_TOLD else ""
    return f"{len(named)} of {len(jobs)} jobs are lost: {'; '.join(named[:MOST_TOLD])}{more}"
