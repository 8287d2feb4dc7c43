"""Which jobs a sweep finds."""

import pytest
from sqlalchemy.orm import Session

from workers import sweeper
from workers.records import Job, now
from workers.states import FINAL, Queue, State
from workers.sweeper import GROUPS, Sweeper


@pytest.fixture
def sweep(engine, desk):
    """Return a function that sweeps once and returns what was sent, queues being this long."""

    def sweep(**waiting):
        sent = []
        Sweeper(
            engine,
            desk.settings,
            send=lambda job_id, queue: sent.append((job_id, queue)),
            waiting=lambda: {queue: waiting.get(queue, 0) for queue in Queue},
            is_local=lambda _: False,
        ).sweep()
        return sent

    return sweep


def test_every_state_that_is_not_the_end_is_looked_at_once():
    assert sorted(state for group in GROUPS for state in group) == sorted(set(State) - FINAL)


def test_jobs_that_wait_to_be_compiled_do_not_hide_those_at_a_provider(
    engine, desk, sweep, monkeypatch
):
    monkeypatch.setattr(sweeper, "AT_ONCE", 2)
    *_, last = desk.submit(repeat=4)
    with Session(engine) as session:
        session.get_one(Job, last).state = State.AT_PROVIDER
        session.get_one(Job, last).due_at = now()
        session.commit()
    assert sweep(compile=3) == [(last, Queue.POLL)]
    assert sweep(compile=3) == []


def test_a_queue_gets_as_many_messages_as_it_lacks(desk, sweep):
    ids = desk.submit(repeat=4)
    assert len(sweep(compile=3)) == 1
    assert sorted(job_id for job_id, _ in sweep()) == ids[1:]
    assert sweep() == []
