"""Where jobs wait, found without a look at every job."""

from typing import Any

import pytest
from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy import Engine, event, insert, select, text, update
from sqlalchemy.orm import Session

from tests.servers.fixtures import present
from tests.servers.process import free_port
from tests.servers.redis import RedisServer
from tests.workers.conftest import swept
from tests.workers.queue.plans import rows_read
from workers.jobs.states import OPEN, Queue, State, queue_of
from workers.queue import sweeper
from workers.queue.fairness import waiting_groups
from workers.queue.lengths import broker_problem, queue_lengths
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
        rows = connection.execute(select(groups).where(groups.c.backend.is_not(None))).all()
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
    sent = swept(engine, Settings(), lambda spec: spec == "sparse", compile=1)
    assert len(sent) == 3
    assert {job_id for job_id, queue in sent if queue is Queue.COMPILE} <= set(local)
    assert [job_id for job_id, queue in sent if queue is Queue.SUBMIT] == [far]
    assert queue_of(State.SUBMITTING, local=False) is Queue.SUBMIT


@pytest.mark.parametrize("analysed", [True, False])
def test_few_rows_are_read_though_nobody_has_told_the_planner_what_waits(
    engine: Engine, analysed: bool
) -> None:
    """It then believes that all have ended, or that any index is as good as another."""
    if engine.dialect.name == "postgresql":
        with engine.begin() as connection:
            connection.execute(text("ALTER TABLE jobs SET (autovacuum_enabled = off)"))
    for backend in ("aer", "ibm:fez", "sparse"):
        put(engine, 700, State.DONE, backend, due_at=None)
    with engine.begin() as connection:
        if analysed:
            connection.execute(text("ANALYZE"))
        connection.execute(update(Job).values(state=State.RUNNING, due_at=now()))
    groups = waiting_groups(*OPEN)
    asked: list[tuple[str, object]] = []
    event.listen(engine, "before_cursor_execute", lambda _c, _k, s, p, *_: asked.append((s, p)))
    with engine.connect() as connection:
        found = connection.execute(select(groups).where(groups.c.backend.is_not(None))).all()
        statement, given = asked[-1]
        if engine.dialect.name == "sqlite":
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given).all()
            looks = [row[3] for row in plan if " jobs" in row[3]]
            assert len(looks) == len(OPEN) + 1
            assert all(line.startswith("SEARCH") and "ix_jobs_waiting" in line for line in looks)
        else:
            told = connection.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", given)
            assert rows_read(told.scalar_one()[0]["Plan"]) < 60
    assert {tuple(row) for row in found} == {
        (State.RUNNING, backend) for backend in ("aer", "ibm:fez", "sparse")
    }


@pytest.fixture
def server():
    """A Redis of its own, which may be spoiled."""
    with present(RedisServer) as running:
        yield running


def problem(address):
    with pytest.raises(RedisError) as raised:
        queue_lengths(address)()
    return broker_problem(address, raised.value)


def test_lengths_are_told_and_nothing_is_left(server):
    with Redis(port=server.port) as client:
        client.rpush("compile", "a", "b")
        assert queue_lengths(server.url)() == {
            Queue.COMPILE: 2, Queue.SUBMIT: 0, Queue.POLL: 0, Queue.SCORE: 0,
        }  # fmt: skip
        assert client.keys() == [b"compile"]


def test_each_thing_that_may_be_wrong_has_its_own_words(server):
    where = f"127.0.0.1:{server.port}/0"
    with Redis(port=server.port) as client:
        client.config_set("maxmemory", 1)
        assert problem(server.url) == f"Redis at redis://{where} is full: increase its maxmemory"
        client.config_set("maxmemory", 0)
        client.replicaof("127.0.0.1", free_port())
        assert problem(server.url) == (
            f"Redis at redis://{where} is a read-only replica: set STICHWERK_REDIS to its primary"
        )
        client.replicaof("NO", "ONE")
        client.config_set("requirepass", "right")
        wrong = f"redis://:wrong@{where}"
        for address in (server.url, wrong):
            said = problem(address)
            assert "refuses the password: set the correct one in STICHWERK_REDIS" in said
            assert "wrong" not in said
        assert queue_lengths(f"redis://:right@{where}")()[Queue.POLL] == 0


def test_one_who_may_touch_queues_only_may_send(server):
    with Redis(port=server.port) as client:
        keys = [f"~{queue}" for queue in Queue]
        client.execute_command("ACL", "SETUSER", "worker", "on", ">pw", "+@all", *keys)
    address = f"redis://worker:pw@127.0.0.1:{server.port}/0"
    assert queue_lengths(address)() == dict.fromkeys(Queue, 0)


def test_without_a_redis():
    assert problem("redis://127.0.0.1:1/0").startswith("no Redis at redis://127.0.0.1:1/0: ")
