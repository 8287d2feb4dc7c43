"""Metrics, and the page that describes the API."""

import logging
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

from service.api.app import create_app
from service.api.broker import BrokerLink
from service.api.dependencies import Service
from tests.servers.fixtures import EACH_DATABASE
from tests.servers.process import free_port, wait_until
from tests.service.api.conftest import LIMITS, Api
from workers.accounts.tokens import create_token
from workers.records import database
from workers.untrusted_programs.inspector import Inspector


def test_without_a_database_every_door_says_so(inspector: Inspector) -> None:
    secret = "hunter2hunter2"
    address = f"postgresql+psycopg://me:{secret}@127.0.0.1:{free_port()}/none"
    engine: Engine = create_engine(address)
    broker = BrokerLink(lambda *_: None, dict)
    with TestClient(create_app(Service(engine, LIMITS, inspector, broker))) as client:
        health = client.get("/health")
        assert (health.status_code, health.json()["database"]) == (503, "away")
        jobs = client.get("/jobs", headers={"Authorization": "Bearer stw_x"})
        assert (jobs.status_code, jobs.headers["retry-after"]) == (503, "1")
        assert jobs.json() == {"detail": "the database is unavailable"}
        assert secret not in health.text + jobs.text


def test_a_database_that_does_not_answer_holds_nobody_up(
    inspector: Inspector, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "POOL_SECONDS", 0.2)
    monkeypatch.setattr(database, "ANSWER_SECONDS", 1)
    engine = database.bounded_engine(postgres_url)
    with Session(engine) as session:
        token = create_token(session, "t", ["read"])
    broker = BrokerLink(lambda *_: None, dict)
    app = create_app(Service(engine, LIMITS, inspector, broker))
    headers = {"Authorization": f"Bearer {token}"}
    locking = create_engine(postgres_url, poolclass=NullPool)
    with TestClient(app) as client, locking.connect() as other:
        other.execute(text("LOCK TABLE tokens IN ACCESS EXCLUSIVE MODE"))
        with ThreadPoolExecutor(40) as pool:
            answers = list(pool.map(lambda _: client.get("/jobs", headers=headers), range(40)))
        assert {answer.status_code for answer in answers} == {503}
        assert {answer.headers["retry-after"] for answer in answers} == {"1"}
        other.rollback()
        assert client.get("/jobs", headers=headers).status_code == 200


@EACH_DATABASE
def test_metrics(api: Api) -> None:
    jobs = api.jobs(repeat=3)
    api.post(f"/jobs/{jobs[0]}/cancel")
    api.client.get("/nothing/of/the/kind")
    assert wait_until(lambda: len(api.redis.sent) == 3, 10)
    answer = api.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    found = {
        (sample.name, *(sample.labels[name] for name in sorted(sample.labels))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }
    assert found["stichwerk_jobs", "sparse", "queued"] == 2
    assert found["stichwerk_jobs", "sparse", "cancelled"] == 1
    assert found["stichwerk_jobs", "sparse", "done"] == 0
    assert found["stichwerk_queue_jobs", "compile"] == 2
    assert found["stichwerk_queue_messages", "compile"] == 3
    assert found["stichwerk_broker_up",] == 1
    assert found["stichwerk_http_requests_total", "POST", "/jobs", "202"] == 1
    assert found["stichwerk_http_requests_total", "GET", "none", "404"] == 1
    assert found["stichwerk_http_request_duration_seconds_count", "POST", "/jobs"] == 1


def test_metrics_without_a_broker(api: Api) -> None:
    api.redis.away = True
    told = api.get("/metrics").text
    assert "\nstichwerk_broker_up 0.0\n" in told
    assert "\nstichwerk_queue_messages" not in told


def test_the_page_of_the_api_shows_every_route_and_type(api: Api) -> None:
    page = api.client.get("/docs")
    assert "default-src 'self'" in page.headers["content-security-policy"]
    description = api.client.get("/openapi.json").json()
    for path, methods in description["paths"].items():
        assert all(f"<h3>{method.upper()} {path}</h3>" in page.text for method in methods)
    ids = re.findall(r'id="type-(\w+)"', page.text)
    assert sorted(ids) == sorted(description["components"]["schemas"])
    assert set(re.findall(r'href="#type-(\w+)"', page.text)) <= set(ids)
    assert not re.search(r"""(src|href)\s*=\s*["'](https?:)?//""", page.text)


def test_the_manual_is_linked_where_it_is_served(api: Api, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<h1>Manual</h1>")
    service = api.app.state.service
    for manual, status in ((tmp_path, 200), (None, 404)):
        client = TestClient(create_app(service, manual=manual))
        assert client.get("/manual/").status_code == status
        assert ("/manual/" in client.get("/").text) == (status == 200)


def test_what_nobody_expected_is_logged_and_not_told(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret inside")

    monkeypatch.setattr("service.api.routes.jobs.jobs_page", broken)
    with caplog.at_level(logging.INFO, "stichwerk.api"):
        answer = api.get("/jobs?tag=private")
    assert (answer.status_code, answer.json()) == (500, {"detail": "internal error"})
    assert "secret inside" in caplog.text
    assert "private" not in caplog.text
