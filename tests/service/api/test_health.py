"""What is said of the service's health, to Kubernetes and to people."""

from typing import Any

import pytest
from redis.exceptions import AuthenticationError, ReadOnlyError
from sqlalchemy import event
from sqlalchemy.orm import Session

from tests.servers.fixtures import EACH_DATABASE
from tests.servers.process import wait_until
from tests.service.api.conftest import Api
from workers.records.tables import ProviderHealth, now

PATIENT_SECONDS = 60.0
OK = {"status": "ok", "database": "ok", "broker": "ok"}


@EACH_DATABASE
def test_all_is_well(api: Api) -> None:
    answer = api.client.get("/health")
    assert (answer.status_code, answer.json()) == (200, OK)


def test_without_a_broker_jobs_are_taken_all_the_same(api: Api) -> None:
    api.redis.away = True
    answer = api.client.get("/health")
    assert (answer.status_code, answer.json()) == (
        200,
        OK | {"status": "degraded", "broker": "away"},
    )


@pytest.mark.parametrize("error", [ReadOnlyError("READONLY"), AuthenticationError("WRONGPASS")])
def test_a_broker_that_answers_and_takes_nothing_is_not_ok(
    api: Api, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(_: object) -> None:
        raise error

    monkeypatch.setattr(type(api.redis), "_require", refuse)
    answer = api.client.get("/health")
    assert (answer.status_code, answer.json()) == (
        200,
        OK | {"status": "degraded", "broker": "takes no messages"},
    )


@EACH_DATABASE
def test_a_database_that_only_reads(api: Api) -> None:
    @event.listens_for(api.engine, "checkout")
    def read_only(connection: Any, *_: object) -> None:
        if api.engine.dialect.name == "sqlite":
            connection.execute("PRAGMA query_only = 1")
        else:
            connection.read_only = True

    def beaten() -> bool:
        # A beat that had its connection before may yet succeed.
        api.app.state.service.heart.try_to_beat()
        return bool(api.client.get("/health").status_code == 503)

    assert wait_until(beaten, PATIENT_SECONDS)
    assert api.client.get("/health").json() == {
        "status": "away",
        "database": "cannot be written",
        "broker": "ok",
    }
    assert api.client.get("/live").status_code == 200, "starting it anew would not help"


@EACH_DATABASE
def test_a_disk_that_is_full(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.status.status.MIN_FREE_BYTES", 10**18)
    answer = api.client.get("/health")
    sqlite = api.engine.dialect.name == "sqlite"
    assert answer.status_code == (503 if sqlite else 200)
    assert answer.json()["database"] == ("disk full" if sqlite else "ok")


def test_the_status_says_what_is_wrong(api: Api) -> None:
    jobs = api.jobs(repeat=2)
    with Session(api.engine) as session:
        session.add(ProviderHealth(backend="ibm:torino", answered_at=now()))
        session.commit()
    answer = api.get("/status").json()
    assert not answer["ok"]
    assert answer["problems"][-1] == (
        "2 jobs waiting, but no worker serves compile: start one with 'stichwerk up', or "
        "'stichwerk worker --queues compile'"
    )
    assert answer["stuck"]["no_worker"] == {
        "jobs": 2,
        "first": jobs[0],
        "oldest_seconds": answer["queues"][0]["oldest_seconds"],
    }
    assert [one["kind"] for one in answer["workers"]] == ["api"]
    assert [one["backend"] for one in answer["providers"]] == ["ibm:torino"]
    assert answer["database"]["tables"] == answer["database"]["tables_wanted"]
