"""Which jobs a sweep finds."""

from datetime import timedelta
from functools import partial
from threading import Event

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from tests.workers.conftest import swept
from workers.jobs.states import FINAL, Queue, State, queue_of
from workers.queue.sweeper import Sweeper
from workers.records.tables import DatabaseOrigin, Job, now


@pytest.fixture
def sweep(engine, context):
    """Return a function that sweeps once and returns what was sent, queues being this long."""

    return partial(swept, engine, context.settings, lambda _: False)


def test_a_queue_gets_as_many_messages_as_it_lacks(context, sweep):
    ids = context.submit(repeat=4)
    assert len(sweep(compile=3)) == 1
    assert sorted(sweep()) == [(job_id, Queue.COMPILE) for job_id in ids]
    assert sweep(compile=4) == []
    assert sweep(compile=9) == []


def test_what_somebody_holds_or_what_is_due_later_needs_no_message(engine, context, sweep):
    held, later, dead, due = context.submit(repeat=4)
    with Session(engine) as session:
        session.get_one(Job, held).lease_until = now() + timedelta(seconds=60)
        session.get_one(Job, later).due_at = now() + timedelta(seconds=60)
        session.get_one(Job, dead).lease_until = now() - timedelta(seconds=60)
        session.commit()
    assert sorted(sweep()) == [(dead, Queue.COMPILE), (due, Queue.COMPILE)]


@pytest.mark.parametrize("state", [state for state in State if state not in FINAL])
def test_a_job_in_every_state_that_is_not_the_end_is_found(engine, context, sweep, state):
    (job_id,) = context.submit()
    with Session(engine) as session:
        session.get_one(Job, job_id).state = state
        session.commit()
    assert sweep() == [(job_id, queue_of(state, local=False))]


def test_a_sweeper_notices_a_database_that_is_an_older_state(engine, context):
    """When it begins, before it sends anything."""
    (job_id,) = context.submit()
    with engine.begin() as connection:
        connection.execute(update(DatabaseOrigin).values(identity="another"))
    stop, sent = Event(), []

    def send(sent_id, _):
        sent.append((sent_id, context.job(sent_id).doubtful))
        stop.set()

    Sweeper(
        engine,
        context.settings,
        send=send,
        waiting=lambda: dict.fromkeys(Queue, 0),
        is_local=lambda _: False,
    ).run(stop)
    assert sent == [(job_id, True)]
