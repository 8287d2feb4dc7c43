"""Configurations, by which runs are comparable, and scored runs, the newest first."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen
from sqlalchemy import (
    CTE,
    ColumnElement,
    Row,
    Select,
    SQLColumnExpression,
    String,
    and_,
    cast,
    func,
    or_,
    select,
)
from sqlalchemy.orm import Session

from compiler.scores.run_comparison import Play
from compiler.words.machine_names import calibrated, calibration_digest, machine_of
from workers.attributes import build
from workers.jobs.states import State
from workers.records.tables import Candidate, Compilation, Job, ScoreRow
from workers.records.tables.compilations import steps_from_zero

if TYPE_CHECKING:
    from compiler.scores.scoring import Score


CONFIGURATION_COLUMNS = (
    Compilation.program, Compilation.source_digest, Compilation.target, Compilation.method,
    Compilation.encoding, Compilation.objective, Compilation.without, Compilation.any_input,
    Compilation.qubits_saved,
)  # fmt: skip

CONFIGURATION_KEY: tuple[SQLColumnExpression[Any], ...] = (
    Compilation.program, Compilation.target, Compilation.method, Compilation.encoding,
    Compilation.objective, Compilation.any_input, Compilation.qubits_saved.is_(None),
    # PostgreSQL compares no JSON, but text.
    cast(Compilation.without, String),
)  # fmt: skip
"""Columns by which the compilations of one configuration are grouped; see `CONFIGURATION_COLUMNS`.

Versions of a file under one name are one group.
"""


@frozen
class Configuration:
    """Program, target and method of a compilation.

    Args:
        program: its name; with a part of its digest where several files share the name.
        digest: SHA-256 of the program's source.
        target: spec of the target.
        method: of synthesis and lowering.
        encoding: of a game; `none` for a circuit.
        variant: differences from the defaults; empty if there are none.
    """

    program: str
    digest: str
    target: str
    method: str
    encoding: str
    variant: str

    @property
    def way(self) -> str:
        """Method and options in a few words."""
        parts = [self.method, *([self.encoding] if self.encoding != "none" else []), self.variant]
        return " · ".join(filter(None, parts))


def configuration_of(row: Row[*tuple[Any, ...]]) -> Configuration:
    """Return the configuration of a row that holds `CONFIGURATION_COLUMNS`."""
    from workers.compilation.variant import variant

    reuse = row.qubits_saved is not None
    options = variant(row.objective, row.without, any_input=row.any_input, reuse_qubits=reuse)
    return build(Configuration, row, digest=row.source_digest, variant=options)


def distinct_names(configurations: Iterable[Configuration]) -> dict[str, str]:
    """Return the name of each program, by digest: files of one name may differ."""
    digests: defaultdict[str, set[str]] = defaultdict(set)
    for configuration in configurations:
        digests[configuration.program].add(configuration.digest)
    return {
        digest: name if len(same) == 1 else f"{name} ({digest[:8]})"
        for name, same in digests.items()
        for digest in same
    }


def distinct_targets(specs: Iterable[str]) -> dict[str, str]:
    """Return the name of each target, by its spec.

    A user's own device has its name; where there are several calibrations of it, with their
    difference.
    """
    calibrations: defaultdict[str, set[str]] = defaultdict(set)
    for spec in specs:
        calibrations[machine_of(spec)].add(spec)
    return {
        spec: machine if len(same) == 1 else calibrated(spec)
        for machine, same in calibrations.items()
        for spec in same
    }


def renamed(
    configuration: Configuration, names: Mapping[str, str], targets: Mapping[str, str]
) -> Configuration:
    """Return a configuration whose program and target have their distinct names."""
    return evolve(
        configuration,
        program=names[configuration.digest],
        target=targets.get(configuration.target, configuration.target),
    )


MAX_RUNS = 2000
"""Newest runs that are read at once."""

UNTREATED: ColumnElement[bool] = and_(
    Job.run_options.is_(None), or_(Job.executed.is_(None), Job.executed != "different")
)
"""Jobs that ran the circuit as it was compiled: no dynamical decoupling, twirling or extra noise,
and no other program by the provider's own account.

