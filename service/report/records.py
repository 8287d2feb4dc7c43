"""Records that a report shows."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import TypeVar

from attrs import evolve, frozen
from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session, selectinload

from service.pages.plots import hues
from workers.records.queries.comparisons import NewestRun, Played, circuits_of, compare_newest
from workers.records.queries.compilations import (
    Compiled,
    newest_peer_results,
    read_compiled,
    read_compiled_of,
    read_tried,
)
from workers.records.queries.estimates import RecordedEstimate, finished_estimates
from workers.records.queries.programs import Programs
from workers.records.queries.queueing import MAX_FAILED, Queueing, read_queueing
from workers.records.queries.runs import (
    Run,
    count_runs,
    distinct_names,
    distinct_targets,
    read_runs,
    renamed,
)
from workers.records.queries.scope import NO_ROUND
from workers.records.tables import Candidate, Job, PeerResult, usd
from workers.settings import Settings
from workers.status.waiting import ServiceWork, service_work

MAX_COMPILATIONS = 1000
MAX_KINDS = 60
"""Newest runs and compilations of which there is one row or one picture each."""
MAX_TRIED = 1000
"""Candidates in tables."""
MAX_ESTIMATES = 500
MAX_JOBS = 300
"""Jobs with a page of details."""
MAX_PEER_RESULTS = 500

Configured = TypeVar("Configured", Compiled, Run)
"""Records with a configuration."""


@frozen(eq=False)
class JobFacts:
    """A job.

    Args:
        row: its record, with its scores and events.
        compiled: its compilation; None if nothing was chosen yet.
        charged_usd: its charge, or that of its child jobs together; None without one.
    """

    row: Job
    compiled: Compiled | None
    charged_usd: Decimal | None = None


@frozen
class ServiceHealth:
    """Work of the service and problems that stop jobs.

    Args:
        work: when the report was made.
        quarantined: numbers, programs, backends, reasons and times of the newest jobs that a
            person must look at.
    """

    work: ServiceWork
    quarantined: Sequence[Row[int, str, str, str | None, datetime]]


@frozen(eq=False)
class Records:
    """All records of a report, the newest first.

    Args:
        compilations: the newest that chose a candidate.
        all_compilations: their number.
        by_kind: the compilations of each kind.
        tried: every candidate of the newest compilation of each kind.
        runs: the newest scored jobs.
        all_runs: their number.
        runs_by_kind: the runs of each kind on each backend.
        circuits: the native circuits of each kind on each backend.
        newest_runs: the newest run of each current circuit against those before.
        peers: the newest result of every compiler for every case.
        queueing: present and past states of jobs.
        jobs: the newest jobs with their details; no rounds of estimates.
        all_jobs: their number.
        estimates: the newest finished ones.
        devices: colours of the backends.
        targets: names of targets, by their specs.
        programs: reads programs again.
    """

    compilations: Sequence[Compiled]
    all_compilations: int
    by_kind: Sequence[Sequence[Compiled]]
    tried: Sequence[Candidate]
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


def read_records(session: Session, token_id: int | None = None) -> Records:
    """Read everything that a report is made of, of runs only those of a token if it is given."""
    compilations, all_compilations = read_compiled(session, MAX_COMPILATIONS)
    own = [] if token_id is None else [Job.token_id == token_id]
    runs, all_runs = read_runs(session, *own), count_runs(session, *own)
    jobs, all_jobs = read_jobs(session)
    ran = [job.compiled for job in jobs if job.compiled is not None]
    names = distinct_names(
        [run.configuration for run in (*compilations, *ran)] + [run.configuration for run in runs]
    )
    estimates = finished_estimates(session, MAX_ESTIMATES)
    peers = newest_peer_results(session)[:MAX_PEER_RESULTS]
    targets = distinct_targets(
        [compilation.configuration.target for compilation in (*compilations, *ran)]
        + [estimate.target for estimate in estimates]
        + [peer.target for peer in peers]
        + [job.row.target for job in jobs]
    )

    def shown(row: Configured) -> Configured:
        return evolve(row, configuration=renamed(row.configuration, names, targets))

    compilations = [shown(compilation) for compilation in compilations]
    runs = [shown(run) for run in runs]
    jobs = [job if job.compiled is None else evolve(job, compiled=shown(job.compiled))
            for job in jobs]  # fmt: skip
    by_kind = _groups(compilations, lambda row: row.configuration)
    by_backend = _groups(runs, lambda run: (run.configuration, run.backend))
    circuits = [played for group in by_backend for played in circuits_of(group)][:MAX_KINDS]
    programs = Programs(session)
    queueing = read_queueing(session)
    return Records(
        compilations,
        all_compilations,
        by_kind,
        read_tried(session, [group[0].id for group in by_kind], MAX_TRIED),
        runs,
        all_runs,
        by_backend,
        circuits,
        compare_newest(circuits, runs, programs.outcomes),
        peers,
        queueing,
        jobs,
        all_jobs,
        estimates,
        hues([backend for _, backend in queueing.numbers]),
        targets,
        programs,
    )


def read_jobs(session: Session) -> tuple[list[JobFacts], int]:
    """Return the newest jobs that are no rounds of estimates, and how many there are in all."""
    rows = select(Job).where(NO_ROUND).order_by(Job.id.desc()).limit(MAX_JOBS)
    number = select(func.count()).select_from(Job).where(NO_ROUND)
    loaded = (selectinload(Job.scores), selectinload(Job.events))
    jobs = list(session.scalars(rows.options(*loaded)))
    ids = {job.compilation_id for job in jobs if job.compilation_id is not None}
    compiled = read_compiled_of(session, ids)
    charges = select(Job.parent_id, func.sum(Job.charged_microusd)).group_by(Job.parent_id)
    parents = Job.parent_id.in_([job.id for job in jobs])
    charged = dict(session.execute(charges.where(parents)).all())
    facts = [
        JobFacts(
            job,
            compiled.get(job.compilation_id or 0),
            usd(charged.get(job.id) if job.charged_microusd is None else job.charged_microusd),
        )
        for job in jobs
    ]
    return facts, session.execute(number).scalar_one()


def read_service_health(session: Session) -> ServiceHealth:
    """Read the work of the service and the jobs in quarantine, of all records."""
    columns = (Job.id, Job.program, Job.backend, Job.quarantined, Job.state_since)
    held = select(*columns).where(Job.quarantined.is_not(None)).order_by(Job.id.desc())
    return ServiceHealth(
        service_work(session, Settings()), session.execute(held.limit(MAX_FAILED)).all()
    )


def _groups(
    records: Sequence[Configured], key: Callable[[Configured], Hashable]
) -> list[list[Configured]]:
    """Return the newest `MAX_KINDS` groups of records with equal keys, in their order."""
    groups: dict[Hashable, list[Configured]] = {}
    for record in records:
        groups.setdefault(key(record), []).append(record)
    return list(groups.values())[:MAX_KINDS]
