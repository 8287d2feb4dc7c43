"""Fidelities that have changed since the runs before, with the calibration that changed most."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from compiler.scores.calibration_change import CalibrationChange, change_in_words
from compiler.words.plurals import how_many
from workers.records.calibrations import calibration_change
from workers.records.queries.comparisons import Comparison, compare_jobs
from workers.records.tables import Job


def drifts(session: Session, jobs: Sequence[Job]) -> list[dict[str, Any]]:
    """Return the significant changes of jobs' fidelities; see `compare_jobs`.

    With each comes the change of the calibration that is largest since, among the gates and
    qubits that the circuit uses.

    Args:
        session: of the records.
        jobs: that have ended.
    """
    comparisons = compare_jobs(session, [job.id for job in jobs])
    found = {one.newest.job: _drift(session, one) for one in comparisons}
    return [drift for job in jobs if (drift := found.get(job.id)) is not None]


def _drift(session: Session, comparison: Comparison) -> dict[str, Any] | None:
    change, run = comparison.change, comparison.newest
    if change is None or not change.significant:
        return None
    worse = change.verdict == "worse"
    earlier = comparison.earlier
    cause = calibration_change(session, run.job, [one.job for one in earlier], worse=worse)
    cause_words = change_in_words(cause, worse=worse)
    since = min(one.at for one in earlier)
    runs = "one run" if change.runs == 1 else how_many(change.runs, "run")
    program, backend = run.configuration.program, session.get_one(Job, run.job).backend
    return {
        "job": run.job,
        "backend": backend,
        "program": program,
        "verdict": change.verdict,
        "difference": change.difference,
        "low": change.low,
        "high": change.high,
        "sigmas": change.sigmas,
        "runs": change.runs,
        "since": since.isoformat(timespec="seconds"),
        "calibration": _calibration(cause, cause_words),
        "told": f"{run.backend} {'lost' if worse else 'gained'} {abs(change.difference):.3f} "
        f"on {program} against {runs} since {since:%Y-%m-%d %H:%M}, {change.sigmas:.1f} σ, "
        f"{cause_words}",
    }


def _calibration(cause: CalibrationChange | None, told: str) -> dict[str, Any]:
    """Return what of the calibration has changed most; `changed` is None if that is too little."""
    if cause is None:
        return {"known": False, "changed": None, "largest": None, "told": told}
    now = cause.now
    changed = {
        "what": now.what,
        "on": list(now.on),
        "before": cause.before,
        "now": now.error,
        "uses": now.uses,
    }
    return {
        "known": True,
        "changed": changed if cause.notable else None,
        "largest": cause.largest,
        "told": told,
    }
