"""Budgets of one job, of all rounds of a job, of a tag, of a token, and of a day.

Money is reserved when a job is about to be submitted, in the same transaction as the mark of the
submission, so that a crash can neither spend without reserving nor reserve twice. Reservations are
entries of a ledger. Refunds, for jobs that the provider never had, and charges of the provider are
further entries; no entry is ever changed.
"""

import re
from datetime import datetime
from decimal import ROUND_CEILING, Decimal

from sqlalchemy import func, select, text, update
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import set_committed_value

from compiler.errors import InputError
from workers.clock import database_now
from workers.jobs.journal import note
from workers.records.tables import MICRO, Job, LedgerEntry, Spending, Token
from workers.settings import Settings

OPEN = text(
    "INSERT INTO spending (budget, reserved_microusd) VALUES (:budget, 0) ON CONFLICT DO NOTHING"
)
BUDGET = re.compile(r"(?:token:(\d+):)?(day|tag|estimation|training|batch):(.*)", re.S)


class BudgetError(InputError):
    """A job would cost more than is allowed.

    Args:
        message: naming the limit.
        budget: that is spent, as in `Spending`; empty for the limit of one job.
    """

    def __init__(self, message: str, budget: str = "") -> None:
        super().__init__(message)
        self.budget = budget


def microusd(amount: Decimal) -> int:
    """Return millionths of US dollars, rounded up."""
    return int((amount * MICRO).to_integral_value(ROUND_CEILING))


def check_budgets(
    session: Session,
    set_: Settings,
    cost: int,
    *,
    tag: str | None,
    token_id: int | None,
    max_cost: int | None = None,
) -> None:
    """Refuse a cost that is over a limit now, before anything is recorded.

    Args:
        session: of the database that holds the reservations.
        set_: with the limits.
        cost: millionths of US dollars of each job.
        tag: of the jobs.
        token_id: whose jobs they are, None for those of the command line.
        max_cost: the limit of each job that its user has set, in millionths of US dollars.

    Raises:
        BudgetError: naming the limit.
    """
    _check_job(set_, cost, max_cost)
    limits = _limits(session, set_, tag, token_id, database_now(session))
    for budget, limit in limits.items():
        reserved = session.get(Spending, budget, populate_existing=True)
        spent = reserved.reserved_microusd if reserved else 0
        if limit is not None and spent + cost > limit:
            raise BudgetError(_over(budget, cost, spent, limit, token_id), budget)


