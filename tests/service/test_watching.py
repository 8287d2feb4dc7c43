"""Following a job that nobody works on."""

from datetime import timedelta

import pytest
from sqlalchemy.orm import Session

from service import watching
from workers.database import open_database
from workers.journal import move, note
from workers.records import Job, now
from workers.states import State

FAR = timedelta(hours=1)


@pytest.fixture
def watched(tmp_path, monkeypatch, capsys):
    """Return what is said to whoever watches such a job for three looks without news."""
    engine = open_database(str(tmp_path / "jobs.sqlite"))

    def said(**columns):
        with Session(engine) as session:
            job = Job(program="p", target="all:3", backend="aer", shots=1, seed=0, **columns)
            session.add(job)
            note(session, job, job.state, "")
            session.commit()
            looks = iter([lambda: None, lambda: None, lambda: move(session, job, State.CANCELLED)])
            monkeypatch.setattr(watching, "sleep", lambda _: next(looks)())
            assert watching.watch(session, job.id)["state"] == State.CANCELLED
        return capsys.readouterr().err.splitlines()

    yield said
    engine.dispose()


def test_who_watches_in_vain_is_told_once(watched, monkeypatch):
    monkeypatch.setattr(watching, "QUIET_SECONDS", 0.0)
    first, hint, last = watched(state="queued", lease_until=now() - FAR)
    assert hint == (
        "no change for 20 s; is a worker running? start one with 'stichwerk up' or "
        "'stichwerk worker'"
    )
    assert first.endswith(" queued")
    assert last.endswith(" cancelled")


@pytest.mark.parametrize(
    "columns",
    [
        {"state": "compiling", "lease_until": now() + FAR},
        {"state": "at_provider", "provider_id": "there"},
        {"state": "running", "provider_id": "there"},
    ],
)
def test_who_watches_a_job_that_somebody_has_is_left_alone(watched, monkeypatch, columns):
    monkeypatch.setattr(watching, "QUIET_SECONDS", 0.0)
    assert len(watched(**columns)) == 2


def test_the_hint_waits_for_its_time(watched):
    assert len(watched(state="queued")) == 2
