"""An SQLite that another process has locked: workers leave jobs as they are, and go on later."""

import logging

import pytest
from attrs import evolve

from tests.servers.sqlite_lock import locked
from workers.jobs.states import Queue
from workers.queue.worker import Worker
from workers.records.database import open_database

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


@pytest.mark.parametrize("stages", range(4))
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
