"""What may be spent, and that nothing is submitted beyond it."""

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from compiler.errors import InputError
from workers.accounts.budgets import BudgetError, microusd
from workers.jobs.control import cancel, rescore
from workers.records.tables import LedgerEntry, Spending, Token
from workers.settings import dollars

# The provider's jobs cost 0.50 and a tenth of a cent a shot: 0.55 for 50 shots.


def spent(context):
    with Session(context.engine) as session:
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
        ({"tag_budget_usd": Decimal("0.99")}, {"tag": "t", "repeat": 2}, "budget of tag t,"),
    ],
)
def test_what_costs_too_much_for_certain_is_not_even_recorded(context, limits, given, name):
    with pytest.raises(BudgetError, match=r"the job needs .*nothing was submitted") as error:
        context.with_settings(**limits).submit(**given)
    assert name in str(error.value)
    with Session(context.engine) as session:
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
def test_what_costs_too_much_once_it_is_compiled_is_not_submitted(context, limits, given):
    context = context.with_settings(**limits)
    (job_id,) = context.submit(**given)
    job = context.until(job_id)
    assert job.state == "failed"
    assert "the job needs 0.55 USD" in job.error
    assert job.asked_at is job.estimated_cost_microusd is None
    assert context.provider.accepted() == []
    assert set(spent(context).values()) <= {0}


def test_budgets_are_used_up_to_the_last_cent(context):
    context = context.with_settings(day_budget_usd=Decimal("1.10"))
    ids = context.submit(repeat=2, tag="t") + context.submit()
    ended = [context.until(job_id) for job_id in ids]
    assert [job.state for job in ended] == ["done", "done", "failed"]
    assert "of the budget of day" in ended[2].error
    assert "1.1 USD, 1.1 USD are reserved" in ended[2].error
    assert spent(context) == {"day": 1_100_000, "tag": 1_100_000}
    with pytest.raises(BudgetError):
        context.submit()


def test_a_reservation_is_given_back_to_the_day_it_was_made(context):
    context.provider.do_wrong("cut-before")
    context.provider.do_wrong("refuse")
    (job_id,) = context.submit()
    while context.job(job_id).asked_at is None:
        context.sweep()
    assert spent(context) == {"day": 550_000}
    with Session(context.engine) as session:
        (row,) = session.query(Spending)
        job = context.job(job_id)
        assert row.budget == f"day:{job.submitted_at:%Y-%m-%d}"
        assert job.submitted_at - job.created_at < timedelta(hours=1)
    assert context.until(job_id).error == "no such gate"
    assert spent(context) == {"day": 0}


def test_what_was_paid_stays_spent_whatever_is_done_to_the_job(context):
    """Scoring again and cancelling is no way to spend a budget twice."""
    context = context.with_settings(day_budget_usd=Decimal("1.20"))
    for _ in range(2):
        (job_id,) = context.submit()
        context.until(job_id)
        with Session(context.engine) as session:
            rescore(session, job_id)
            assert cancel(session, job_id).state == "cancelled"
            rescore(session, job_id)
        assert context.until(job_id).state == "done"
    assert spent(context) == {"day": 1_100_000}
    with pytest.raises(BudgetError):
        context.submit()
    assert len(context.provider.accepted()) == 2


@pytest.mark.parametrize(("charged", "fault"), [("0.61", ""), ("0.20", ""), ("0", "fail")])
def test_what_the_provider_charged_takes_the_place_of_the_reservation(context, charged, fault):
    (context.provider.folder / "charge").write_text(charged)
    if fault:
        context.provider.do_wrong(fault)
    (job_id,) = context.submit(tag="t")
    job = context.until(job_id)
    cost = microusd(Decimal(charged))
    assert (job.estimated_cost_microusd, job.charged_microusd) == (550_000, cost)
    assert job.usage_seconds == 1.5
    assert spent(context) == {"day": cost, "tag": cost}
    with Session(context.engine) as session:
        kinds = [entry.kind for entry in session.scalars(select(LedgerEntry))]
        assert sorted(kinds) == ["charged"] * 2 + ["reserved"] * 2


def test_a_tag_is_counted_apart_for_every_token(context):
    """Whoever sends somebody else's tag neither spends its budget nor learns what is left."""
    context = context.with_settings(tag_budget_usd=Decimal("0.60"), day_budget_usd=Decimal("1.20"))
    with Session(context.engine) as session:
        session.add_all([Token(name=name, digest=name, scopes=[]) for name in ("a", "b")])
        session.commit()
    mine, others = context.submit(tag="t", token_id=1) + context.submit(tag="t", token_id=2)
    assert context.until(mine).state == context.until(others).state == "done"
    spent(context)
    with Session(context.engine) as session:
        budgets = {row.budget for row in session.query(Spending)}
    day = next(budget for budget in budgets if budget.startswith("day:"))
    whose = {f"token:{n}:{budget}" for n in (1, 2) for budget in (day, "tag:t")}
    assert budgets == {day} | whose
    with pytest.raises(BudgetError, match=r"of day .*, too little is left; nothing was submitted"):
        context.submit(tag="u", token_id=1)


def test_the_budget_of_a_token(context):
    with Session(context.engine) as session:
        session.add(Token(name="a", digest="a", scopes=[], day_budget_microusd=1_000_000))
        session.commit()
    both = context.submit(token_id=1) + context.submit(token_id=1)
    # On a busy machine the second may come first.
    done, failed = sorted(map(context.until, both), key=lambda job: job.state)
    assert (done.state, failed.state) == ("done", "failed")
    assert "1 USD, 0.55 USD are reserved" in failed.error
    assert context.until(context.submit()[0]).state == "done"


@pytest.mark.parametrize(
    ("text", "amount"),
    [("5USD", "5"), ("5 USD", "5"), ("$5", "5"), ("0.30USD", "0.30"), ("5usd", "5"), ("$0", "0")],
)
def test_amounts(text, amount):
    assert dollars(text) == Decimal(amount)


@pytest.mark.parametrize("text", ["5", "0.30", " 1e2 "])
def test_amounts_need_their_unit(text):
    with pytest.raises(InputError, match=rf"needs its unit; write {text.strip()}USD"):
        dollars(text)


def test_millionths_are_rounded_up():
    assert microusd(Decimal("0.0000001")) == 1
    assert microusd(Decimal("0.30145")) == 301_450
