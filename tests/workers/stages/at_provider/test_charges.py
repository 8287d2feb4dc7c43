"""Charges that a provider tells only after a job has ended."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tests.workers.accounts.test_budgets import spent
from tests.workers.conftest import swept
from workers.jobs.states import Queue
from workers.queue.worker import Worker
from workers.records.tables import Job, LedgerEntry
from workers.stages.at_provider.polling import ASKED_FOR, ask_for_charge


def tell(context, usd):
    (context.provider.folder / "charge").write_text(usd)


def make_due(context, job_id, **age):
    """Let a charge be due now, of a job that ended some time ago."""
    with Session(context.engine) as session:
        job = session.get_one(Job, job_id)
        ended = job.finished_at - timedelta(**age)
        due = job.charge_due_at - timedelta(days=100)
        session.connection().execute(
            update(Job).where(Job.id == job_id).values(finished_at=ended, charge_due_at=due)
        )
        session.commit()


@pytest.fixture
def ended(context):
    """Return the number of a job that is done, and whose provider has not told its charge."""
    (job_id,) = context.submit(tag="t")
    assert context.until(job_id).state == "done"
    return job_id


def test_the_reservation_stands_until_the_charge_is_told(context, ended):
    job = context.job(ended)
    assert (job.charged_microusd, job.due_at) == (None, None)
    assert job.charge_due_at is not None
    assert spent(context) == {"day": 550_000, "tag": 550_000}
    tell(context, "0.20")
    version = job.version
    make_due(context, ended)
    context.sweep()
    job = context.job(ended)
    assert (job.charged_microusd, job.usage_seconds, job.charge_due_at) == (200_000, 1.5, None)
    assert (job.state, job.version) == ("done", version)
    assert spent(context) == {"day": 200_000, "tag": 200_000}
    assert ("done", "charged 0.2 USD, reserved 0.55 USD") in context.events(ended)


def test_a_worker_asks_for_a_charge_when_nothing_else_is_to_do(context, ended):
    tell(context, "0.20")
    make_due(context, ended)
    assert Worker(context.engine, context.settings).advance_fairest(Queue.POLL) is None
    assert context.job(ended).charged_microusd == 200_000


@pytest.mark.parametrize(
    ("age", "pause"), [({"seconds": 1}, 1), ({"seconds": 60}, 60), ({"days": 2}, 900)]
)
def test_pauses_grow_within_bounds(context, ended, age, pause):
    make_due(context, ended, **age)
    set_ = context.with_settings(outage_most_seconds=900.0).settings
    assert not ask_for_charge(context.engine, set_)
    job = context.job(ended)
    assert pause <= (job.charge_due_at - job.state_since).total_seconds() < pause + 60
    assert not ask_for_charge(context.engine, set_), "it is not due before that"


def test_a_charge_that_is_never_told_is_given_up_and_stays_reserved(context, ended):
    make_due(context, ended, days=ASKED_FOR.days + 1)
    context.sweep()
    assert context.job(ended).charge_due_at is None
    assert context.events(ended)[-1][1].endswith("the reservation remains")
    assert spent(context) == {"day": 550_000, "tag": 550_000}


def test_a_charge_is_entered_once_whoever_hears_of_it(context, ended):
    tell(context, "0.20")
    make_due(context, ended)
    assert ask_for_charge(context.engine, context.settings)
    with Session(context.engine) as session:
        session.connection().execute(update(Job).values(charge_due_at=Job.finished_at))
        session.commit()
    tell(context, "0.30")
    ask_for_charge(context.engine, context.settings)
    with Session(context.engine) as session:
        kinds = session.scalars(select(LedgerEntry.kind).order_by(LedgerEntry.id)).all()
    assert sorted(kinds) == ["charged"] * 2 + ["reserved"] * 2
    assert context.job(ended).charged_microusd == 200_000
    assert spent(context) == {"day": 200_000, "tag": 200_000}


def test_a_provider_that_is_away_is_asked_again(context, ended, monkeypatch):
    from backends import UnavailableError

    def away(_):
        raise UnavailableError("the fridge is away")

    make_due(context, ended)
    with monkeypatch.context() as patch:
        patch.setattr(context.provider, "charge", away)
        assert not ask_for_charge(context.engine, context.settings)
    tell(context, "0.20")
    make_due(context, ended)
    assert ask_for_charge(context.engine, context.settings)


def test_the_sweeper_sends_a_ticket_for_each_charge_that_is_due(context, ended):
    make_due(context, ended)
    assert swept(context.engine, context.settings) == [(ended, Queue.POLL)]
    assert swept(context.engine, context.settings, poll=1) == []
