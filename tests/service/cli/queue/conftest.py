"""A queue without Redis, whose work is done by hand."""

import pytest

from workers.queue.worker import Worker
from workers.records.database import open_database
from workers.settings import settings


@pytest.fixture(autouse=True)
def nobody_listens(monkeypatch):
    """There is no Redis at this address."""
    monkeypatch.setenv("STICHWERK_REDIS", "redis://127.0.0.1:1/0")


@pytest.fixture
def work(folder):
    """Return a function that does the work of all queues for a job."""

    def advance(job_id):
        engine = open_database(str(folder / "stichwerk.sqlite"))
        worker = Worker(engine, settings())
        while worker.advance(job_id) is not None:
            pass
        engine.dispose()

    return advance
