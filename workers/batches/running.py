"""Running a batch: all of its jobs begin at once, and their results are collected at the end."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import asdict, evolve
from sqlalchemy.orm import Session

from backends import LocalBackend, ProviderBackend, backend_from_spec
from compiler.scores.run_comparison import CalibrationChange, change_in_words
from compiler.words.plurals import how_many
from workers.accounts.budgets import BudgetError, check_budgets, shown
from workers.attributes import attributes
from workers.batches.batch import Batch, batch_from_json, targets_of
from workers.clock import database_now
from workers.jobs.journal import fail, move, note, wait, wake
from workers.jobs.states import FINAL, UNCOMPILED, JobKind, State
from workers.mitigation.methods import mitigated_document
from workers.notices.sending import Kind, add_notice
from workers.records.calibrations import calibration_change
from workers.records.devices import recall_device
from workers.records.queries.comparisons import Comparison, compare_jobs
from workers.records.tables import Job
from workers.score.document import score_document
from workers.score.parts import ScoredPart, completed_part, part_without_run, win_rate
from workers.score.suite import Outcome, PlannedPart, ScoreRun
from workers.settings import Settings
from workers.stages.at_provider.groups import plan_groups
from workers.stages.child_jobs import FailedChildError, OpenChildError, child_job
from workers.stages.context import StageContext, shared_backend


def drifts(session: Session, jobs: Sequence[Job]) -> list[dict[str, Any]]:
    """Return the significant changes of jobs' fidelities; see `compare_jobs`.

    With each comes the change of the calibration that is largest since, among the gates and
    qubits that the circuit uses.

    Args:
        session: of the records.
        jobs: that have ended.
    """
    comparisons = compare_jobs(session, [job.id for job in jobs])
    by_job = {comparison.newest.job: _drift(session, comparison) for comparison in comparisons}
    return [drift for job in jobs if (drift := by_job.get(job.id)) is not None]


def _drift(session: Session, comparison: Comparison) -> dict[str, Any] | None:
    change, run = comparison.change, comparison.newest
    if change is None or not change.significant:
        return None
    worse = change.verdict == "worse"
    earlier = comparison.earlier
    cause = calibration_change(session, run.job, [run_.job for run_ in earlier], worse=worse)
    cause_words = change_in_words(cause, worse=worse)
    since = min(run_.at for run_ in earlier)
    runs = "one run" if change.runs == 1 else how_many(change.runs, "run")
    program, backend = run.configuration.program, session.get_one(Job, run.job).backend
    return {
        "job": run.job,
        "backend": backend,
        "program": program,
        **attributes(("verdict", "difference", "low", "high", "sigmas", "runs"), change),
        "since": since.isoformat(timespec="seconds"),
        "calibration": _calibration(cause, cause_words),
        "told": f"{run.backend} {'lost' if worse else 'gained'} {abs(change.difference):.3f} "
        f"on {program} against {runs} since {since:%Y-%m-%d %H:%M}, {change.sigmas:.1f} σ, "
        f"{cause_words}",
    }


def _calibration(cause: CalibrationChange | None, text: str) -> dict[str, Any]:
    """Return the largest change of the calibration; `changed` is None below the limit."""
    if cause is None:
        return {"known": False, "changed": None, "largest": None, "told": text}
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
        "told": text,
    }


def price_batch(context: StageContext, jobs: Sequence[Job]) -> None:
    """Check the cost of a batch and release its jobs, once all of them are compiled.

    If the cost is above the limit, the batch has failed, and none of its jobs is submitted.
    """
    session, parent = context.session, context.job
    if parent.estimated_cost_microusd is not None or any(job.state in UNCOMPILED for job in jobs):
        return
    paid = [job for job in jobs if isinstance(shared_backend(job.backend), ProviderBackend)]
    fresh = [job for job in paid if job.submitted_at is None and job.state not in FINAL]
    if not paid:
        return
    groups = plan_groups([job for job in fresh if job.leader_id is None])
    to_come = sum(group.cost for group in groups)
    saved = sum(group.cost_alone for group in groups) - to_come
    together = to_come + sum(job.estimated_cost_microusd or 0 for job in paid)
    context.lease.require()
    # Subscribers of the batch hear of these jobs through the batch.
    wake(session, Job.parent_id == parent.id, Job.state == State.SUBMITTING)
    try:
        _check(session, context.settings, parent, together, to_come)
    except BudgetError as error:
        budget_notice(session, context.settings, error, parent)
        _failed_notice(context, str(error))
        fail(session, parent, str(error))
        return
    parent.estimated_cost_microusd = together
    circuits = how_many(len(paid), "circuit")
    text = f"{circuits} for providers, up to {shown(together)}"
    if saved:
        text += f": {shown(saved)} less than alone, in {how_many(len(groups), 'provider job')}"
    note(session, parent, text)
    session.commit()


def held_back(context: StageContext) -> bool:
    """Hold a job back from its provider until the cost of its batch is known.

    Returns:
        whether it waits, or has ended because the cost is above the limit.
    """
    session, job = context.session, context.job
    if job.parent_id is None or job.submitted_at is not None:
        return False
    parent = session.get_one(Job, job.parent_id, populate_existing=True)
    if parent.kind != JobKind.BATCH or parent.estimated_cost_microusd is not None:
        return False
    if parent.state in FINAL:
        if job.asked_at is not None:
            return False
        why = f"job {parent.id}, which it is of, is {parent.state}: retry that one"
        move(session, job, State.CANCELLED, why)
    else:
        wait(session, job, context.settings.poll_most_seconds)
    return True


def _check(session: Session, set_: Settings, parent: Job, together: int, to_come: int) -> None:
    limit = parent.max_cost_microusd
    if limit is not None and together > limit:
        more = "" if together == to_come else " more"
        raise BudgetError(
            f"all of it needs {shown(together)}, more than its limit of {shown(limit)}; "
            f"nothing{more} was submitted: take fewer shots or allow more"
        )
    for_all = evolve(set_, job_budget_usd=None)
    check_budgets(session, for_all, to_come, tag=parent.tag, token_id=parent.token_id)


MAX_NAMED = 3
"""Failed jobs that a batch's error names."""


