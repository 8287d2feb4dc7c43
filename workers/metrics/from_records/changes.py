"""Whether machines got better: the newest runs against earlier ones of the same circuit."""

from collections.abc import Iterator, Sequence

from prometheus_client.core import Metric
from sqlalchemy import select
from sqlalchemy.orm import Session

from compiler.scores.run_comparison import Change, Play, comparable, compare
from workers.compilation.native_digests import native_key
from workers.metrics.family import gauge
from workers.metrics.from_records.runs import BY_RUN
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


def change_metrics(session: Session, kept: Sequence[tuple[Sequence[str], Job]]) -> Iterator[Metric]:
    """Yield how the newest runs differ from those before, where there are any.

    Intervals are wide enough for all of these comparisons together; see `compare`.

    Args:
        session: of the database that holds the records.
        kept: the newest run of every combination on every backend, with its labels.
    """
    plays = _plays(session)
    found = [(labels, *_against(plays, job.id)) for labels, job in kept if job.id in plays]
    comparisons = sum(bool(before) for _, _, before in found)
    family = CHANGE.read()
    for labels, new, before in found:
        if before:
            change = compare(new, before, comparisons)
            for bound, value in _bounds(change).items():
                family.add_metric([*labels, bound], value)
    yield family


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
        .where(ScoreRow.kind == "raw")
        .order_by(Job.id.desc())
        .limit(MOST_COMPARED)
    )  # fmt: skip
    return {
        job: (
            (native_key(digest, compilation), source, encoding, backend),
            Play(shots, fidelity, normalized),
        )
        for job, backend, compilation, digest, source, encoding, shots, fidelity, normalized in rows
        if fidelity is not None
    }


def _against(
    plays: dict[int, tuple[tuple[str, ...], Play]], newest: int
) -> tuple[Play, list[Play]]:
    circuit, new = plays[newest]
    before = [
        play
        for job, (other, play) in plays.items()
        if job < newest and other == circuit and comparable(new, play, None)
    ]
    return new, before


def _bounds(change: Change | None) -> dict[str, float]:
    if change is None:
        return {}
    return {"low": change.low, "estimate": change.difference, "high": change.high}
