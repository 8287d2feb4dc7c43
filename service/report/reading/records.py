"""Everything that a report is made of."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from attrs import evolve, frozen
from sqlalchemy.orm import Session

from service.report.plot import hues
from service.report.reading.compiled import (
    Compiled,
    Tried,
    newest_of_kind,
    read_compiled,
    read_tried,
    read_without_choice,
)
from service.report.reading.jobs import JobFacts, read_jobs
from service.report.reading.limits import MOST_ESTIMATES, MOST_KINDS
from service.report.reading.machines import (
    NewestRun,
    Played,
    circuits_of,
    newest_runs,
    runs_of_kind,
)
from service.report.reading.peers import read_peers
from service.report.reading.programs import Programs
from service.report.reading.queueing import Queueing, read_queueing
from workers.estimation.recorded import FINISHED, RecordedEstimate, finished_estimates
from workers.records.queries.configurations import distinct_names, distinct_targets, renamed
from workers.records.queries.outcome_counts import OutcomeCounts
from workers.records.queries.runs import Run, count_runs, read_runs
from workers.records.queries.scope import Scope
from workers.records.tables import Compilation, PeerResult

Configured = TypeVar("Configured", Compiled, Run)
"""What has a configuration."""


@frozen(eq=False)
class Records:
    """Everything that a report is made of, the newest first.

    Args:
        scope: what was asked for.
        compilations: the newest that chose a candidate.
        all_compilations: how many there are.
        by_kind: the compilations of each kind.
        tried: every candidate of the newest compilation of each kind.
        without_choice: compilations that chose nothing.
        runs: the newest scored jobs.
        all_runs: how many there are.
        runs_by_kind: the runs of each kind on each backend.
        circuits: the native circuits of each kind on each backend.
        newest_runs: the newest run of each current circuit against those before.
        peers: the newest result of every compiler for every case.
        queueing: where jobs are and were.
        jobs: the newest jobs with all that is known of them; no rounds of estimates.
        all_jobs: how many there are.
        estimates: the newest finished ones.
        devices: colours of the backends.
        targets: what targets are called, by their specs.
        programs: reads programs again.
    """

    scope: Scope
    compilations: Sequence[Compiled]
    all_compilations: int
    by_kind: Sequence[Sequence[Compiled]]
    tried: Sequence[Tried]
    without_choice: Sequence[Compilation]
    runs: Sequence[Run]
    all_runs: int
    runs_by_kind: Sequence[Sequence[Run]]
    circuits: Sequence[Played]
    newest_runs: Sequence[NewestRun]
    peers: Sequence[PeerResult]
    queueing: Queueing
    jobs: Sequence[JobFacts]
    all_jobs: int
    estimates: Sequence[RecordedEstimate]
    devices: Mapping[str, str]
    targets: Mapping[str, str]
    programs: Programs

    @property
    def linked(self) -> frozenset[int]:
        """Numbers of the jobs that can be looked into."""
        return frozenset(job.row.id for job in self.jobs)


def read_records(session: Session, scope: Scope) -> Records:
    """Read everything that a report is made of."""
    compilations, all_compilations = read_compiled(session, scope)
    runs, all_runs = read_runs(session, scope, observables=True), count_runs(session, scope)
    jobs, all_jobs = read_jobs(session, scope)
    ran = [job.compiled for job in jobs if job.compiled is not None]
    names = distinct_names(
        [one.configuration for one in (*compilations, *ran)] + [one.configuration for one in runs]
    )
    estimates = finished_estimates(session, scope.jobs(FINISHED), MOST_ESTIMATES)
    peers, without_choice = read_peers(session), read_without_choice(session, scope)
    targets = distinct_targets(
        [one.configuration.target for one in (*compilations, *ran)]
        + [one.target for one in estimates]
        + [one.target for one in peers]
        + [one.target for one in without_choice]
        + [job.row.target for job in jobs]
    )

    def shown(one: Configured) -> Configured:
        return evolve(one, configuration=renamed(one.configuration, names, targets))

    compilations = [shown(one) for one in compilations]
    runs = [shown(one) for one in runs]
    jobs = [job if job.compiled is None else evolve(job, compiled=shown(job.compiled))
            for job in jobs]  # fmt: skip
    by_kind = newest_of_kind(compilations)
    by_backend = runs_of_kind(runs)
    circuits = [played for group in by_backend for played in circuits_of(group)][:MOST_KINDS]
    programs = Programs(session)
    queueing = read_queueing(session, scope)
    return Records(
        scope,
        compilations,
        all_compilations,
        by_kind,
        read_tried(session, [group[0] for group in by_kind]),
        without_choice,
        runs,
        all_runs,
        by_backend,
        circuits,
        newest_runs(circuits, runs, OutcomeCounts(session).of),
        peers,
        queueing,
        jobs,
        all_jobs,
        estimates,
        hues([backend for _, backend in queueing.numbers]),
        targets,
        programs,
    )
