"""Who runs, by the database's clock."""

from datetime import timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from tests.servers.process import wait_until
from workers.clock import database_now
from workers.jobs.states import Queue
from workers.queue import heartbeats
from workers.queue.heartbeats import Heart, Kind, listeners, runners
from workers.records.database import open_database
from workers.records.tables import Heartbeat

PATIENT_SECONDS = 60.0


def silence(engine, seconds):
    """Let all that is known be older."""
    with Session(engine) as session:
        past = database_now(session) - timedelta(seconds=seconds)
        session.execute(update(Heartbeat).values(seen_at=past))
        session.commit()


def known(engine):
    with Session(engine) as session:
        return runners(session)


def test_whoever_beats_is_known_until_it_ends(each_engine):
    heart = Heart(each_engine, Kind.WORKER, queues=[Queue.POLL, Queue.SCORE], processes=2)
    heart.start()
    assert wait_until(lambda: len(known(each_engine)) == 1, PATIENT_SECONDS)
    (one,) = known(each_engine)
    assert (one.kind, one.queues, one.processes, one.alive) == (
        "worker",
        ["poll", "score"],
        2,
        True,
    )
    assert 0 <= one.silent_seconds < heartbeats.SILENT_SECONDS
    heart.stop(PATIENT_SECONDS)
    assert known(each_engine) == []


def test_a_process_is_known_once_however_often_it_beats(each_engine):
    for _ in range(2):
        heart = Heart(each_engine, Kind.API)
        heart.beat()
        heart.beat()
    with Session(each_engine) as session:
        assert session.scalar(select(func.count()).select_from(Heartbeat)) == 1


def test_the_silent_are_not_counted_on_and_later_forgotten(each_engine):
    Heart(each_engine, Kind.WORKER, pid=1, queues=[Queue.COMPILE], processes=4).beat()
    silence(each_engine, heartbeats.SILENT_SECONDS + 1)
    Heart(each_engine, Kind.WORKER, pid=2, queues=[Queue.COMPILE], processes=3).beat()
    Heart(each_engine, Kind.SWEEPER, pid=3).beat()
    assert {one.pid: one.alive for one in known(each_engine)} == {1: False, 2: True, 3: True}
    assert listeners(known(each_engine)) == {
        Queue.COMPILE: 3, Queue.SUBMIT: 0, Queue.POLL: 0, Queue.SCORE: 0,
    }  # fmt: skip
    silence(each_engine, heartbeats.FORGOTTEN_SECONDS + 1)
    Heart(each_engine, Kind.SWEEPER, pid=3).beat()
    assert [one.pid for one in known(each_engine)] == [3]


def test_a_database_that_is_away_is_a_problem_until_it_is_back(tmp_path):
    engine = open_database(str(tmp_path / "beats.sqlite"))
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE heartbeats RENAME TO elsewhere")
    heart = Heart(engine, Kind.API)
    heart.try_to_beat()
    assert heart.problem == "no such table: heartbeats"
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE elsewhere RENAME TO heartbeats")
    heart.try_to_beat()
    assert heart.problem is None
    engine.dispose()
