"""The newest scored jobs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import frozen
from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from service.report.reading.kinds import KIND_COLUMNS, Kind, kind_of
from service.report.reading.scope import MOST_KINDS, MOST_RUNS, Scope
from workers.native_digests import native_key
from workers.records import Candidate, Compilation, Job, ScoreRow

SCORE_COLUMNS = (
    ScoreRow.job_id, ScoreRow.kind, ScoreRow.shots, ScoreRow.hellinger_fidelity,
    ScoreRow.normalized_fidelity, ScoreRow.legal_fraction, ScoreRow.p_win, ScoreRow.p_win_low,
    ScoreRow.p_win_high, ScoreRow.p_win_exact,
)  # fmt: skip


@frozen
class Points:
    """One score of a run; see `compiler.scoring.Score`."""

    shots: int
    hellinger_fidelity: float | None
    normalized_fidelity: float | None
    legal_fraction: float
    p_win: float
    p_win_low: float
    p_win_high: float
    p_win_exact: float | None


@frozen
class Run:
    """A scored job.

    Args:
        job: its number.
        compilation_id: of the circuit that ran.
        at: when it ended; when it was submitted, if that is not known.
        kind: what was compiled for what.
        circuit: the native circuit; see `native_key`.
        backend: where it ran.
        shots: how often.
        two_qubit_gates: of the circuit.
        expected_fidelity: of the circuit by the device's calibration; None without one.
        scores: by kind: `raw`, `post_selected`, …
    """

    job: int
    compilation_id: int
    at: datetime
    kind: Kind
    circuit: str
    backend: str
    shots: int
    two_qubit_gates: int | None
    expected_fidelity: float | None
    scores: Mapping[str, Points]


def read_runs(session: Session, scope: Scope) -> tuple[list[Run], int]:
    """Return the newest scored jobs, and how many there are in all."""
    scored = scope.jobs(select(Job.id).where(Job.scores.any()))
    newest = scored.order_by(Job.id.desc()).limit(MOST_RUNS).subquery()
    scores: defaultdict[int, dict[str, Points]] = defaultdict(dict)
    for row in session.execute(select(*SCORE_COLUMNS).join(newest, newest.c.id == ScoreRow.job_id)):
        job, kind, *values = row
        scores[job][kind] = Points(*values)
    columns = (
        Job.id.label("job"), Job.compilation_id, Job.created_at, Job.finished_at, Job.backend,
        Job.shots, Compilation.native_digest, Candidate.two_qubit_gates,
        Candidate.expected_fidelity, *KIND_COLUMNS,
    )  # fmt: skip
    chosen = and_(Candidate.compilation_id == Compilation.id, Candidate.chosen)
    rows = (
        select(*columns)
        .join(newest, newest.c.id == Job.id)
        .join(Compilation, Compilation.id == Job.compilation_id)
        .join(Candidate, chosen)
        .order_by(Job.id.desc())
    )
    runs = [
        Run(
            row.job,
            row.compilation_id,
            row.finished_at or row.created_at,
            kind_of(row),
            native_key(row.native_digest, row.compilation_id),
            row.backend,
            row.shots,
            row.two_qubit_gates,
            row.expected_fidelity,
            scores[row.job],
        )
        for row in session.execute(rows)
    ]
    counted = select(func.count()).select_from(scored.subquery())
    return runs, session.execute(counted).scalar_one()


def runs_of_kind(runs: Sequence[Run]) -> list[list[Run]]:
    """Return the runs of each kind on each backend, newest first; the kinds by their newest."""
    groups: dict[tuple[Kind, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.kind, run.backend), []).append(run)
    return list(groups.values())[:MOST_KINDS]
