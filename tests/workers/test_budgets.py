"""What may be spent, and that nothing is submitted beyond it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from compiler.errors import InputError
from workers.advance import Worker
from workers.budgets import BudgetError, microusd
from workers.control import cancel, rescore
from workers.records import LedgerEntry, Spending, Token
from workers.settings import dollars

# The provider's jobs cost 0.50 and a tenth of a cent a shot: 0.55 for 50 shots.


def spent(desk):
    with Session(desk.engine) as session:
        rows = session.query(Spending).all()
        entered = session.execute(
            select(LedgerEntry.budget, func.sum(LedgerEntry.microusd)).group_by(LedgerEntry.budget)
        ).all()
        assert dict(entered) == {row.budget: row.reserved_microusd for row in rows}
        return {row.budget.partition(":")[0]: row.reserved_microusd for row in rows}


@pytest.mark.parametrize(
    ("limits", "given", "name"),
    [
        ({}, {"max_cost_usd": Decimal("0.49")}, "its own limit of 0.49 USD"),
        ({"job_budget_usd": Decimal("0.49")}, {}, "of 0.49 USD"),
        ({"day_budget_usd": Decimal("0.49")}, {}, "the budget of day 2"),
        (
            {"tag_budget_usd": Decimal("0.99")},
            {"tag": "t", "repeat": 2},
            "budget of tag t, 0.99",
        ),
    ],
)
def test_what_costs_too_much_for_certain_is_not_even_recorded(desk, limits, given, name):
    with pytest.raises(BudgetError, match=r"would cost about .*nothing was submitted") as error:
        desk.with_settings(**limits).submit(**given)
    assert name in str(error.value)
    with Session(desk.engine) as session:
        assert session.query(Spending).count() == 0


@pytest.mark.parametrize(
    ("limits", "given"),
    [
        ({}, {"max_cost_usd": Decimal("0.54")}),
        ({"job_budget_usd": Decimal("0.54")}, {}),
        ({"day_budget_usd": Decimal("0.54")}, {}),
        ({"tag_budget_usd": Decimal("0.54")}, {"tag": "t"}),
    ],
)
def test_what_costs_too_much_once_it_is_compiled_is_not_submitted(desk, limits, given):
    desk = desk.with_settings(**limits)
    (job_id,) = desk.submit(**given)
    job = desk.until(job_id)
    assert job.state == "failed"
    assert "it would cost about 0.55 USD" in job.error
    assert job.asked_at is job.estimated_cost_microusd is None
    assert desk.provider.accepted() == []
    assert set(spent(desk).values()) <= {0}


def test_budgets_are_used_up_to_the_last_cent(desk):
    desk = desk.with_settings(day_budget_usd=Decimal("1.10"))
    ids = desk.submit(repeat=2, tag="t") + desk.submit()
    ended = [desk.until(job_id) for job_id in ids]
    assert [job.state for job in ended] == ["done", "done", "failed"]
    assert "of the budget of day" in ended[2].error
    assert "1.1 USD, 1.1 USD are reserved" in ended[2].error
    assert spent(desk) == {"day": 1_100_000, "tag": 1_100_000}
    with pytest.raises(BudgetError):
        desk.submit()


def test_a_budget_of_the_shell_that_submits_holds_for_its_workers(desk):
    (job_id,) = desk.with_settings(job_budget_usd=Decimal("0.54")).submit()
    job = desk.until(job_id)
    assert job.state == "failed"
    assert "more than" in job.error
    assert desk.provider.accepted() == []


def test_workers_side_by_side_do_not_overspend(desk):
    desk = desk.with_settings(day_budget_usd=Decimal("1.70"), lease_seconds=30.0)
    ids = [job_id for _ in range(8) for job_id in desk.submit()]
    desk.until(ids[0], "submitting", "at_provider")

    def work(job_id):
        worker = Worker(desk.engine, desk.settings)
        while worker.advance(job_id) is not None:
            pass

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, ids))
    assert sorted(desk.until(job_id).state for job_id in ids) == ["done"] * 3 + ["failed"] * 5
    assert len(desk.provider.accepted()) == 3
    assert spent(desk) == {"day": 1_650_000}


def test_a_reservation_is_given_back_to_the_day_it_was_made(desk):
    desk.provider.do_wrong("cut-before")
    desk.provider.do_wrong("refuse")
    (job_id,) = desk.submit()
    while desk.job(job_id).asked_at is None:
        desk.sweep()
    assert spent(desk) == {"day": 550_000}
    with Session(desk.engine) as session:
        (row,) = session.query(Spending)
        job = desk.job(job_id)
        assert row.budget == f"day:{job.submitted_at:%Y-%m-%d}"
        assert job.submitted_at - job.created_at < timedelta(hours=1)
    assert desk.until(job_id).error == "no such gate"
    assert spent(desk) == {"day": 0}


def test_what_was_paid_stays_spent_whatever_is_done_to_the_job(desk):
    """Scoring again and cancelling is no way to spend a budget twice."""
    desk = desk.with_settings(day_budget_usd=Decimal("1.20"))
    for _ in range(2):
        (job_id,) = desk.submit()
        desk.until(job_id)
        with Session(desk.engine) as session:
            rescore(session, job_id)
            assert cancel(session, job_id).state == "cancelled"
            rescore(session, job_id)
        assert desk.until(job_id).state == "done"
    assert spent(desk) == {"day": 1_100_000}
    with pytest.raises(BudgetError):
        desk.submit()
    assert len(desk.provider.accepted()) == 2


@pytest.mark.parametrize(("charged", "fault"), [("0.61", ""), ("0.20", ""), ("0", "fail")])
def test_what_the_provider_charged_takes_the_place_of_the_reservation(desk, charged, fault):
    (desk.provider.folder / "charge").write_text(charged)
    if fault:
        desk.provider.do_wrong(fault)
    (job_id,) = desk.submit(tag="t")
    job = desk.until(job_id)
    cost = microusd(Decimal(charged))
    assert (job.estimated_cost_microusd, job.charged_microusd) == (550_000, cost)
    assert job.usage_seconds == 1.5
    assert spent(desk) == {"day": cost, "tag": cost}
    with Session(desk.engine) as session:
        kinds = [entry.kind for entry in session.scalars(select(LedgerEntry))]
        assert sorted(kinds) == ["charged"] * 2 + ["reserved"] * 2


def test_a_tag_is_counted_apart_for_every_token(desk):
    """Whoever sends somebody else's tag neither spends its budget nor learns what is left."""
    desk = desk.with_settings(tag_budget_usd=Decimal("0.60"), day_budget_usd=Decimal("1.20"))
    with Session(desk.engine) as session:
        session.add_all([Token(name=name, digest=name, scopes=[]) for name in ("a", "b")])
        session.commit()
    mine, others = desk.submit(tag="t", token_id=1) + desk.submit(tag="t", token_id=2)
    assert desk.until(mine).state == desk.until(others).state == "done"
    spent(desk)
    with Session(desk.engine) as session:
        budgets = {row.budget for row in session.query(Spending)}
    day = next(budget for budget in budgets if budget.startswith("day:"))
    whose = {f"token:{n}:{budget}" for n in (1, 2) for budget in (day, "tag:t")}
    assert budgets == {day} | whose
    with pytest.raises(BudgetError, match=r"of day .*, too little is left; nothing was submitted"):
        desk.submit(tag="u", token_id=1)


def test_the_budget_of_a_token(desk):
    with Session(desk.engine) as session:
        session.add(Token(name="a", digest="a", scopes=[], day_budget_microusd=1_000_000))
        session.commit()
    first, second = desk.submit(token_id=1) + desk.submit(token_id=1)
    assert desk.until(first).state == "done"
    job = desk.until(second)
    assert job.state == "failed"
    assert "1 USD, 0.55 USD are reserved" in job.error
    assert desk.until(desk.submit()[0]).state == "done"


@pytest.mark.parametrize(
    ("text", "amount"),
    [("5USD", "5"), ("5 USD", "5"), ("$5", "5"), ("0.30", "0.30"), ("5usd", "5"), ("0", "0")],
)
def test_amounts(text, amount):
    assert dollars(text) == Decimal(amount)


@pytest.mark.parametrize("text", ["", "five", "-1", "5EUR", "nan", "inf", "1e400USDx"])
def test_no_amounts(text):
    with pytest.raises(InputError, match="not an amount of US dollars"):
        dollars(text)


def test_millionths_are_rounded_up():
    assert microusd(Decimal("0.0000001")) == 1
    assert microusd(Decimal("0.30145")) == 301_450