def check_limit(set_: Settings, job: Job, cost: int, circuits: int = 1) -> None:
    """Refuse a job that costs more than it may by itself, before its provider is asked anything.

    Args:
        set_: with the budget of one job.
        job: that is about to be submitted.
        cost: of its provider job, in millionths of US dollars.
        circuits: jobs whose circuits are in it, of which each has an equal share.

    Raises:
        BudgetError: naming the limit.
    """
    _check_job(set_, -(-cost // circuits), job.max_cost_microusd)


def reserve(session: Session, set_: Settings, job: Job, cost: int, circuits: int = 1) -> None:
    """Reserve the cost of a job; the caller commits, or rolls back if it was refused.

    Arguments are those of `check_limit`.

    Raises:
        BudgetError: naming the limit.
    """
    check_limit(set_, job, cost, circuits)
    at = database_now(session)
    for budget, limit in _limits_of(session, set_, job, at).items():
        _enter(session, job, budget, kind="reserved", change=cost, at=at, limit=limit)
    _note_reserved(session, job, cost, at)


def reserve_anyway(session: Session, job: Job, cost: int) -> None:
    """Reserve the cost of a job that its provider turned out to have; the caller commits."""
    at = database_now(session)
    for budget in _limits_of(session, Settings(), job, at):
        _enter(session, job, budget, kind="reserved", change=cost, at=at)
    _note_reserved(session, job, cost, at)


def _note_reserved(session: Session, job: Job, cost: int, at: datetime) -> None:
    job.estimated_cost_microusd, job.submitted_at = cost, at
    note(session, job, f"reserved {shown(cost)}")


def give_back(session: Session, job: Job) -> None:
    """Compensate the reservation of a job that its provider never had; the caller commits."""
    at = database_now(session)
    for budget, microusd_ in _entered(session, job).items():
        if microusd_:
            _enter(session, job, budget, kind="released", change=-microusd_, at=at)
    job.estimated_cost_microusd = job.submitted_at = None


def charge(session: Session, job: Job, charged: int) -> None:
    """Replace a job's reservation by the provider's charge; the caller commits.

    The charge is entered once, whichever process reads it first; the row's version stays.

    Args:
        session: of the database that holds the reservations.
        job: one that has ended at its provider.
        charged: millionths of US dollars.
    """
    unknown = Job.id == job.id, Job.charged_microusd.is_(None)
    first = session.connection().execute(
        update(Job).where(*unknown).values(charged_microusd=charged)
    )
    if not first.rowcount:
        return
    set_committed_value(job, "charged_microusd", charged)
    at = database_now(session)
    for budget, microusd_ in _entered(session, job).items():
        if microusd_ != charged:
            _enter(session, job, budget, kind="charged", change=charged - microusd_, at=at)
    reserved = shown(job.estimated_cost_microusd or 0)
    note(session, job, f"charged {shown(charged)}, reserved {reserved}")


def _entered(session: Session, job: Job) -> dict[str, int]:
    """Return a job's sum in the ledger, by budget."""
    rows = session.execute(
        select(LedgerEntry.budget, func.sum(LedgerEntry.microusd))
        .where(LedgerEntry.job_id == job.id)
        .group_by(LedgerEntry.budget)
        .order_by(LedgerEntry.budget)
    )
    return {budget: int(microusd_) for budget, microusd_ in rows}


def _enter(
    session: Session,
    job: Job,
    budget: str,
    *,
    kind: str,
    change: int,
    at: datetime,
    limit: int | None = None,
) -> None:
    """Add an entry to the ledger and to its sum.

    Raises:
        BudgetError: if the sum would exceed the limit.
    """
    session.execute(OPEN, {"budget": budget})
    row = update(Spending).where(Spending.budget == budget)
    if limit is not None:
        row = row.where(Spending.reserved_microusd + change <= limit)
    taken = session.connection().execute(
        row.values(reserved_microusd=Spending.reserved_microusd + change)
    )
    if not taken.rowcount:
        spent = session.get_one(Spending, budget, populate_existing=True).reserved_microusd
        raise BudgetError(_over(budget, change, spent, limit or 0, job.token_id), budget)
    session.add(LedgerEntry(at=at, job_id=job.id, budget=budget, kind=kind, microusd=change))


def _check_job(set_: Settings, cost: int, max_cost: int | None) -> None:
    limits = [("its own limit", max_cost)]
    if set_.job_budget_usd is not None:
        limits.append(("the budget of one job", microusd(set_.job_budget_usd)))
    for name, limit in limits:
        if limit is not None and cost > limit:
            raise BudgetError(
                f"the job needs {shown(cost)}, more than {name} of {shown(limit)}; nothing was "
                "submitted: use fewer shots, or increase the limit"
            )


def _limits(
    session: Session, set_: Settings, tag: str | None, token_id: int | None, at: datetime
) -> dict[str, int | None]:
    """Return the limit of every budget that counts a job; None for those without limit.

    Always in the same order, so that two who reserve do not wait for each other. The tag of a
    token's job has a budget of its own: naming another token's tag neither spends nor shows it.
    """
    day = f"day:{at:%Y-%m-%d}"
    limits = {day: _microusd(set_.day_budget_usd)}
    whose = "" if token_id is None else f"token:{token_id}:"
    if token_id is not None:
        token = session.get_one(Token, token_id)
        limits[whose + day] = token.day_budget_microusd
    if tag:
        limits[f"{whose}tag:{tag}"] = _microusd(set_.tag_budget_usd)
    return dict(sorted(limits.items()))


def _limits_of(session: Session, set_: Settings, job: Job, at: datetime) -> dict[str, int | None]:
    """Return the limit of every budget that counts a job, with that of the job it is a round of."""
    limits = _limits(session, set_, job.tag, job.token_id, at)
    if job.parent_id is not None:
        parent = session.get_one(Job, job.parent_id)
        if not parent.is_parent:
            # It was run itself, and so had a limit of its own.
            return dict(sorted(limits.items()))
        limits[f"{parent.kind}:{parent.id}"] = parent.max_cost_microusd
    return dict(sorted(limits.items()))


def _microusd(amount: Decimal | None) -> int | None:
    return None if amount is None else microusd(amount)


def _over(budget: str, cost: int, reserved: int, limit: int, token_id: int | None) -> str:
    whose, kind, name = BUDGET.fullmatch(budget).groups()  # type: ignore[union-attr]
    left = f"{shown(limit)}, {shown(reserved)} are reserved"
    if token_id is not None and whose is None:
        # A token does not see the spending of others.
        left = "too little is left"
    return (
        f"the job needs {shown(cost)}, but of the budget of {kind} {name}, {left}; nothing was "
        "submitted"
    )


def shown(cost: int) -> str:
    """Return millionths of US dollars as text."""
    return f"{Decimal(cost) / MICRO:.4f}".rstrip("0").rstrip(".") + " USD"
