"""What came of a batch: its scores, its jobs, and what they cost together."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from workers.batches.asked import Batch
from workers.batches.drift import drifts
from workers.jobs.states import State
from workers.mitigation.document import mitigated_document
from workers.records.tables import Job
from workers.score.parts import Outcome, PlayedPart, lost, played, unplayed
from workers.score.planning import PlannedPart
from workers.score.result import result_of


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
        "scores": [result_of(session, run, parts) for run, parts in scored],
        "jobs": [_told(places[asked.idempotency_key]) for asked in batch.jobs],
        "drifts": drifts(session, jobs),
        **({"mitigated": mitigated} if batch.mitigation else {}),
        "lost": missing if batch.mitigation else [job.id for job in jobs if _is_lost(job)],
    }


def _part(one: PlannedPart, places: Mapping[str | None, Job]) -> PlayedPart:
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


def _told(job: Job) -> dict[str, Any]:
    raw = next((score for score in job.scores if score.kind == "raw"), None)
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