Treated runs belong to the raw run beside which they were made. Their counts say nothing of the
machine alone, so no series and no comparison holds them.
"""


@frozen
class Run:
    """A job that is done and scored.

    Args:
        job: its number.
        compilation_id: of the circuit that ran.
        at: its end; its submission, if the end is unknown.
        configuration: the program, target and options of the compilation.
        circuit: digest of the native circuit, or the number of its compilation without one.
        backend: of the run; a user's own device is one backend, with any calibration.
        calibration: digest of the calibration of such a device; else empty.
        shots: number of shots.
        two_qubit_gates: of the circuit.
        from_zero: whether the circuit holds from |0…0⟩ only.
        expected_fidelity: of the circuit by the device's calibration; None without one.
        run_seconds: of a simulator of this project; None elsewhere.
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
    from_zero: bool
    expected_fidelity: float | None
    run_seconds: float | None
    scores: "Mapping[str, Score]"

    @property
    def calibrated_target(self) -> str:
        """Its target, with the calibration of a user's own device."""
        target = self.configuration.target
        return f"{target} · calibration {self.calibration}" if self.calibration else target

    @property
    def play(self) -> Play | None:
        """Its raw score; None if it has no fidelity."""
        raw = self.scores.get("raw")
        if raw is None or raw.hellinger_fidelity is None:
            return None
        return Play(raw.shots, raw.hellinger_fidelity, raw.normalized_fidelity)


def read_runs(session: Session, *conditions: ColumnElement[bool]) -> list[Run]:
    """Return the `MAX_RUNS` newest runs, the newest first.

    Args:
        session: of the records.
        conditions: on columns of `Job` and `Compilation`, that they must meet.
    """
    newest = _runs(*conditions).order_by(Job.id.desc()).limit(MAX_RUNS).subquery()
    scores: defaultdict[int, dict[str, Score]] = defaultdict(dict)
    for row in session.scalars(select(ScoreRow).join(newest, newest.c.id == ScoreRow.job_id)):
        scores[row.job_id][row.kind] = row.score
    columns = (
        Job.id.label("job"), Job.compilation_id, Job.created_at, Job.finished_at, Job.backend,
        Job.shots, Job.run_seconds, Compilation.native_digest, Candidate.two_qubit_gates,
        Candidate.steps, Candidate.expected_fidelity, *CONFIGURATION_COLUMNS,
    )  # fmt: skip
    chosen = and_(Candidate.compilation_id == Compilation.id, Candidate.chosen)
    jobs = (
        select(*columns)
        .join(newest, newest.c.id == Job.id)
        .join(Compilation, Compilation.id == Job.compilation_id)
        .join(Candidate, chosen)
        .order_by(Job.id.desc())
    )
    return [
        build(
            Run,
            row,
            at=row.finished_at or row.created_at,
            configuration=evolve(configuration_of(row), target=machine_of(row.target)),
            circuit=row.native_digest or f"compilation {row.compilation_id}",
            backend=machine_of(row.backend),
            calibration=calibration_digest(row.target),
            from_zero=steps_from_zero(row.steps),
            scores=scores[row.job],
        )
        for row in session.execute(jobs)
    ]


def newest_runs(session: Session, limit: int) -> tuple[list[Run], int]:
    """Return the newest run of every configuration on every backend with its observables.

    The newest come first.

    Args:
        session: of the records.
        limit: number of runs.

    Returns:
        The runs, and the number of older ones beyond the limit.
    """
    # In two steps, the first of which looks up no more than the ends of an index: there may be
    # many jobs of each compilation, but not of many backends.
    backends = _backends()
    last = (
        select(
            select(func.max(Job.id))
            .where(
                Job.state == State.DONE,
                Job.backend == backends.c.backend,
                Job.compilation_id == Compilation.id,
                UNTREATED,
            )
            .scalar_subquery()
            .label("id"),
            backends.c.backend,
            Compilation.id.label("compilation_id"),
        )
        .join(backends, backends.c.backend.is_not(None))
        .subquery()
    )
    newest = func.max(last.c.id)
    jobs = session.scalars(
        select(newest)
        .join(Compilation, Compilation.id == last.c.compilation_id)
        .where(select(ScoreRow.id).where(ScoreRow.job_id == last.c.id).exists())
        .group_by(last.c.backend, *CONFIGURATION_KEY)
        .order_by(newest.desc())
    ).all()
    runs = read_runs(session, Job.id.in_(jobs[:limit]))
    return runs, max(0, len(jobs) - limit)


def _backends() -> CTE:
    """Return a table of the backends that jobs were done on, each found in an index by the last."""
    first = select(func.min(Job.backend)).where(Job.state == State.DONE)
    backends = select(first.scalar_subquery().label("backend")).cte("backends", recursive=True)
    following = first.where(Job.backend > backends.c.backend).scalar_subquery()
    return backends.union_all(select(following).where(backends.c.backend.is_not(None)))


def count_runs(session: Session, *conditions: ColumnElement[bool]) -> int:
    """Return how many runs meet conditions as those of `read_runs`."""
    rows = select(func.count()).select_from(_runs(*conditions).subquery())
    return session.execute(rows).scalar_one()


def _runs(*conditions: ColumnElement[bool]) -> Select[int]:
    return (
        select(Job.id)
        .join(Compilation, Compilation.id == Job.compilation_id)
        .where(Job.state == State.DONE, UNTREATED, Job.scores.any(), *conditions)
    )
