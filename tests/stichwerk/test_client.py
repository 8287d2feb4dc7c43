"""The HTTP client against a running service, and against one that is busy."""

import json
import re
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
import urllib3
from jsonschema import validate
from sqlalchemy.orm import Session

from stichwerk import Client, StichwerkError
from stichwerk.client import FINAL
from tests.service.play.serving import RECORDS, running
from workers.accounts.tokens import create_token
from workers.queue.worker import Worker
from workers.records.database import open_database
from workers.settings import settings


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """The address and a token of a running service, and the database of its records."""
    folder = tmp_path_factory.mktemp("service")
    engine = open_database(str(folder / RECORDS))
    with Session(engine) as session:
        token = create_token(session, "alice", ["submit", "read", "cancel"])
    with running(folder) as served:
        yield served.address, token, engine
    engine.dispose()


@pytest.fixture
def client(service):
    """A client of the running service."""
    address, token, _ = service
    return Client(address, token)


def test_a_job_from_its_submission_to_its_result(service, client):
    (job,) = client.submit("skat-4", backend="sparse", shots=100, tag="first")
    assert client.job(job)["state"] == "queued"
    Worker(service[2], settings()).advance(job)
    assert client.wait(job, timeout=60)["state"] == "done"
    result = client.result(job)
    assert sum(result["counts"].values()) == 100
    assert [row["id"] for row in client.jobs(tag="first")] == [job]


def test_the_example_of_the_documentation(service, capsys):
    address, token, engine = service
    text = (Path(__file__).parents[2] / "docs/python.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    example = Thread(
        target=exec, args=(code.replace("http://127.0.0.1:8000", address).replace("…", token), {})
    )
    last = Client(address, token).submit("skat-4", backend="sparse")[0]
    example.start()
    while example.is_alive():
        for row in Client(address, token).jobs(state="queued"):
            if row["id"] > last:
                Worker(engine, settings()).advance(row["id"])
        example.join(0.1)
    assert "{" in capsys.readouterr().out


def test_requests_are_those_of_the_published_description(service, client, monkeypatch):
    requests = []

    def record(method, path, body=None, headers=None, fields=None):
        requests.append((method, path, body, headers or {}, fields or {}))
        return {"jobs": [{"id": 1}], "state": "done"}

    description = urllib3.request("GET", f"{service[0]}/openapi.json").json()
    monkeypatch.setattr(client, "_request", record)
    client.submit("skat-4", backend="sparse", shots=10, max_cost_usd="1", tag="t")
    client.jobs(state="done", tag="t", backend="sparse", limit=1, before=5)
    for call in (client.job, client.wait, client.result, client.cancel):
        call(1)
    for method, path, body, headers, fields in requests:
        route = description["paths"][path.replace("1", "{job_id}")][method.lower()]
        known = {each["name"] for each in route.get("parameters", ())}
        assert {*map(str.lower, headers), *fields} <= known
        if body is not None:
            schema = route["requestBody"]["content"]["application/json"]["schema"]
            validate(body, schema | {"components": description["components"]})
    states = description["components"]["schemas"]["State"]["enum"]
    assert set(states) >= FINAL


def test_the_same_key_makes_no_second_job(client):
    first, again = (client.submit("skat-4", backend="sparse", key="k") for _ in range(2))
    assert first == again


def test_files_of_circuits_and_games_are_sent(client, tmp_path):
    circuit, game = tmp_path / "one.qasm", tmp_path / "mine.toml"
    circuit.write_text(
        'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[1] q;\nbit[1] c;\nx q[0];\nc = measure q;\n'
    )
    game.write_text('game = "skat"\nplayers = 2\nhand = 1\ndeck = ["CA", "C10", "CK"]\n')
    jobs = [client.submit(file=file, backend="sparse")[0] for file in (circuit, game)]
    client.cancel(jobs[0])
    assert client.wait(jobs[0])["state"] == "cancelled"
    with pytest.raises(TimeoutError):
        client.wait(jobs[1], timeout=0)


def test_a_refusal_carries_the_reason_and_the_status(client):
    with pytest.raises(StichwerkError, match="skat-4") as refused:
        client.submit("skat-44", backend="sparse")
    assert refused.value.status == 422
    with pytest.raises(StichwerkError) as unknown:
        client.job(10**6)
    assert unknown.value.status == 404


def test_a_service_that_is_away_is_named():
    with pytest.raises(StichwerkError, match=r"http://127\.0\.0\.1:1:") as away:
        Client("http://127.0.0.1:1", retries=0).jobs()
    assert away.value.status is None


def test_a_busy_service_gets_the_same_submission_again():
    keys = []

    class Busy(BaseHTTPRequestHandler):
        """Refuses the first request."""

        def do_POST(self):
            keys.append(self.headers["Idempotency-Key"])
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(429 if len(keys) == 1 else 202)
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(json.dumps({"jobs": [{"id": 7}]}).encode())

        def log_message(self, *arguments):
            """Write nothing."""

    with HTTPServer(("127.0.0.1", 0), Busy) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        client = Client(f"http://127.0.0.1:{server.server_port}")
        assert client.submit("skat-4", backend="sparse") == [7]
        server.shutdown()
    assert len(keys) == 2
    assert keys[0] == keys[1]
