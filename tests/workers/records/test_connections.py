"""Connections that are taken up again."""

import logging
import subprocess
from contextlib import suppress

import pytest
from attrs import evolve
from sqlalchemy import Engine, event, func, select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from tests.servers.process import is_root
from tests.servers.sqlite_lock import locked
from workers.jobs.states import Queue
from workers.queue.worker import Worker
from workers.records import database
from workers.records.database import (
    ANSWER_SECONDS,
    at_once,
    bounded_engine,
    described,
    open_database,
)
from workers.records.tables import Token


@pytest.fixture
def left(postgres_url: str) -> Engine:
    """An engine whose only connection has been left, and whose server has cut it since."""
    engine, other = open_database(postgres_url), open_database(postgres_url)
    with engine.connect() as connection:
        pid = connection.scalar(text("SELECT pg_backend_pid()"))
    with other.connect() as connection:
        assert connection.scalar(text(f"SELECT pg_terminate_backend({pid}, 10000)"))
    other.dispose()
    yield engine
    engine.dispose()


def test_one_that_died_while_it_was_idle_is_replaced(
    left: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "TRIED_SECONDS", 0.0)
    with left.connect() as connection:
        assert connection.scalar(text("SELECT 1")) == 1


def test_one_that_has_just_been_used_is_not_tried(
    left: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "TRIED_SECONDS", 600.0)
    with left.connect() as connection, pytest.raises(OperationalError):
        connection.scalar(text("SELECT 1"))
    # Whoever comes next gets a new one.
    with left.connect() as connection:
        assert connection.scalar(text("SELECT 1")) == 1


def test_single_statements_are_committed_without_a_transaction(each_engine: Engine) -> None:
    ended: list[str] = []
    event.listen(each_engine, "commit", lambda _: ended.append("commit"))
    with at_once(each_engine).connect() as connection:
        token = {"name": "t", "digest": "d", "scopes": ["read"], "created_at": func.now()}
        connection.execute(Token.__table__.insert().values(**token))
    assert ended == []
    with Session(each_engine) as session:
        assert session.scalars(select(Token.name)).all() == ["t"]
        # The connection has transactions again.
        session.add(Token(name="u", digest="e", scopes=["read"]))
        session.flush()
        session.rollback()
        assert session.scalars(select(Token.name)).all() == ["t"]


def test_the_api_waits_for_no_lock_longer_than_for_an_answer(tmp_path, monkeypatch):
    file = str(tmp_path / "records.sqlite")
    for seconds, waited in (("30", ANSWER_SECONDS), ("0.5", 0.5)):
        monkeypatch.setenv("STICHWERK_LOCK_SECONDS", seconds)
        engine = bounded_engine(file)
        with engine.connect() as connection:
            assert connection.scalar(text("PRAGMA busy_timeout")) == waited * 1000
        engine.dispose()


BUSY = "the database is busy: database is locked; try again in some seconds"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "records.sqlite"


@pytest.fixture
def here(context, file, monkeypatch):
    """The same service, which waits for locks for a short time."""
    monkeypatch.setenv("STICHWERK_LOCK_SECONDS", "0.2")
    engine = open_database(str(file))
    yield evolve(context, engine=engine)
    engine.dispose()


@pytest.mark.parametrize("stages", [0, 2])
def test_a_worker_says_it_in_one_line_and_loses_nothing(here, file, caplog, stages):
    """The lock comes before a job is taken up, or after some of its stages."""
    ids = here.submit(repeat=2)
    for queue in [Queue.COMPILE, Queue.SUBMIT, Queue.POLL][:stages]:
        Worker(here.engine, here.settings, {queue}).advance_fairest(queue)
    before = [here.job(job_id).state for job_id in ids]
    with locked(file), caplog.at_level(logging.WARNING):
        for queue in Queue:
            assert Worker(here.engine, here.settings).advance_fairest(queue) is None
    assert BUSY in caplog.text
    assert "Traceback" not in caplog.text
    assert [here.job(job_id).state for job_id in ids] == before
    assert [here.until(job_id).state for job_id in ids] == ["done", "done"]
    assert len(here.provider.accepted()) == 2


FULL = "the database has no room: database or disk is full; nothing is lost, make room on its disk"


@pytest.fixture
def disk(tmp_path):
    """A folder that holds 16 megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)]
    if not is_root() or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill(disk):
    with (disk / "ballast").open("wb", buffering=0) as ballast:
        for size in (1 << 20, 1 << 12):
            with suppress(OSError):
                while ballast.write(b"x" * size):
                    pass


@pytest.fixture
def full(disk, context):
    """The same service with its records on that disk, some jobs submitted, and no room left."""
    engine = open_database(str(disk / "records.sqlite"))
    here = evolve(context, engine=engine)
    ids = here.submit(repeat=3)
    fill(disk)
    yield here, ids
    engine.dispose()


def test_a_worker_leaves_jobs_as_they_are_and_goes_on_later(disk, full):
    here, ids = full
    with pytest.raises(OperationalError) as caught:
        for _ in range(100):
            Worker(here.engine, here.settings).advance(ids[0])
    assert described(caught.value) == FULL
    (disk / "ballast").unlink()
    assert {here.until(job_id).state for job_id in ids} == {"done"}
    assert len(here.provider.accepted()) == len(ids)
