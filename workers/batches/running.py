"""Running a batch: all of its jobs begin at once, and their results are collected at the end."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from workers.batches.batch import Batch, batch_from_json, targets_of
from workers.batches.drift import drifts
from workers.batches.pricing import price_batch
from workers.jobs.journal import note
from workers.jobs.states import FINAL, State
from workers.mitigation.document import mitigated_document
from workers.records.devices import recall_device
from workers.records.tables import Job
from workers.score.document import score_document
from workers.score.parts import Outcome, ScoredPart, lost, played, unplayed
from workers.score.planning import PlannedPart
from workers.stages.child_jobs import FailedChildError, OpenChildError, child_job
from workers.stages.context import StageContext

MAX_NAMED = 3
"""Failed jobs that a batch's error names."""


def run_batch(context: StageContext) -> None:
    """Take a batch as far as its jobs have come, and record what came of them.

    Raises:
        OpenChildError: if one has not ended yet.
        FailedChildError: if one has been lost, so that the batch is not complete; what came of
            the others is recorded, and it can be retried.
    """
    session, parent = context.session, context.job
    assert parent.request is not None
    for spec in targets_of(parent.request):
        recall_device(session, spec)
    batch = batch_from_json(parent.request)
    jobs = [
        child_job(
            context,
            asked,
            place,
            f"{asked.order.source.name} on {asked.backend}: {asked.shots} shots",
        )
        for place, asked in enumerate(batch.all_jobs)
    ]
    left = [job.id for job in jobs if job.state not in FINAL]
    if left:
        price_batch(context, jobs)
        raise OpenChildError(f"{len(left)} of {len(jobs)} jobs have not ended")
    for job in jobs:
        # Others have ended them since they were read.
        session.refresh(job)
    found = batch_document(session, batch, jobs)
    parent.result = found
    for one in found["drifts"]:
        note(session, parent, parent.state, one["told"])
    if found["lost"]:
        session.commit()
        raise FailedChildError(_loss(batch, jobs, found["lost"]))


def _loss(batch: Batch, jobs: Sequence[Job], lost: Sequence[int]) -> str:
    named = [
        f"job {job.id} ({job.program} on {job.backend}) is {job.state}"
        + (f": {job.error}" if job.error else "")
        for job in jobs
        if job.id in lost and job.state != State.DONE
    ]
    more = f" and {len(named) - MAX_NAMED} more" if len(named) > MAX_NAMED else ""
    return f"{len(named)} of {len(jobs)} jobs are lost: {'; '.join(named[:MAX_NAMED])}{more}"


def batch_document(session: Session, batch: Batch, jobs: Sequence[Job]) -> dict[str, Any]:
    """Return what came of a batch whose jobs have all ended.

    `lost` are the jobs without which it is not complete: those of providers that have failed,
    and any that was cancelled.

    Args:
        session: of the records.
        batch: what was asked for.
        jobs: of `batch.all_jobs`, in this order.
    """
    missing = [job.id for job in jobs if job.state != State.DONE]
    if batch.mitigation:
        # Without one of its runs nothing is known: each counts, also one of a simulator.
        mitigated = None if missing else mitigated_document(batch.mitigation, jobs)
    places = {asked.idempotency_key: job for asked, job in zip(batch.all_jobs, jobs, strict=True)}
    scored = [(run, [_part(one, places) for one in parts]) for run, parts in batch.scores]
    return {
        "name": batch.name,
        "scores": [score_document(session, run, parts) for run, parts in scored],
        "jobs": [_job(places[asked.idempotency_key]) for asked in batch.jobs],
        "drifts": drifts(session, jobs),
        **({"mitigated": mitigated} if batch.mitigation else {}),
        "lost": missing if batch.mitigation else [job.id for job in jobs if _is_lost(job)],
    }


def _part(one: PlannedPart, places: Mapping[str | None, Job]) -> ScoredPart:
    if one.asked is None:
        return unplayed(one.part, one.refused)
    job = places[one.asked.idempotency_key]
    if job.state == State.DONE:
        return played(one.part, job)
    outcome = Outcome.FAILED if _is_lost(job) else Outcome.UNSUPPORTED
    return unplayed(one.part, job.error or f"job {job.id} is {job.state}", outcome)


def _is_lost(job: Job) -> bool:
    if job.state == State.DONE:
        return False
    return job.state == State.CANCELLED or lost(job.backend) is Outcome.FAILED


def _job(job: Job) -> dict[str, Any]:
    raw = job.score_of("raw")
    return {
        "job": job.id,
        "program": job.program,
        "backend": job.backend,
        "state": job.state,
        "shots": job.shots,
        "hellinger_fidelity": raw and raw.hellinger_fidelity,
        "normalized_fidelity": raw and raw.normalized_fidelity,
        "error": job.error,
    }
