"""What became of every job, compared with what the providers know."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

from attrs import frozen
from sqlalchemy import func, select
from sqlalchemy.orm import Session, selectinload

from backends import JobState
from backends.prices import price
from workers.accounts.budgets import microusd
from workers.jobs.states import FINAL, State
from workers.records.backup import RESTORED
from workers.records.tables import Compilation, Job, LedgerEntry, Order, Spending

from .programs import OUTCOMES
from .providers import REASONS


@frozen
class Verdict:
    """What was found.

    Args:
        states: jobs by final state.
        figures: how many of each thing that must not happen, by its name.
        problems: each of them in words, with the job's events.
        events: how many the jobs have altogether.
        provider_jobs: accepted by the providers.
        orders: different circuits to compile.
        compilations: of them; more than one of an order only if a worker was killed over it.
    """

    states: Mapping[str, int]
    figures: Mapping[str, int]
    problems: Sequence[str]
    events: int
    provider_jobs: int
    orders: int
    compilations: int


def verdict(
    session: Session,
    submitted: Collection[int],
    batches: Mapping[int, int],
    audit: Sequence[dict[str, Any]],
    put_aside: int,
    cancelled: Collection[int],
    tag_budget_usd: Decimal,
) -> Verdict:
    """Judge all jobs.

    Args:
        session: of the database.
        submitted: the ids that were given to whoever submitted.
        batches: circuits by the id of each batch, likewise.
        audit: every job that a provider has accepted.
        put_aside: how often a provider did what puts a job in quarantine.
        cancelled: the ids of the jobs that a user has cancelled.
        tag_budget_usd: what jobs with a tag may cost together.
    """
    jobs = session.scalars(select(Job).options(selectinload(Job.events)).order_by(Job.id)).all()
    asked = {*submitted, *batches}
    ended = {job.id for job in jobs if job.is_parent and job.state != State.DONE}
    found: dict[str, Sequence[Job | str]] = {
        "lost": _lost(jobs, asked),
        "submitted twice": [job for job in jobs if not {job.id, job.parent_id} & asked],
        "batches of another size": _other_sizes(jobs, batches),
        "provider jobs per job above one": _repeated(jobs, audit),
        "of these billed": _repeated(jobs, [entry for entry in audit if _bills(entry)]),
        "orphaned provider jobs": _orphans(jobs, audit),
        "done without a provider job": _unknown_there(jobs, audit),
        "wrong results": [
            job for job in jobs if job.state == State.DONE and not job.is_parent and not _right(job)
        ],
        "failed without a reason": [job for job in jobs if _failed_without_reason(job)],
        "cancelled by nobody": [
            job
            for job in jobs
            if job.state == State.CANCELLED
            and not {job.id, job.leader_id} & {*cancelled}
            # A batch that is cancelled, or costs too much, ends its circuits.
            and job.parent_id not in ended
        ],
        "cancelled here and not there": _going_on(jobs, audit),
        "charged otherwise than billed": _charged_otherwise(jobs, audit),
        "over budget": _over_budget(jobs, audit, tag_budget_usd),
        "ended more than once": [job for job in jobs if _ends(job) > 1],
    }
    problems = [f"{name}: {_told(one)}" for name, ones in found.items() for one in ones]
    figures = {name: len(ones) for name, ones in found.items()}
    # All circuits of a provider job are put aside with its result.
    quarantined = len({job.leader_id or job.id for job in jobs if job.quarantined is not None})
    figures["quarantined without cause"] = max(0, quarantined - put_aside)
    figures["budgets that do not add up"], wrong = _budgets(session, jobs)
    return Verdict(
        Counter(job.state for job in jobs if not job.is_parent),
        figures,
        [
            *problems,
            *wrong,
            *["jobs in quarantine beyond the faults"] * (quarantined > put_aside),
        ],
        sum(len(job.events) for job in jobs),
        len(audit),
        session.scalar(select(func.count()).select_from(Order)) or 0,
        session.scalar(select(func.count()).select_from(Compilation)) or 0,
    )


def _lost(jobs: Sequence[Job], submitted: Collection[int]) -> list[Job | str]:
    known = {job.id for job in jobs}
    gone = [f"job {job_id} has no row" for job_id in submitted if job_id not in known]
    return [*gone, *(job for job in jobs if job.state not in FINAL)]


def _other_sizes(jobs: Sequence[Job], batches: Mapping[int, int]) -> list[Job | str]:
    sizes = Counter(job.parent_id for job in jobs)

    def is_wrong(batch: Job) -> bool:
        # Workers create a batch's circuits; one that is cancelled before has none.
        unopened = batch.state == State.CANCELLED and not sizes[batch.id]
        return batch.id not in batches or (sizes[batch.id] != batches[batch.id] and not unopened)

    return [job for job in jobs if job.is_parent and is_wrong(job)]


def _repeated(jobs: Sequence[Job], audit: Sequence[dict[str, Any]]) -> list[Job | str]:
    by_key = {job.key: job for job in jobs}
    times = Counter(entry["key"] for entry in audit)
    return [by_key.get(key, f"key '{key}'") for key, n in times.items() if n > 1]


def _bills(entry: Mapping[str, Any]) -> bool:
    return bool(entry["state"] != JobState.CANCELLED)


def _orphans(jobs: Sequence[Job], audit: Sequence[dict[str, Any]]) -> list[str]:
    known = {(job.key, job.provider_id) for job in jobs}
    # Of these it is known that nobody knows which one is theirs.
    aside = {job.key for job in jobs if job.quarantined is not None}
    return [
        str(entry)
        for entry in audit
        if (entry["key"], entry["id"]) not in known and entry["key"] not in aside
    ]


def _unknown_there(jobs: Sequence[Job], audit: Sequence[dict[str, Any]]) -> list[Job]:
    accepted = {(entry["key"], entry["id"], entry["account"]): entry["shots"] for entry in audit}
    by_id = {job.id: job for job in jobs}
    shots: Counter[int] = Counter()
    left: Counter[int | None] = Counter()
    for job in jobs:
        shots[job.leader_id or job.id] += job.shots
        if job.state == State.CANCELLED and job.leader_id is None:
            left[job.parent_id] += job.shots

    def is_there(job: Job) -> bool:
        leader = by_id[job.leader_id or job.id]
        there = accepted.get((leader.key, leader.provider_id, leader.provider_account), 0)
        # A circuit that is cancelled while a restored database has forgotten that its group was
        # submitted leaves the group, and has run.
        most = shots[leader.id] + (left[leader.parent_id] if leader.parent_id else 0)
        return shots[leader.id] <= there <= most

    there = [job for job in jobs if job.backend != "sparse" and not job.is_parent]
    return [job for job in there if job.state == State.DONE and not is_there(job)]


def _right(job: Job) -> bool:
    return job.counts == {str(OUTCOMES[job.program]): job.shots}


def _failed_without_reason(job: Job) -> bool:
    reason = job.error or ""
    expected = any(known in reason for known in REASONS) or job.quarantined is not None
    # A batch names the circuits that have failed, and a circuit the job that was put aside.
    named = job.is_parent or (job.follows and "another job's" in reason)
    return job.state == State.FAILED and not expected and not named


def _going_on(jobs: Sequence[Job], audit: Sequence[dict[str, Any]]) -> list[Job]:
    """Return jobs that are shown as cancelled and were not, unless their result is lost.

    A job whose result is here is cancelled while it is scored; the provider has ended it by then.
    """
    there = {
        entry["key"]
        for entry in audit
        if entry["state"] != JobState.CANCELLED and not entry["lost_result"]
    }
    cancelled = [job for job in jobs if job.state == State.CANCELLED and job.raw_result is None]
    return [job for job in cancelled if job.key in there]


def _bill(job: Job, entry: Mapping[str, Any]) -> int:
    """Return millionths of US dollars that a provider bills for a job."""
    name, device = job.backend.partition(":")[0], job.backend
    if name == "ibm":
        return microusd(price(name).of_job(0, Decimal(entry["billed_seconds"])))
    return microusd(price(device).of_job(entry["shots"])) if entry["state"] == JobState.DONE else 0


def _bills_of(jobs: Sequence[Job], audit: Sequence[dict[str, Any]]) -> dict[int, int]:
    by_key = {job.key: job for job in jobs}
    bills: Counter[int] = Counter()
    for entry in audit:
        if (job := by_key.get(entry["key"])) is not None:
            bills[job.id] += _bill(job, entry)
    return bills


def _charged_otherwise(jobs: Sequence[Job], audit: Sequence[dict[str, Any]]) -> list[Job]:
    """Return jobs that were charged something else than was billed, or more than was reserved."""
    bills = _bills_of(jobs, audit)
    return [
        job
        for job in jobs
        if bills.get(job.id, 0) > (job.estimated_cost_microusd or 0)
        or (job.quarantined is None and bills.get(job.id, 0) != (job.charged_microusd or 0))
    ]


def _over_budget(
    jobs: Sequence[Job], audit: Sequence[dict[str, Any]], tag_budget_usd: Decimal
) -> list[str]:
    """Return tags for whose jobs providers bill more than they may cost together."""
    bills = _bills_of(jobs, audit)
    spent: Counter[str] = Counter()
    for job in jobs:
        if job.tag is not None:
            spent[job.tag] += bills.get(job.id, 0)
    return [f"{tag}: {cost}" for tag, cost in spent.items() if cost > microusd(tag_budget_usd)]


def _ends(job: Job) -> int:
    # One that had failed is noted again when the database is an older state.
    passed = [event.state for event in job.events if event.detail != RESTORED]
    return sum(after in FINAL and before != after for before, after in pairwise(["", *passed]))


def _budgets(session: Session, jobs: Sequence[Job]) -> tuple[int, list[str]]:
    """Check that the ledger holds what each job cost, once a budget, and adds up to the budgets."""
    entered: dict[tuple[int, str], int] = {
        (job_id, budget): total
        for job_id, budget, total in session.execute(
            select(LedgerEntry.job_id, LedgerEntry.budget, func.sum(LedgerEntry.microusd)).group_by(
                LedgerEntry.job_id, LedgerEntry.budget
            )
        )
    }
    wrong: list[str] = []
    sums: Counter[str] = Counter()
    for (_, budget), total in entered.items():
        sums[budget] += total
    for row in session.scalars(select(Spending)):
        if row.reserved_microusd != sums[row.budget]:
            wrong.append(f"{row.budget}: {row.reserved_microusd}, entered {sums[row.budget]}")
    for job in jobs:
        if job.is_parent:
            continue
        estimated = job.estimated_cost_microusd if job.submitted_at is not None else 0
        cost = estimated if job.charged_microusd is None else job.charged_microusd
        held = {budget: total for (job_id, budget), total in entered.items() if job_id == job.id}
        budgets = 1 + (job.tag is not None) + (job.parent_id is not None)
        if set(held.values()) - {cost or 0} or (cost and len(held) != budgets):
            wrong.append(f"job {job.id} costs {cost}, entered {held}")
    return len(wrong), wrong


def _told(problem: Job | str) -> str:
    if isinstance(problem, str):
        return problem
    lines = [
        f"job {problem.id} ({problem.program} on {problem.backend}, {problem.shots} shots, key "
        f"{problem.key}) is {problem.state}, version {problem.version}, {problem.failures} "
        f"failures, due {problem.due_at}, lease until {problem.lease_until}, provider id "
        f"{problem.provider_id}, counts {problem.counts}, error {problem.error}"
    ]
    lines += [f"{event.at:%H:%M:%S.%f} {event.state} {event.detail}" for event in problem.events]
    return "\n    ".join(lines)
