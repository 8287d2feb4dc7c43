"""Following a job that nobody works on."""

from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from service.cli.queue.jobs import follow_job
from workers.jobs.journal import move, note
from workers.jobs.states import Queue, State
from workers.queue.heartbeats import Heart, Kind
from workers.records.database import open_database
from workers.records.tables import Job, now

FAR = timedelta(hours=1)


@pytest.fixture
def watched(tmp_path, monkeypatch, capsys):
    """Return what is said to whoever watches such a job for three looks without news."""
    engine = open_database(str(tmp_path / "jobs.sqlite"))

    def said(listening=(), **columns):
        Heart(engine, Kind.WORKER, queues=listening).beat()
        with Session(engine) as session:
            columns = {"backend": "aer"} | columns
            job = Job(program="p", target="all:3", shots=1, seed=0, **columns)
            session.add(job)
            note(session, job, "")
            session.commit()
            looks = iter([lambda: None, lambda: None, lambda: move(session, job, State.CANCELLED)])
            monkeypatch.setattr("service.cli.queue.jobs.sleep", lambda _: next(looks)())
            assert follow_job(session, job.id).state == State.CANCELLED
        return capsys.readouterr().err.splitlines()

    yield said
    engine.dispose()


def test_a_terminal_shows_the_progress_of_a_compilation(watched, monkeypatch):
    job = {"state": "compiling", "lease_until": now() + FAR, "progress": "3 of 40"}
    assert not any("3 of 40" in line for line in watched(**job))
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert any("compiling, 0 s: 3 of 40" in line for line in watched(**job))


def test_who_watches_in_vain_is_told_at_once_and_once(watched):
    first, hint, last = watched(state="queued", lease_until=now() - FAR)
    assert hint == (
        "no worker runs for the queue 'compile': start one with 'stichwerk up' or "
        "'stichwerk worker'"
    )
    assert first.endswith(" queued")
    assert last.endswith(" cancelled")


@pytest.mark.parametrize(
    ("columns", "queue"),
    [
        ({"state": "running", "backend": "ibm:torino"}, "poll"),
        ({"state": "queued", "listening": [Queue.POLL, Queue.SCORE]}, "compile"),
        ({"state": "compiling", "lease_until": now() + FAR}, None),
        ({"state": "queued", "listening": [Queue.COMPILE]}, None),
    ],
)
def test_a_hint_names_the_queue_of_the_next_work_that_no_worker_listens_to(watched, columns, queue):
    _, *hints, _ = watched(**columns)
    assert [f"for the queue '{queue}'" in hint for hint in hints] == [True] * (queue is not None)
