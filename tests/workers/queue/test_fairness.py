"""Whose job is next."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count

import pytest
from sqlalchemy import Engine, event, insert, text
from sqlalchemy.orm import Session

from tests.workers.queue.plans import rows_read
from workers.jobs.states import FINAL, Queue, State, queue_of
from workers.queue import fairness
from workers.queue.fairness import fairest, pass_on
from workers.records.tables import Job, Token, now

SECONDS = 30.0
Put = Callable[..., list[int]]
_keys = count()


@pytest.fixture
def engine(each_engine: Engine) -> Engine:
    """A database of each kind with the tokens 1, 2 and 3."""
    with Session(each_engine) as session:
        session.add_all(Token(name=f"t{n}", digest=f"{n}", scopes=["read"]) for n in (1, 2, 3))
        session.commit()
    return each_engine


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no list of backends of another test be gone by."""
    monkeypatch.setattr(fairness, "FRESH_SECONDS", -1.0)


@pytest.fixture
def put(engine: Engine) -> Put:
    """Return a function that records jobs and returns their numbers."""

    def put(number: int, token: int | None = 1, since: float = 60.0, **given: object) -> list[int]:
        at = now() - timedelta(seconds=since)
        rows = [
            {
                "program": "p", "target": "all:3", "backend": "sparse", "shots": 1, "seed": 0,
                "key": f"k{next(_keys)}", "token_id": token, "state": State.QUEUED,
                "due_at": at + timedelta(milliseconds=n),
            } | given
            for n in range(number)
        ]  # fmt: skip
        with Session(engine) as session:
            ids = list(session.scalars(insert(Job).returning(Job.id), rows))
            session.commit()
        return sorted(ids)

    return put


def drawn(engine: Engine, tickets: int, queue: Queue = Queue.COMPILE) -> list[int | None]:
    return [draw(engine, queue) for _ in range(tickets)]


def draw(engine: Engine, queue: Queue) -> int | None:
    """Take a job by a ticket and give it back at once, due again after a pause."""
    with (
        Session(engine, expire_on_commit=False) as session,
        fairest(session, queue, SECONDS, SECONDS) as held,
    ):
        return None if held is None else held[0].id


def hold(engine: Engine, *jobs: int | None) -> None:
    with Session(engine) as session:
        for job_id in jobs:
            job = session.get_one(Job, job_id)
            job.lease_owner, job.lease_until = "worker", now() + timedelta(seconds=60)
        session.commit()


def test_tickets_serve_every_job_once_and_then_nothing(engine: Engine, put: Put) -> None:
    ids = put(3) + put(2, 2) + put(1, None)
    assert sorted(map(int, filter(None, drawn(engine, 6)))) == sorted(ids)
    assert drawn(engine, 2) == [None, None]


def test_of_one_tenant_what_has_been_due_longest_comes_first(engine: Engine, put: Put) -> None:
    late, early = put(3, since=10.0), put(3, since=100.0)
    assert drawn(engine, 6) == early + late


@pytest.mark.parametrize("tenant", [2, None])
def test_a_flood_lets_others_pass(engine: Engine, put: Put, tenant: int | None) -> None:
    # Somebody works on a job of the flood's, and on none of the other's.
    hold(engine, put(300)[-1])
    (lone,) = put(1, tenant, since=1.0)
    assert drawn(engine, 1) == [lone]


@pytest.mark.parametrize("state", [state for state in State if state not in FINAL])
@pytest.mark.parametrize("backend", ["sparse", "ibm:torino"])
def test_each_job_is_found_by_its_queue_alone(
    engine: Engine, put: Put, state: State, backend: str
) -> None:
    (job_id,) = put(1, state=state, backend=backend)
    put(3, 2, since=100.0, state=State.SUBMITTING, backend="braket:garnet")
    put(3, 2, since=100.0, state=State.RUNNING, backend="aer")
    own = queue_of(state, local=backend == "sparse")
    for queue in set(Queue) - {own}:
        assert job_id not in drawn(engine, 7, queue)
    assert own is not None
    assert job_id in drawn(engine, 7, own)


def test_what_is_held_or_not_due_is_left_alone(engine: Engine, put: Put) -> None:
    held, later, unqueued = put(3)
    hold(engine, held)
    with Session(engine) as session:
        session.get_one(Job, later).due_at = now() + timedelta(seconds=60)
        session.get_one(Job, unqueued).due_at = None
        session.commit()
    assert drawn(engine, 1) == [None]


def test_a_job_whose_worker_died_is_found_again(engine: Engine, put: Put) -> None:
    (job_id,) = put(1)
    hold(engine, job_id)
    assert drawn(engine, 1) == [None]
    with Session(engine) as session:
        session.get_one(Job, job_id).lease_until = now() - timedelta(seconds=1)
        session.commit()
    assert drawn(engine, 1) == [job_id]


def test_who_draws_at_the_same_time_gets_different_jobs(engine: Engine, put: Put) -> None:
    ids = put(20) + put(20, 2)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: draw(engine, Queue.COMPILE), range(40)))
    came = [job_id for job_id in found if job_id is not None]
    assert len(came) == len(set(came))
    # Who was too slow too often leaves a job to a ticket that the sweeper sends.
    rest = drawn(engine, 40 - len(came))
    assert sorted([*came, *map(int, filter(None, rest))]) == ids


def test_a_job_that_is_passed_on_is_due_at_once(engine: Engine, put: Put) -> None:
    put(5)
    (job_id,) = put(1, state=State.SCORING, due_at=now() + timedelta(seconds=60))
    assert drawn(engine, 1, Queue.SCORE) == [None]
    pass_on(engine, job_id)
    assert drawn(engine, 1, Queue.SCORE) == [job_id]


def test_a_choice_reads_no_more_of_a_flood_than_its_first_job(engine: Engine, put: Put) -> None:
    """Else each of its jobs would make the next one slower."""
    put(2000)
    put(1, 2)
    asked: list[tuple[str, object]] = []
    with engine.begin() as connection:
        connection.execute(text("ANALYZE"))
    with engine.connect() as connection:
        event.listen(engine, "before_cursor_execute", lambda _c, _k, s, p, *_: asked.append((s, p)))
        assert len(fairness._waiting(connection, Queue.COMPILE).jobs) == 2
        statement, given = asked[-1]
        if engine.dialect.name == "sqlite":
            rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given)
            plan = [row[3] for row in rows]
            assert sum("ix_jobs_token_id_state_due_at" in line for line in plan) == 6
            assert not any("TEMP B-TREE" in line or "SCAN jobs" in line for line in plan)
        else:
            told = connection.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", given)
            assert rows_read(told.scalar_one()[0]["Plan"]) < 20
