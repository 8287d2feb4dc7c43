"""The newest scored jobs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import evolve, frozen
from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from compiler.judge import observable_title
from compiler.words.machine_names import calibration_digest, machine_of
from service.report.reading.configuration import (
    CONFIGURATION_COLUMNS,
    Configuration,
    configuration_of,
)
from service.report.reading.scope import MOST_KINDS, MOST_RUNS, Scope
from workers.compilation.native_digests import native_key
from workers.records.tables import Candidate, Compilation, Job, ObservableRow, ScoreRow

SCORE_COLUMNS = (
    ScoreRow.id, ScoreRow.job_id, ScoreRow.kind, ScoreRow.shots, ScoreRow.hellinger_fidelity,
    ScoreRow.normalized_fidelity, ScoreRow.legal_fraction,
)  # fmt: skip


OBSERVABLE_COLUMNS = (
    ObservableRow.score_id, ObservableRow.name, ObservableRow.kind, ObservableRow.measured,
    ObservableRow.low, ObservableRow.high, ObservableRow.exact,
)  # fmt: skip


@frozen
class Observed:
    """One observable of a score; see `compiler.scores.scoring.Estimate`."""

    kind: str
    measured: float | None
    low: float | None
    high: float | None
    exact: float | None


@frozen
class Points:
    """One score of a run; see `compiler.scores.scoring.Score`."""

    shots: int
    hellinger_fidelity: float | None
    normalized_fidelity: float | None
    legal_fraction: float
    observables: Mapping[str, Observed]

    @property
    def first(self) -> tuple[str, Observed] | None:
        """The most important observable, and what it is called; None if there is none."""
        for name, observed in self.observables.items():
            return observable_title(name, observed.kind), observed
        return None


@frozen
class Run:
    """A scored job.

    Args:
        job: its number.
        compilation_id: of the circuit that ran.
        at: when it ended; when it was submitted, if that is not known.
        configuration: what was compiled for what.
        circuit: the native circuit; see `native_key`.
        backend: where it ran; a device of one's own is one, whatever its calibration.
        calibration: digest that tells the calibrations of such a device apart; else empty.
        shots: how often.
        two_qubit_gates: of the circuit.
        expected_fidelity: of the circuit by the device's calibration; None without one.
        scores: by kind: `raw`, `post_selected`, …
    """

    job: int
    compilation_id: int
    at: datetime
    configuration: Configuration
    circuit: str
    backend: str
    calibration: str
    shots: int
    two_qubit_gates: int | None
    expected_fidelity: float | None
    scores: Mapping[str, Points]

    @property
    def calibrated_target(self) -> str:
        """Its target, with what tells the calibration of a device of one's own."""
        target = self.configuration.target
        return f"{target} · calibration {self.calibration}" if self.calibration else target


def read_runs(session: Session, scope: Scope) -> tuple[list[Run], int]:
    """Return the newest scored jobs, and how many there are in all."""
    scored = scope.jobs(select(Job.id).where(Job.scores.any()))
    newest = scored.order_by(Job.id.desc()).limit(MOST_RUNS).subquery()
    of_newest = newest.c.id == ScoreRow.job_id
    observables: defaultdict[int, dict[str, Observed]] = defaultdict(dict)
    observed = (
        select(*OBSERVABLE_COLUMNS)
        .join(ScoreRow, ScoreRow.id == ObservableRow.score_id)
        .join(newest, of_newest)
        .order_by(ObservableRow.score_id, ObservableRow.place)
    )
    for one in session.execute(observed):
        observables[one.score_id][one.name] = Observed(
            one.kind, one.measured, one.low, one.high, one.exact
        )
    scores: defaultdict[int, dict[str, Points]] = defaultdict(dict)
    for row in session.execute(select(*SCORE_COLUMNS).join(newest, of_newest)):
        scores[row.job_id][row.kind] = Points(
            row.shots,
            row.hellinger_fidelity,
            row.normalized_fidelity,
            row.legal_fraction,
            observables[row.id],
        )
    columns = (
        Job.id.label("job"), Job.compilation_id, Job.created_at, Job.finished_at, Job.backend,
        Job.shots, Compilation.native_digest, Candidate.two_qubit_gates,
        Candidate.expected_fidelity, *CONFIGURATION_COLUMNS,
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
            _of_machine(configuration_of(row)),
            native_key(row.native_digest, row.compilation_id),
            machine_of(row.backend),
            calibration_digest(row.target),
            row.shots,
            row.two_qubit_gates,
            row.expected_fidelity,
            scores[row.job],
        )
        for row in session.execute(rows)
    ]
    counted = select(func.count()).select_from(scored.subquery())
    return runs, session.execute(counted).scalar_one()


def _of_machine(configuration: Configuration) -> Configuration:
    return evolve(configuration, target=machine_of(configuration.target))


def runs_of_kind(runs: Sequence[Run]) -> list[list[Run]]:
    """Return the runs of each kind on each backend, newest first; the kinds by their newest."""
    groups: dict[tuple[Configuration, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.configuration, run.backend), []).append(run)
    return list(groups.values())[:MOST_KINDS]