def run_batch(context: StageContext) -> None:
    """Advance a batch as far as its jobs have come, and record their results.

    Raises:
        OpenChildError: if one has not ended yet.
        FailedChildError: if one has failed or was cancelled, so that the batch is not complete;
            the results of the others are recorded, and it can be retried.
    """
    session, parent = context.session, context.job
    assert parent.request is not None
    for spec in targets_of(parent.request):
        recall_device(session, spec)
    batch = batch_from_json(parent.request)
    jobs = [
        child_job(
            context,
            child,
            place,
            f"created: {child.order.source.name} on {child.backend}, {child.shots:,} shots",
        )
        for place, child in enumerate(batch.all_jobs)
    ]
    left = [job.id for job in jobs if job.state not in FINAL]
    if left:
        price_batch(context, jobs)
        raise OpenChildError(f"{len(left)} of {len(jobs)} jobs have not ended")
    for job in jobs:
        # Others have ended them since they were read.
        session.refresh(job)
    document = batch_document(session, batch, jobs)
    parent.result = document
    for drift in document["drifts"]:
        note(session, parent, drift["told"])
        key = f"{parent.id}:{drift['job']}"
        add_notice(session, context.settings, Kind.DRIFT, parent, drift["told"], key=key)
    if document["lost"]:
        loss = _loss(batch, jobs, document["lost"])
        _failed_notice(context, loss)
        session.commit()
        raise FailedChildError(loss)


def budget_notice(session: Session, set_: Settings, error: BudgetError, job: Job) -> None:
    """Notify once a day that a budget is spent; the caller commits."""
    if error.budget:
        key = f"{error.budget}:{database_now(session):%Y-%m-%d}"
        add_notice(session, set_, Kind.BUDGET, job, f"job {job.id}: {error}", key=key)


