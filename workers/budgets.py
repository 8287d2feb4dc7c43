"""What may be spent: by one job, by one tag, and on one day.

Money is reserved when a job is about to be submitted, in the same transaction as the mark that it
was, so that a crash can neither spend without reserving nor reserve twice. A reservation is given
back only if the provider never had the job: what a failed one cost, the provider knows.
"""

from datetime import datetime
from decimal import ROUND_CEILING, Decimal

from sqlalchemy import text, update
from sqlalchemy.orm import Session

from compiler.errors import InputError
from workers.records import MICRO, Job, Spending, now
from workers.settings import Settings

OPEN = text(
    "INSERT INTO spending (budget, reserved_microusd) VALUES (:budget, 0) ON CONFLICT DO NOTHING"
)


class BudgetError(InputError):
    """A job would cost more than is allowed."""


def microusd(amount: Decimal) -> int:
    """Return millionths of US dollars, rounded up."""
    return int((amount * MICRO).to_integral_value(ROUND_CEILING))


def check_budgets(
    session: Session, set_: Settings, cost: int, tag: str | None, max_cost: int | None
) -> None:
    """Refuse a cost that is over a limit now, before anything is recorded.

    Args:
        session: of the database that holds the reservations.
        set_: with the limits.
        cost: millionths of US dollars of each job.
        tag: of the jobs.
        max_cost: the limit of each job that its user has set, likewise.

    Raises:
        BudgetError: naming the limit.
    """
    _check_job(set_, cost, max_cost)
    for budget, limit in _budgets(set_, tag, now()).items():
        reserved = session.get(Spending, budget, populate_existing=True)
        spent = reserved.reserved_microusd if reserved else 0
        if limit is not None and spent + cost > limit:
            raise BudgetError(_over(budget, cost, spent, limit))


def reserve(session: Session, set_: Settings, job: Job, cost: int, at: datetime) -> None:
    """Reserve what a job will cost; the caller commits, or rolls back if it was refused.

    Args:
        session: of the database that holds the reservations.
        set_: with the limits.
        job: about to be submitted.
        cost: millionths of US dollars.
        at: when it is submitted, which decides the day.

    Raises:
        BudgetError: naming the limit.
    """
    _check_job(set_, cost, job.max_cost_microusd)
    for budget, limit in _budgets(set_, job.tag, at).items():
        session.execute(OPEN, {"budget": budget})
        row = update(Spending).where(Spending.budget == budget)
        if limit is not None:
            row = row.where(Spending.reserved_microusd + cost <= limit)
        taken = session.connection().execute(
            row.values(reserved_microusd=Spending.reserved_microusd + cost)
        )
        if not taken.rowcount:
            spent = session.get_one(Spending, budget, populate_existing=True).reserved_microusd
            raise BudgetError(_over(budget, cost, spent, limit or 0))
    job.estimated_cost_microusd, job.submitted_at = cost, at


def give_back(session: Session, job: Job) -> None:
    """Undo the reservation of a job that its provider never had; the caller commits."""
    if job.estimated_cost_microusd is None or job.submitted_at is None:
        return
    for budget in _budgets(Settings(), job.tag, job.submitted_at):
        session.connection().execute(
            update(Spending)
            .where(Spending.budget == budget)
            .values(reserved_microusd=Spending.reserved_microusd - job.estimated_cost_microusd)
        )
    job.estimated_cost_microusd = job.submitted_at = None


def _check_job(set_: Settings, cost: int, max_cost: int | None) -> None:
    limits = [("its own limit", max_cost)]
    if set_.job_budget_usd is not None:
        limits.append(("the budget of one job", microusd(set_.job_budget_usd)))
    for name, limit in limits:
        if limit is not None and cost > limit:
            raise BudgetError(
                f"it would cost about {shown(cost)}, more than {name} of {shown(limit)}; "
                "nothing was submitted: take fewer shots or allow more"
            )


def _budgets(set_: Settings, tag: str | None, at: datetime) -> dict[str, int | None]:
    """Return the limit of every budget that counts a job; None for those without limit."""
    limits = {f"day:{at:%Y-%m-%d}": set_.day_budget_usd}
    if tag:
        limits[f"tag:{tag}"] = set_.tag_budget_usd
    return {name: None if usd is None else microusd(usd) for name, usd in limits.items()}


def _over(budget: str, cost: int, reserved: int, limit: int) -> str:
    kind, _, name = budget.partition(":")
    return (
        f"it would cost about {shown(cost)}, but of the budget of {kind} {name}, {shown(limit)}, "
        f"{shown(reserved)} are reserved; nothing was submitted"
    )


def shown(cost: int) -> str:
    """Return millionths of US dollars as text."""
    return f"{Decimal(cost) / MICRO:.4f}".rstrip("0").rstrip(".") + " USD"
