"""What has become better or worse since the runs before: found, and said."""

from collections.abc import Sequence
from datetime import UTC, datetime
from statistics import NormalDist
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.scores.calibration_change import CalibrationChange, change_in_words
from compiler.scores.run_comparison import FALSE_ALARMS, Play, comparable, compare
from compiler.words.machine_names import calibration_digest, machine_of
from workers.jobs.states import State
from workers.records.calibrations import calibration_change
from workers.records.tables import Compilation, Job, ScoreRow

MOST_BEFORE = 30
"""Earlier runs that one is compared with."""

COLUMNS = (
    Job.id, Job.finished_at, Job.created_at, ScoreRow.shots, ScoreRow.hellinger_fidelity,
    ScoreRow.normalized_fidelity,
)  # fmt: skip


def drifts(session: Session, jobs: Sequence[Job]) -> list[dict[str, Any]]:
    """Return the jobs whose fidelity differs from that of the same circuit before, on its machine.

    All comparisons hold together with 95 %; see `compiler.scores.run_comparison.compare`. What is
    not certain is not told. With each comes what of the calibration of
    the machine has changed most since, among what the circuit uses.

    Args:
        session: of the records.
        jobs: that have ended.
    """
    known = []
    for job in jobs:
        if job.state == State.DONE and (new := _play(session, job)) is not None:
            before = [row for row in _before(session, job) if comparable(new, _of(row), None)]
            if before:
                known.append((job, new, before))
    told = []
    for job, new, before in known:
        change = compare(new, [_of(row) for row in before], len(known))
        assert change is not None
        if change.verdict == "unclear":
            continue
        z = NormalDist().inv_cdf(1 - FALSE_ALARMS / (2 * len(known)))
        sigmas = abs(change.difference) / ((change.high - change.low) / 2 / z)
        worse = change.verdict == "worse"
        cause = calibration_change(session, job.id, [row.id for row in before], worse=worse)
        cause_words = change_in_words(cause, worse=worse)
        since = min(_aware(row.finished_at or row.created_at) for row in before)
        runs = "one run" if change.runs == 1 else f"{change.runs} runs"
        verb = "lost" if worse else "gained"
        told.append(
            {
                "job": job.id,
                "backend": job.backend,
                "program": job.program,
                "verdict": change.verdict,
                "difference": change.difference,
                "low": change.low,
                "high": change.high,
                "sigmas": sigmas,
                "runs": change.runs,
                "since": since.isoformat(timespec="seconds"),
                "calibration": _calibration(cause, cause_words),
                "told": f"{machine_of(job.backend)} {verb} {abs(change.difference):.3f} "
                f"on {job.program} against {runs} since {since:%Y-%m-%d %H:%M}, {sigmas:.1f} σ, "
                f"{cause_words}",
            }
        )
    return told


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


def _play(session: Session, job: Job) -> Play | None:
    row = session.execute(_scored().where(Job.id == job.id, Job.treatment.is_(None))).first()
    return None if row is None else _of(row)


def _before(session: Session, job: Job) -> Sequence[Any]:
    compilation = job.compilation
    if compilation is None or compilation.native_digest is None:
        return []
    return session.execute(
        _scored()
        .where(
            Job.id < job.id,
            _same_machine(job.backend),
            Job.treatment.is_(None),
            Compilation.native_digest == compilation.native_digest,
            Compilation.source_digest == compilation.source_digest,
            Compilation.encoding == compilation.encoding,
        )
        .order_by(Job.id.desc())
        .limit(MOST_BEFORE)
    ).all()


def _same_machine(backend: str) -> Any:
    """Return what jobs of a machine are known by; a device of one's own has many calibrations."""
    if not (digest := calibration_digest(backend)):
        return Job.backend == backend
    start, _, end = (part.replace("_", r"\_") for part in backend.partition(digest))
    return Job.backend.like(start + "_" * len(digest) + end, escape="\\")


def _scored() -> Any:
    return (
        select(*COLUMNS)
        .join(ScoreRow, ScoreRow.job_id == Job.id)
        .join(Compilation, Compilation.id == Job.compilation_id)
        .where(ScoreRow.kind == "raw", ScoreRow.hellinger_fidelity.is_not(None))
    )


def _of(row: Any) -> Play:
    return Play(row.shots, row.hellinger_fidelity, row.normalized_fidelity)


def _aware(at: datetime) -> datetime:
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
