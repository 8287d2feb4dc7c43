"""Whether machines got better: the newest runs against earlier ones of the same circuit."""

from collections.abc import Iterator, Sequence

from prometheus_client.core import Metric
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.scores.run_comparison import Change, Play, comparable, compare
from compiler.words.machine_names import machine_of
from workers.compilation.native_digests import native_key
from workers.metrics.family import gauge
from workers.metrics.from_records.runs import BY_RUN
from workers.metrics.labels import plain
from workers.records.calibrations import calibration_change
from workers.records.tables import Compilation, Job, ScoreRow

MOST_COMPARED = 2000
"""Newest scored jobs that are looked at."""

CHANGE = gauge(
    "stichwerk_benchmark_fidelity_change_ratio",
    "Normalised fidelity of the newest run less that of earlier runs of the same native circuit "
    "with as many shots: the estimate, and the low and high end of its interval",
    *BY_RUN,
    "bound",
)

CALIBRATION = gauge(
    "stichwerk_benchmark_calibration_change_ratio",
    "How much the error has grown that has become most worse since, of what the newest run used, "
    "by its device's calibration: now less the median of the same earlier runs; `place` is its "
    "qubit or coupler",
    *BY_RUN,
    "place",
    "error",
)


def change_metrics(session: Session, kept: Sequence[tuple[Sequence[str], Job]]) -> Iterator[Metric]:
    """Yield how the newest runs differ from those before, where there are any, and what may be why.

    Intervals are wide enough for all of these comparisons together; see `compare`.

    Args:
        session: of the database that holds the records.
        kept: the newest run of every combination on every backend, with its labels.
    """
    plays = _plays(session)
    found = [(labels, job.id, *_against(plays, job.id)) for labels, job in kept if job.id in plays]
    comparisons = sum(bool(before) for *_, before in found)
    family, calibration = CHANGE.read(), CALIBRATION.read()
    for labels, job_id, new, before in found:
        if not before:
            continue
        change = compare(new, list(before.values()), comparisons)
        for bound, value in _bounds(change).items():
            family.add_metric([*labels, bound], value)
        cause = calibration_change(session, job_id, list(before), worse=True)
        if cause is not None and cause.notable:
            grown = cause.now.error - cause.before
            calibration.add_metric([*labels, cause.now.place, plain(cause.now.what)], grown)
    yield family
    yield calibration


def _plays(session: Session) -> dict[int, tuple[tuple[str, ...], Play]]:
    """Return the newest runs, the newest first: what tells their circuits apart, and how well."""
    rows = session.execute(
        select(
            Job.id, Job.backend, Compilation.id, Compilation.native_digest,
            Compilation.source_digest, Compilation.encoding, ScoreRow.shots,
            ScoreRow.hellinger_fidelity, ScoreRow.normalized_fidelity,
        )
        .join(ScoreRow, ScoreRow.job_id == Job.id)
        .join(Compilation, Compilation.id == Job.compilation_id)
        .where(ScoreRow.kind == "raw", Job.treatment.is_(None))
        .order_by(Job.id.desc())
        .limit(MOST_COMPARED)
    )  # fmt: skip
    return {
        job: (
            (native_key(digest, compilation), source, encoding, machine_of(backend)),
            Play(shots, fidelity, normalized),
        )
        for job, backend, compilation, digest, source, encoding, shots, fidelity, normalized in rows
        if fidelity is not None
    }


def _against(
    plays: dict[int, tuple[tuple[str, ...], Play]], newest: int
) -> tuple[Play, dict[int, Play]]:
    circuit, new = plays[newest]
    before = {
        job: play
        for job, (other, play) in plays.items()
        if job < newest and other == circuit and comparable(new, play, None)
    }
    return new, before


def _bounds(change: Change | None) -> dict[str, float]:
    if change is None:
        return {}
    return {"low": change.low, "estimate": change.difference, "high": change.high}