def _failed_notice(context: StageContext, reason: str) -> None:
    """Notify that a batch has failed; the caller commits."""
    job = context.job
    text = f"job {job.id}, {job.program}: {reason}"
    key = f"{job.id}:{job.state_since.isoformat()}"
    add_notice(context.session, context.settings, Kind.FAILED, job, text, key=key)


def _loss(batch: Batch, jobs: Sequence[Job], lost: Sequence[int]) -> str:
    named = [
        f"job {job.id} ({job.program} on {job.backend}) is {job.state}"
        + (f": {job.error}" if job.error else "")
        for job in jobs
        if job.id in lost and job.state != State.DONE
    ]
    more = f" and {len(named) - MAX_NAMED} more" if len(named) > MAX_NAMED else ""
    return f"{len(named)} of {len(jobs)} jobs are lost: {'; '.join(named[:MAX_NAMED])}{more}"


def batch_document(session: Session, batch: Batch, jobs: Sequence[Job]) -> dict[str, Any]:
    """Return the result of a batch whose jobs have all ended.

    `lost` are the jobs without which it is not complete: failed jobs of providers, and cancelled
    jobs.

    Args:
        session: of the records.
        batch: the request.
        jobs: of `batch.all_jobs`, in this order.
    """
    missing = [job.id for job in jobs if job.state != State.DONE]
    if batch.mitigation:
        # Without one of its runs nothing is known: each counts, also one of a simulator.
        mitigated = None if missing else mitigated_document(batch.mitigation, jobs)
    places = {child.idempotency_key: job for child, job in zip(batch.all_jobs, jobs, strict=True)}
    scored = [(run, [_part(run, part, places) for part in parts]) for run, parts in batch.scores]
    won = None if missing or batch.scores else win_rate(jobs)
    return {
        "name": batch.name,
        "scores": [score_document(session, *row).model_dump() for row in scored],
        "jobs": [_job(places[job.idempotency_key]) for job in batch.jobs],
        "drifts": drifts(session, jobs),
        **({"mitigated": mitigated} if batch.mitigation else {}),
        **({} if won is None else {"win_rate": asdict(won)}),
        "lost": missing if batch.mitigation else [job.id for job in jobs if _is_lost(job)],
    }


def _part(run: ScoreRun, planned: PlannedPart, places: Mapping[str | None, Job]) -> ScoredPart:
    def without_run(why: str, outcome: Outcome) -> ScoredPart:
        return part_without_run(planned.part, why, outcome, counted=run.suite.counts_unsupported)

    if not planned.jobs:
        return without_run(planned.refused, planned.outcome)
    jobs = [places[job.idempotency_key] for job in planned.jobs]
    missing = sorted((job for job in jobs if job.state != State.DONE), key=_is_lost)
    if not missing:
        return completed_part(planned.part, jobs)
    job = missing[-1]
    outcome = Outcome.ERROR if _is_lost(job) else Outcome.UNSUPPORTED
    return without_run(job.error or f"job {job.id} is {job.state}", outcome)


def _is_lost(job: Job) -> bool:
    if job.state == State.DONE:
        return False
    # A simulator that fails will fail again; a provider's machine may not.
    local = isinstance(backend_from_spec(job.backend), LocalBackend)
    return job.state == State.CANCELLED or not local


def _job(job: Job) -> dict[str, Any]:
    raw = job.scored.get("raw")
    return {
        "job": job.id,
        **attributes(("program", "backend", "state", "shots", "error"), job),
        "hellinger_fidelity": raw and raw.hellinger_fidelity,
        "normalized_fidelity": raw and raw.normalized_fidelity,
        **_compiled_for(job),
    }


def _compiled_for(job: Job) -> dict[str, Any]:
    """Return the calibration that a job's circuit was compiled for."""
    digest, at = None, None
    if job.compilation is not None:
        digest, at = job.compilation.calibration_digest, job.compilation.calibrated_at
    return {
        "calibration_digest": digest,
        "calibrated_at": at and at.isoformat(timespec="seconds"),
        "calibration_age_hours": job.calibration_age_hours(at),
    }
