"""An SQLite that another process has locked: requests are refused in time, and nothing is lost."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from attrs import evolve
from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from service.api.writers import BusyWritersError, Writers
from tests.servers.sqlite_lock import locked
from tests.service.api.conftest import LIMITS, Api
from workers.records.database import bounded_engine
from workers.records.tables.base import Record
from workers.settings import Settings

BUSY = {"detail": "the database is busy: database is locked; try again in some seconds"}
SHORT = evolve(LIMITS, lock_seconds=0.2)


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """An empty SQLite whose locks are waited for a short time."""
    monkeypatch.setenv("STICHWERK_LOCK_SECONDS", "0.2")
    return bounded_engine(str(tmp_path / "records.sqlite"))


@pytest.fixture
def api(make_api: Callable[[Settings], Api]) -> Api:
    """The API on it."""
    return make_api(SHORT)


def rows(engine: Engine) -> dict[str, int]:
    """Return how many rows each table has, but those of heartbeats."""
    tables = [table for table in Record.metadata.sorted_tables if table.name != "heartbeats"]
    with Session(engine) as session:
        return {t.name: session.scalar(select(func.count()).select_from(t)) or 0 for t in tables}


def test_submissions_are_refused_in_one_line_and_leave_nothing_behind(
    api: Api, tmp_path: Path
) -> None:
    (before,) = api.jobs()
    kept = rows(api.engine)
    with locked(tmp_path / "records.sqlite"):
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda n: api.submit(key=f"key-{n}"), range(8)))
        assert {answer.status_code for answer in answers} == {503}
        assert all(int(answer.headers["retry-after"]) >= 1 for answer in answers)
        assert all(
            answer.json()["detail"].startswith("the database is busy: ") for answer in answers
        )
        assert BUSY in [answer.json() for answer in answers]
        cancelled = api.post(f"/jobs/{before}/cancel")
        assert (cancelled.status_code, cancelled.json()) == (503, BUSY)
        # Who reads is not held up.
        assert api.get("/jobs").json()["jobs"][0]["state"] == "queued"
        assert api.get(f"/jobs/{before}").status_code == 200
    assert rows(api.engine) == kept
    # The same request is one job, however often it was refused.
    assert api.jobs(key="key-0") == api.jobs(key="key-0")
    assert rows(api.engine)["jobs"] == kept["jobs"] + 1


def test_readers_are_refused_in_time_too(api: Api, tmp_path: Path) -> None:
    # Who wants the whole file waits until no connection is left, of heartbeats neither.
    file = tmp_path / "records.sqlite"
    with locked(file, readers=False, meanwhile=api.engine.dispose):
        answer = api.get("/jobs")
        assert (answer.status_code, answer.json()) == (503, BUSY)
        assert int(answer.headers["retry-after"]) >= 1
        assert api.client.get("/health").status_code == 503
        assert api.client.get("/live").status_code == 200
    assert api.get("/jobs").status_code == 200


def test_a_request_does_not_wait_for_its_turn_without_an_end(api: Api) -> None:
    """Thirty others, each of which waits for the lock, would take thirty times as long."""
    with api.app.state.service.writing():
        answer = api.submit()
    assert answer.status_code == 503
    assert answer.json()["detail"].startswith("the database is busy: others have been writing")
    assert int(answer.headers["retry-after"]) >= 1
    assert api.submit().status_code == 202


def test_of_too_many_that_wait_some_are_refused_at_once() -> None:
    writers, begun = Writers(60.0, places=2), threading.Event()

    def second() -> None:
        begun.set()
        with writers.turn():
            pass

    with writers.turn():
        waiting = threading.Thread(target=second)
        waiting.start()
        begun.wait(60)
        while writers._places._value:
            pass
        with pytest.raises(BusyWritersError, match="too many requests"), writers.turn():
            pass
    waiting.join(60)
    with writers.turn():
        pass
