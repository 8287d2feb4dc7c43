"""An SQLite that another process has locked: commands end with one line, and nothing is lost."""

from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from tests.servers.sqlite_lock import locked
from tests.service.conftest import TOY
from workers.jobs import without_queue
from workers.queue.worker import Worker
from workers.records.database import open_database
from workers.records.tables import Job
from workers.settings import settings


@pytest.fixture
def file(tmp_path, monkeypatch) -> Path:
    """A database whose locks are waited for a short time."""
    monkeypatch.setenv("STICHWERK_LOCK_SECONDS", "0.2")
    file = tmp_path / "records.sqlite"
    monkeypatch.setenv("STICHWERK_DATABASE", str(file))
    open_database(str(file)).dispose()
    return file


def asked(command, file):
    """Return a command that is done soon."""
    game = file.with_name("toy.toml")
    game.write_text(TOY)
    return (command, str(game), "-b", "sparse", "--method", "fast", "--database", str(file))


def states(file):
    """Return the states of all jobs."""
    with Session(open_database(str(file))) as session:
        return list(session.scalars(select(Job.state).order_by(Job.id)))


def test_a_run_that_finds_it_locked_later_says_that_its_job_is_kept(stichwerk, file, monkeypatch):
    def advance_locked(self, job_id):
        with locked(file):
            return advance(self, job_id)

    advance = Worker.advance
    monkeypatch.setattr(without_queue.Worker, "advance", advance_locked)
    done = stichwerk(*asked("run", file))
    monkeypatch.setattr(without_queue.Worker, "advance", advance)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[-1] == (
        "stichwerk: the database is busy: database is locked; try again in some seconds; job 1 is "
        "kept: resume it with 'stichwerk retry 1' and a worker"
    )
    assert stichwerk("retry", "1", "--database", str(file)).code == 0
    Worker(open_database(str(file)), settings()).advance(1)
    assert states(file) == ["done"]
