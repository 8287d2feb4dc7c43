"""Queries of jobs: pages of a list, and the details of one job."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from attrs import frozen
from sqlalchemy import ColumnElement, Row, and_, case, func, or_, select
from sqlalchemy.orm import Session, aliased

from workers.jobs.states import State
from workers.records.queries.scope import NO_ROUND
from workers.records.tables import Candidate, Compilation, Event, Job, LedgerEntry, ScoreRow

MAX_SEARCHED = 5000
"""Jobs that one search for words reads, because no index holds parts of names."""
MAX_ID = 2**31 - 1

_child = aliased(Job)
_children = select(func.count()).where(_child.parent_id == Job.id).correlate(Job)
_raw = and_(ScoreRow.job_id == Job.id, ScoreRow.kind == "raw")
_score = Job.result["scores"][0]
_charges = select(func.sum(_child.charged_microusd)).where(_child.parent_id == Job.id)

LISTED = (
    Job.id, Job.state, Job.program, Job.target, Job.backend, Job.shots, Job.tag, Job.created_at,
    Job.finished_at, Job.queue_position, Job.provider_state, Job.estimated_cost_microusd, Job.error,
    func.coalesce(Job.charged_microusd, _charges.correlate(Job).scalar_subquery())
    .label("charged_microusd"),
    Job.submitted_at, Job.quarantined, Job.doubtful, ScoreRow.normalized_fidelity,
    case((_score["complete"].as_boolean(), _score["score"].as_float())).label("score"),
    _children.scalar_subquery().label("rounds_begun"),
    _children.where(_child.state == State.DONE).scalar_subquery().label("rounds_done"),
)  # fmt: skip
"""Columns of a list: nothing that is large."""

COMPILED = (
    Compilation.id, Compilation.method, Compilation.encoding, Compilation.encodings,
    Compilation.objective, Compilation.program_verified, Compilation.compile_seconds,
    Compilation.created_at.label("compiled_at"), Compilation.revision, Compilation.versions,
    Compilation.calibration_digest, Compilation.calibrated_at,
    Candidate.synthesis, Candidate.pipeline, Candidate.seed.label("pipeline_seed"),
    Candidate.verified, Candidate.qubits,
    Candidate.two_qubit_gates, Candidate.two_qubit_depth, Candidate.depth, Candidate.gates,
    Candidate.duration_ns, Candidate.expected_fidelity, Candidate.steps,
)  # fmt: skip

ROUNDS: tuple[Any, ...] = (
    Job.id, Job.state, Job.program, Job.backend, Job.shots, Job.estimated_cost_microusd,
    Job.charged_microusd, Job.usage_seconds, Job.run_seconds, Job.leader_id,
    ScoreRow.normalized_fidelity,
)  # fmt: skip


@frozen
class JobFilter:
    """Jobs that a list holds; None for any.

    Child jobs are counted in their parent's row. They are listed for a parent, and if they are in
    quarantine.

    Args:
        state: Of the jobs.
        tag: Of the jobs.
        backend: Of the jobs.
        since: Time of submission or earlier, with its zone.
        token_id: Token that has submitted them.
        quarantined: Whether to list only jobs in quarantine.
        parent: Parent job.
        program: Whole name of the program.
        text: Part of the program, target, backend, tag or error, in any case of ASCII letters,
            letters, or the job's number.
    """

    state: State | None = None
    tag: str | None = None
    backend: str | None = None
    since: datetime | None = None
    token_id: int | None = None
    quarantined: bool = False
    parent: int | None = None
    program: str | None = None
    text: str | None = None


def jobs_page(
    session: Session, wanted: JobFilter = JobFilter(), *, before: int | None = None, limit: int = 50
) -> tuple[Sequence[Row[Any]], int | None]:
    """Return jobs with `LISTED`, the newest first, and where the next page begins.

    Args:
        session: Of the records.
        wanted: Jobs of the list.
        before: Only ids below this one: the last of the page before.
        limit: Largest number of jobs.

    Returns:
        The jobs, and the `before` of the next page, None on the last one. A page of a search may
        be empty, and more pages follow.
    """
    indexed, conditions = _indexed(wanted, before), _conditions(wanted)
    rows = select(*LISTED).outerjoin(ScoreRow, _raw).order_by(Job.id.desc())
    end = None
    if conditions:
        newest = select(Job.id).where(*indexed).order_by(Job.id.desc())
        end = session.scalar(newest.offset(MAX_SEARCHED - 1).limit(1))
        window = newest.limit(MAX_SEARCHED).subquery()
        rows = rows.join(window, window.c.id == Job.id).where(*conditions)
    else:
        rows = rows.where(*indexed)
    # One job more shows whether there is another page.
    jobs = session.execute(rows.limit(limit + 1)).all()
    return (jobs[:limit], jobs[limit - 1].id) if len(jobs) > limit else (jobs, end)


def _indexed(wanted: JobFilter, before: int | None) -> list[ColumnElement[bool]]:
    """Return the conditions that have an index."""
    conditions = [
        column == value
        for column, value in (
            (Job.state, wanted.state),
            (Job.tag, wanted.tag),
            (Job.backend, wanted.backend),
            (Job.token_id, wanted.token_id),
        )
        if value is not None
    ]
    if wanted.parent is not None:
        conditions.append(Job.parent_id == wanted.parent)
    else:
        conditions.append(Job.quarantined.is_not(None) if wanted.quarantined else NO_ROUND)
    if wanted.since is not None:
        conditions.append(Job.created_at >= wanted.since)
    if before is not None:
        conditions.append(Job.id < before)
    return conditions


def _conditions(wanted: JobFilter) -> list[ColumnElement[bool]]:
    """Return the conditions that a search reads jobs for."""
    conditions: list[ColumnElement[bool]] = []
    if wanted.program is not None:
        conditions.append(Job.program == wanted.program)
    if wanted.text is not None:
        columns = (Job.program, Job.target, Job.backend, Job.tag, Job.error)
        places = [column.icontains(wanted.text, autoescape=True) for column in columns]
        number = wanted.text.removeprefix("#")
        if number.isascii() and number.isdigit() and len(number) < 11 and int(number) <= MAX_ID:
            places.append(Job.id == int(number))
        conditions.append(or_(*places))
    return conditions


def rounds_of(session: Session, job_id: int) -> Sequence[Row[Any]]:
    """Return a job's child jobs, with `ROUNDS`."""
    children = select(*ROUNDS).outerjoin(ScoreRow, _raw).where(Job.parent_id == job_id)
    return session.execute(children.order_by(Job.id)).all()


def compilation_of(session: Session, compilation_id: int | None) -> Row[Any] | None:
    """Return a compilation and its chosen candidate with `COMPILED`, None before there is one."""
    compiled = select(*COMPILED).join(Candidate, Candidate.compilation_id == Compilation.id)
    return session.execute(
        compiled.where(Compilation.id == compilation_id, Candidate.chosen)
    ).first()


def ledger_of(session: Session, job_id: int) -> Sequence[LedgerEntry]:
    """Return the changes of the amounts that are reserved of budgets for a job."""
    entries = select(LedgerEntry).where(LedgerEntry.job_id == job_id).order_by(LedgerEntry.id)
    return session.scalars(entries).all()


def events_of(session: Session, job_id: int) -> Sequence[Event]:
    """Return a job's changes of state, and other events."""
    return session.scalars(select(Event).where(Event.job_id == job_id).order_by(Event.id)).all()
