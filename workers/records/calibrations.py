"""Calibrations that were stored with jobs, and their changes."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.scores.run_comparison import CalibratedError, CalibrationChange, most_changed
from compiler.targets.calibration import calibration_of
from workers.records.tables import Job


def calibration_of_target(target: str) -> tuple[str | None, datetime | None]:
    """Return the digest and the time of the calibration of a target, as far as they are known."""
    calibration = calibration_of(target)
    if calibration is None:
        return None, None
    try:
        at = datetime.fromisoformat(calibration.at)
        return calibration.digest, at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return calibration.digest, None


def calibration_change(
    session: Session, job_id: int, before: Sequence[int], *, worse: bool
) -> CalibrationChange | None:
    """Return the largest change of a job's calibration since those of earlier jobs.

    Args:
        session: of the records.
        job_id: of the newest run.
        before: earlier runs of the same native circuit on the same backend.
        worse: whether to search for errors that have grown; else for those that have shrunk.
    """
    by_job = calibrations(session, [job_id, *before])
    if job_id not in by_job:
        return None
    return most_changed(by_job.pop(job_id), list(by_job.values()), worse=worse)


def calibrations(session: Session, jobs: Sequence[int]) -> dict[int, list[CalibratedError]]:
    """Return the calibrated errors that are kept with jobs, by job."""
    rows = session.execute(select(Job.id, Job.calibration).where(Job.id.in_(jobs)))
    return {job: _errors(recorded) for job, recorded in rows if recorded is not None}


def _errors(recorded: Mapping[str, Any]) -> list[CalibratedError]:
    return [
        CalibratedError(error["what"], tuple(error["on"]), error["error"], error["uses"])
        for error in recorded["errors"]
    ]
