"""Where jobs wait."""

from typing import Any

import pytest
from sqlalchemy import Engine, insert, select
from sqlalchemy.orm import Session

from workers.jobs.states import OPEN, Queue, State, queue_of
from workers.queue import sweeper
from workers.queue.groups import waiting_groups
from workers.queue.sweeper import Sweeper
from workers.records.tables import Job, now
from workers.settings import Settings


@pytest.fixture
def engine(each_engine: Engine) -> Engine:
    """An empty database of each kind."""
    return each_engine


def put(engine: Engine, number: int, state: State, backend: str, **given: object) -> list[int]:
    usual: dict[str, Any] = {
        "program": "p", "target": "t", "shots": 1, "seed": 0, "state": state, "backend": backend,
        "due_at": now(),
    }  # fmt: skip
    rows = [usual | given | {"key": f"{state} {backend} {given} {n}"} for n in range(number)]
    with Session(engine) as session:
        ids = list(session.scalars(insert(Job).returning(Job.id), rows))
        session.commit()
    return ids


def found(engine: Engine, *states: State) -> set[tuple[str, str]]:
    groups = waiting_groups(*states)
    with engine.connect() as connection:
        rows = connection.execute(select(groups)).all()
    assert len(rows) == len(set(rows))
    return {(state, backend) for state, backend in rows}


def test_every_state_and_backend_of_a_job_that_waits_is_found_once(engine: Engine) -> None:
    there = {
        (State.QUEUED, "aer:torino"),
        (State.QUEUED, "ibm:fez"),
        (State.QUEUED, "sparse"),
        (State.SUBMITTING, "ibm:fez"),
        (State.SCORING, "sparse"),
    }
    for state, backend in there:
        put(engine, 3, state, backend)
    put(engine, 1, State.DONE, "sparse", due_at=None)
    put(engine, 1, State.RUNNING, "sparse", due_at=None)
    assert found(engine, *OPEN) == there
    assert found(engine, State.SUBMITTING, State.RUNNING) == {(State.SUBMITTING, "ibm:fez")}


def test_nothing_waits_in_an_empty_database(engine: Engine) -> None:
    assert found(engine, *OPEN) == set()


def test_one_backends_jobs_do_not_hide_anothers_in_the_same_state(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though of a flood no more are counted than a queue is filled up to."""
    monkeypatch.setattr(sweeper, "AT_ONCE", 3)
    local = put(engine, 20, State.SUBMITTING, "sparse")
    (far,) = put(engine, 1, State.SUBMITTING, "ibm:fez")
    sent: list[tuple[int, Queue]] = []
    lengths = {queue: 1 if queue is Queue.COMPILE else 0 for queue in Queue}
    number = Sweeper(
        engine,
        Settings(),
        send=lambda job_id, queue: sent.append((job_id, queue)),
        waiting=lambda: lengths,
        is_local=lambda spec: spec == "sparse",
    ).sweep()
    assert number == len(sent) == 3
    assert {job_id for job_id, queue in sent if queue is Queue.COMPILE} <= set(local)
    assert [job_id for job_id, queue in sent if queue is Queue.SUBMIT] == [far]
    assert queue_of(State.SUBMITTING, local=False) is Queue.SUBMIT
