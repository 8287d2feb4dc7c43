"""Budgets: reservations of each, and jobs that wait for a spent one."""

import re
from collections.abc import Iterator
from decimal import Decimal

from attrs import Factory, define, frozen
from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session

from workers.clock import database_now
from workers.jobs.states import OPEN
from workers.records.tables import MICRO, Job, Spending, Token
from workers.settings import Settings


@define
class Problems:
    """Problems and notes.

    Args:
        problems: each in one line: the fault, and advice.
        notes: likewise.
    """

    problems: list[str] = Factory(list)
    notes: list[str] = Factory(list)


def spoken(seconds: float) -> str:
    """Return a duration in the largest unit of which it is at least two."""
    for unit, length in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"


MAX_TAGS = 20
NAMED = re.compile(r"(?:token:(\d+):)?(day|tag):(.*)", re.DOTALL)


@frozen
class Budget:
    """One budget with a limit.

    Args:
        name: `day 2026-01-31`, `tag night`, or either of a token.
        limit_usd: of it; None if there is no limit.
        reserved_usd: expected or real cost of the jobs that count against it.
        spent: whether nothing is left.
    """

    name: str
    limit_usd: Decimal | None
    reserved_usd: Decimal
    spent: bool

    @property
    def left_usd(self) -> Decimal | None:
        """Remaining amount for reservations."""
        return (
            None if self.limit_usd is None else max(Decimal(0), self.limit_usd - self.reserved_usd)
        )


def budgets(session: Session, set_: Settings, problems: Problems) -> list[Budget]:
    """Return today's budgets, and those of the tags of which the most is reserved."""
    day = f"{database_now(session):%Y-%m-%d}"
    limited = set_.day_budget_usd is not None
    rows = list(_rows(session, day))
    if limited and all(name != f"day:{day}" for name, _ in rows):
        rows.insert(0, (f"day:{day}", 0))
    states = []
    for name, reserved in rows:
        token, kind, value = NAMED.fullmatch(name).groups()  # type: ignore[union-attr]
        limit = _limit(session, set_, token, kind)
        whose = f" of token {token}" if token else ""
        item = _budget(f"{kind} {value}{whose}", limit, reserved)
        states.append(item)
        if item.spent and (kind == "day" or _wanted(session, value, token)):
            problems.problems.append(
                f"the budget of {item.name} is spent, {item.reserved_usd:f} of {limit:f} USD: "
                "new jobs fail before submission"
            )
    return states


def account_budgets(session: Session, set_: Settings, token_id: int | None = None) -> list[Budget]:
    """Return budgets of one account: today's, and those of the tags with the most reserved.

    Args:
        session: of the records.
        set_: with limits.
        token_id: of the account; None for the budgets of all accounts together.
    """
    account = "" if token_id is None else f"token:{token_id}:"
    day = f"day:{database_now(session):%Y-%m-%d}"
    today = session.get(Spending, account + day, populate_existing=True)
    amounts = {day: today.reserved_microusd if today else 0}
    tags = _most_reserved(Spending.budget.startswith(f"{account}tag:"))
    for budget, reserved in session.execute(tags):
        amounts[budget.removeprefix(account)] = reserved
    token = None if token_id is None else str(token_id)
    return [
        _budget(f"{kind} {value}", _limit(session, set_, token, kind), reserved)
        for (kind, _, value), reserved in (
            (name.partition(":"), reserved) for name, reserved in amounts.items()
        )
    ]


def _most_reserved(condition: ColumnElement[bool]) -> Select[str, int]:
    """Return a query of the budgets of which the most is reserved."""
    rows = select(Spending.budget, Spending.reserved_microusd).where(condition)
    return rows.order_by(Spending.reserved_microusd.desc(), Spending.budget).limit(MAX_TAGS)


def _budget(name: str, limit: Decimal | None, reserved: int) -> Budget:
    spent = limit is not None and reserved >= limit * MICRO
    return Budget(name, limit, Decimal(reserved) / MICRO, spent)


def _rows(session: Session, day: str) -> Iterator[tuple[str, int]]:
    spent = select(Spending.budget, Spending.reserved_microusd)
    today = spent.where(
        (Spending.budget == f"day:{day}")
        | (Spending.budget.startswith("token:") & Spending.budget.endswith(f":day:{day}"))
    )
    tags = _most_reserved(
        Spending.budget.startswith("tag:")
        | (Spending.budget.startswith("token:") & Spending.budget.contains(":tag:"))
    )
    for name, reserved in (
        *session.execute(today.order_by(Spending.budget)),
        *session.execute(tags),
    ):
        # A tag may be called almost anything.
        if NAMED.fullmatch(name):
            yield name, reserved


def _limit(session: Session, set_: Settings, token: str | None, kind: str) -> Decimal | None:
    if kind == "tag":
        return set_.tag_budget_usd
    if token is None:
        return set_.day_budget_usd
    row = session.get(Token, int(token))
    allowed = None if row is None else row.day_budget_microusd
    return None if allowed is None else Decimal(allowed) / MICRO


def _wanted(session: Session, tag: str, token: str | None) -> bool:
    """Return whether a tag has jobs without a reservation."""
    waiting = (
        select(func.count())
        .select_from(Job)
        .where(Job.tag == tag, Job.state.in_(OPEN), Job.submitted_at.is_(None))
    )
    if token is not None:
        waiting = waiting.where(Job.token_id == int(token))
    return bool(session.scalar(waiting))
