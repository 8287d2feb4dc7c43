"""Jobs as their users see them: a page of a list, and one with its stages and times."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Subquery, and_, func, select
from sqlalchemy.orm import Session, aliased

from service.answers.results import scores_of
from workers.jobs.states import FINAL, JobKind, State
from workers.records.rounds import NO_ROUND
from workers.records.tables import (
    MICRO,
    Candidate,
    Compilation,
    Event,
    Job,
    LedgerEntry,
    ScoreRow,
    now,
)
from workers.records.tables.compilations import steps_from_zero

LISTED = (
    Job.id, Job.state, Job.program, Job.target, Job.backend, Job.shots, Job.tag, Job.created_at,
    Job.finished_at, Job.queue_position, Job.provider_state, Job.estimated_cost_microusd, Job.error,
    Job.quarantined, Job.doubtful,
)  # fmt: skip
"""What a list tells of a job: nothing that is large."""

_round = aliased(Job)
_begun = select(func.count()).where(_round.parent_id == Job.id).correlate(Job)
ROUNDS = (
    _begun.scalar_subquery().label("rounds_begun"),
    _begun.where(_round.state == State.DONE).scalar_subquery().label("rounds_done"),
)
"""How many jobs are run under one, and how many of them are done."""

COMPILED = (
    Compilation.id, Compilation.method, Compilation.encoding, Compilation.encodings,
    Compilation.objective,
    Candidate.synthesis, Candidate.pipeline, Candidate.verified, Candidate.qubits,
    Candidate.two_qubit_gates, Candidate.two_qubit_depth, Candidate.depth, Candidate.gates,
    Candidate.duration_ns, Candidate.expected_fidelity, Candidate.steps,
)  # fmt: skip


def jobs_page(
    session: Session,
    *,
    state: State | None = None,
    tag: str | None = None,
    backend: str | None = None,
    since: datetime | None = None,
    before: int | None = None,
    limit: int = 50,
    token_id: int | None = None,
    quarantined: bool = False,
    parent: int | None = None,
    among: Subquery | None = None,
) -> list[dict[str, Any]]:
    """Return jobs, the newest first; `normalized_fidelity` is that of the raw counts, if known.

    Rounds are told with the job they are of, by how many have begun and ended; they are listed
    where they are asked for, and where a person must look at them.

    Args:
        session: of the database that holds them.
        state: only those in this one.
        tag: only those with this tag.
        backend: only those for this backend.
        since: only those submitted at this time, with its zone, or later.
        before: only those whose ids are below this one: the last of the page before.
        limit: how many at most.
        token_id: only those that this token has submitted; None for everybody's.
        quarantined: only those that a person must look at before they go on.
        parent: only the rounds of this job.
        among: only those whose `id` it holds; see `service.answers.searching`.
    """
    raw = and_(ScoreRow.job_id == Job.id, ScoreRow.kind == "raw")
    columns = (*LISTED, ScoreRow.normalized_fidelity, *ROUNDS)
    rows = select(*columns).outerjoin(ScoreRow, raw).order_by(Job.id.desc()).limit(limit)
    if among is not None:
        rows = rows.join(among, among.c.id == Job.id)
    wanted = ((Job.state, state), (Job.tag, tag), (Job.backend, backend), (Job.token_id, token_id))
    for column, value in wanted:
        if value is not None:
            rows = rows.where(column == value)
    rows = rows.where(listed_alone(quarantined=quarantined, parent=parent))
    if since is not None:
        rows = rows.where(Job.created_at >= since)
    if before is not None:
        rows = rows.where(Job.id < before)
    return [_listed(dict(row)) for row in session.execute(rows).mappings()]


def listed_alone(*, quarantined: bool, parent: int | None) -> ColumnElement[bool]:
    """Return what of rounds and of what is none is listed; see `jobs_page`."""
    if parent is not None:
        return Job.parent_id == parent
    return Job.quarantined.is_not(None) if quarantined else NO_ROUND


def job_answer(session: Session, job: Job) -> dict[str, Any]:
    """Return all that is known of a job but its counts.

    `stages` are the states that it has been in, one after the other, with the seconds that it
    spent there, the present one up to now; `events` are these and whatever else happened.
    """
    events = session.execute(
        select(Event.at, Event.state, Event.detail).where(Event.job_id == job.id).order_by(Event.id)
    ).all()
    scores = scores_of(job)
    rounds = _rounds(session, job.id)
    ended = [one["state"] == State.DONE for one in rounds["jobs"]]
    fidelity = scores["raw"]["normalized_fidelity"] if "raw" in scores else None
    return {
        **_listed({column.key: getattr(job, column.key) for column in LISTED}),
        "normalized_fidelity": fidelity,
        "rounds_begun": len(ended),
        "rounds_done": sum(ended),
        "seed": job.seed,
        "retry_of": job.retry_of,
        "parent_id": job.parent_id,
        "submitted_at": _iso(job.submitted_at),
        "provider_id": job.provider_id,
        "provider_address": job.provider_address,
        "cancel_requested": job.cancel_requested,
        "asks": job.asks,
        "asked_at": _iso(job.asked_at),
        "refusal": job.refusal,
        "max_cost_usd": _usd(job.max_cost_microusd),
        "charged_cost_usd": _usd(job.charged_microusd),
        "charged_beyond_estimate_usd": _beyond(job),
        "usage_seconds": job.usage_seconds,
        "run_seconds": job.run_seconds,
        "calibration": job.calibration,
        "different_outcomes": None if job.counts is None else len(job.counts),
        "scores": scores,
        "compilation": _compilation(session, job.compilation_id),
        "estimate": job.result_of(JobKind.ESTIMATION),
        "trained": job.result_of(JobKind.TRAINING),
        "batched": job.result_of(JobKind.BATCH),
        "rounds": None if not job.is_parent and not ended else rounds,
        "ledger": _ledger(session, job.id),
        "stages": _stages([(event.at, event.state) for event in events]),
        "events": [
            {"at": _iso(event.at), "state": event.state, "detail": event.detail} for event in events
        ],
    }


def _listed(row: dict[str, Any]) -> dict[str, Any]:
    cost = row.pop("estimated_cost_microusd")
    times = {name: _iso(row[name]) for name in ("created_at", "finished_at")}
    return {**row, **times, "estimated_cost_usd": _usd(cost)}


def _beyond(job: Job) -> str | None:
    """Return by how much the provider's charge exceeds the estimate, below zero if it does not."""
    if job.charged_microusd is None or job.estimated_cost_microusd is None:
        return None
    return _usd(job.charged_microusd - job.estimated_cost_microusd)


