"""The result of a run of a suite, from the rows of its jobs."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy.orm import Session

from workers.provenance import revision, versions
from workers.records.tables import MICRO, Job, now
from workers.score.document import score_document
from workers.score.parts import PlayedPart
from workers.score.planning import ScoreRun


def result_of(session: Session, run: ScoreRun, parts: Sequence[PlayedPart]) -> dict[str, Any]:
    """Return the document of a score; see `score_document`.

    Its time is that of its last measurement, and its versions those that compiled its circuits,
    so that the same run is always told the same.
    """
    numbers = [one.figures["job"] for one in parts if one.figures["job"] is not None]
    jobs = [session.get_one(Job, number) for number in numbers]
    ended = [_aware(job.finished_at) for job in jobs if job.finished_at is not None]
    newest = max(jobs, key=lambda job: job.id, default=None)
    made = (versions(), revision())
    if newest is not None:
        made = (newest.compiled.versions, newest.compiled.revision)
    return score_document(run, parts, max(ended, default=now()), _cost(jobs), made)


def _cost(jobs: Sequence[Job]) -> str | None:
    """Return what was charged, or else expected, for all of them together; None if nothing."""
    costs = [
        job.estimated_cost_microusd if job.charged_microusd is None else job.charged_microusd
        for job in jobs
    ]
    known = [cost for cost in costs if cost is not None]
    return f"{Decimal(sum(known)) / MICRO:f}" if known else None


def _aware(at: datetime) -> datetime:
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
