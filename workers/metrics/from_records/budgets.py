"""What has been reserved of the budgets."""

from collections.abc import Iterator
from decimal import Decimal

from prometheus_client.core import Metric
from sqlalchemy import select
from sqlalchemy.orm import Session

from workers.metrics.family import gauge
from workers.metrics.labels import plain
from workers.records.tables import MICRO, Spending, now
from workers.settings import Settings

MOST_TAGS = 20

RESERVED = gauge(
    "stichwerk_budget_reserved_usd",
    f"What is reserved of a budget: of today's (UTC), and of the {MOST_TAGS} tags with the most",
    "budget",
)
LIMIT = gauge(
    "stichwerk_budget_limit_usd",
    "What a budget allows, if the API is told so by its settings",
    "budget",
)


def budget_metrics(session: Session, set_: Settings) -> Iterator[Metric]:
    """Yield what is reserved, and what is allowed where there is a limit."""
    reserved, limit = RESERVED.read(), LIMIT.read()
    today = session.get(Spending, f"day:{now():%Y-%m-%d}", populate_existing=True)
    tags = session.execute(
        select(Spending.budget, Spending.reserved_microusd)
        .where(Spending.budget.startswith("tag:"))
        .order_by(Spending.reserved_microusd.desc(), Spending.budget)
        .limit(MOST_TAGS)
    )
    amounts = {"day": today.reserved_microusd if today else 0}
    for budget, amount in tags:
        amounts.setdefault(plain(budget), amount)
    for budget, amount in amounts.items():
        reserved.add_metric([budget], float(Decimal(amount) / MICRO))
        allowed = set_.day_budget_usd if budget == "day" else set_.tag_budget_usd
        if allowed is not None:
            limit.add_metric([budget], float(allowed))
    yield reserved
    yield limit