def _ledger(session: Session, job_id: int) -> list[dict[str, Any]]:
    """Return each change of what is reserved of the budgets for it."""
    rows = session.scalars(
        select(LedgerEntry).where(LedgerEntry.job_id == job_id).order_by(LedgerEntry.id)
    )
    return [
        {"at": _iso(row.at), "budget": row.budget, "kind": row.kind, "usd": _usd(row.microusd)}
        for row in rows
    ]


def _rounds(session: Session, job_id: int) -> dict[str, Any]:
    """Return a job's rounds, and what they took together, as far as it is known."""
    raw = and_(ScoreRow.job_id == Job.id, ScoreRow.kind == "raw")
    columns = (
        Job.id, Job.state, Job.program, Job.backend, Job.shots, Job.estimated_cost_microusd,
        Job.charged_microusd, Job.usage_seconds, Job.run_seconds, ScoreRow.normalized_fidelity,
    )  # fmt: skip
    of_it = select(*columns).outerjoin(ScoreRow, raw).where(Job.parent_id == job_id)
    rows = session.execute(of_it.order_by(Job.id)).all()
    reserved = [row.estimated_cost_microusd for row in rows if row.estimated_cost_microusd]
    charged = [row.charged_microusd for row in rows if row.charged_microusd is not None]
    return {
        "jobs": [
            {
                "id": row.id,
                "state": row.state,
                "program": row.program,
                "backend": row.backend,
                "shots": row.shots,
                "normalized_fidelity": row.normalized_fidelity,
                "estimated_cost_usd": _usd(row.estimated_cost_microusd),
                "charged_cost_usd": _usd(row.charged_microusd),
            }
            for row in rows
        ],
        "shots": sum(row.shots for row in rows if row.state == State.DONE),
        "estimated_cost_usd": _usd(sum(reserved)) if reserved else None,
        "charged_cost_usd": _usd(sum(charged)) if charged else None,
        "usage_seconds": sum(row.usage_seconds or 0.0 for row in rows),
        "run_seconds": sum(row.run_seconds or 0.0 for row in rows),
    }


def _compilation(session: Session, compilation_id: int | None) -> dict[str, Any] | None:
    """Return what its circuit is like, None before one is chosen."""
    row = session.execute(
        select(*COMPILED).join(Candidate).where(Compilation.id == compilation_id, Candidate.chosen)
    ).mappings()
    found = row.first()
    if found is None:
        return None
    made = dict(found)
    made["from_zero"] = steps_from_zero(made.pop("steps"))
    return made


def _stages(events: Iterable[tuple[datetime, str]]) -> list[dict[str, Any]]:
    begun: list[tuple[datetime, str]] = []
    for at, state in events:
        if not begun or begun[-1][1] != state:
            begun.append((at, state))
    ends = [at for at, _ in begun[1:]] + [now()]
    return [
        {
            "state": state,
            "since": _iso(at),
            "seconds": None if state in FINAL else round((end - at).total_seconds(), 3),
        }
        for (at, state), end in zip(begun, ends, strict=False)
    ]


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _usd(microusd: int | None) -> str | None:
    return None if microusd is None else f"{Decimal(microusd) / MICRO:f}"
