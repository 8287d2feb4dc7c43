"""`stichwerk serve` and `stichwerk token` as a user has them, on loopback."""

import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from attrs import frozen
from sqlalchemy import inspect, text
from sqlalchemy.orm import Session

from tests.servers.commands import RunningCommand
from tests.servers.process import free_port
from tests.service.play.serving import RECORDS, running
from workers.accounts.tokens import create_token
from workers.records.database import open_database

SECRET = "planted-secret-8c1f"


@frozen(eq=False)
class Server:
    """A running `stichwerk serve`, and a token that opens it."""

    served: RunningCommand
    token: str

    def client(self) -> httpx2.Client:
        """Return a client that brings the token."""
        return httpx2.Client(
            base_url=self.served.address,
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=120,
        )

    def end(self, signal_: int) -> tuple[int, str]:
        """Send a signal and return the exit code and the log."""
        self.served.process.send_signal(signal_)
        return self.served.process.wait(60), self.served.log.read_text()


@pytest.fixture
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server with a token, a secret in its environment, and no Redis.

    Its parameter, if there is one, names the proxies that it trusts.
    """
    engine = open_database(str(tmp_path / RECORDS))
    with Session(engine) as session:
        token = create_token(session, "alice", ["submit", "read", "metrics"])
    engine.dispose()
    variables = {
        "IBM_QUANTUM_TOKEN": SECRET,
        "STICHWERK_REDIS": f"redis://:{SECRET}@127.0.0.1:{free_port()}/0",
        "STICHWERK_TRUSTED_PROXIES": getattr(request, "param", ""),
    }
    with running(tmp_path, **variables) as served:
        yield Server(served, token)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_a_server_from_its_start_to_its_end(server: Server, tmp_path: Path, end: int) -> None:
    answers = answered(server)
    assert SECRET.encode() not in Path(f"/proc/{server.served.process.pid}/environ").read_bytes()
    break_off(server)
    with server.client() as client:
        assert len(client.get("/jobs").json()["jobs"]) == 1
    code, log = server.end(end)
    assert code == 0
    assert "Traceback" not in log
    assert server.token not in log
    assert "in-a-query" not in log
    assert SECRET not in log + answers
    assert_not_kept(tmp_path, SECRET, server.token)


def answered(server: Server) -> str:
    """Ask all kinds of things, and return the answers."""
    with server.client() as client:
        assert client.get("/health").json()["broker"] == "away"
        (job,) = client.post(
            "/jobs?key=in-a-query", json={"program": "skat-4", "backend": "sparse"}
        ).json()["jobs"]
        answers = [
            client.get(path)
            for path in (job["job"], job["result"], "/jobs", "/metrics", "/openapi.json", "/x")
        ]
        answers += [
            client.post("/jobs", json={"program": server.token, "backend": "sparse"}),
            client.post("/jobs", json={"program": SECRET, "backend": SECRET}),
            client.post("/jobs", json={"program": "skat-4", "backend": f"ibm:{SECRET}"}),
        ]
    return "".join(answer.text for answer in answers)


def assert_not_kept(folder: Path, *secrets: str) -> None:
    engine = open_database(str(folder / RECORDS))
    with engine.connect() as connection:
        rows = [
            str(connection.execute(text(f'SELECT * FROM "{table}"')).all())
            for table in inspect(engine).get_table_names()
        ]
    engine.dispose()
    files = b"".join(path.read_bytes() for path in folder.glob(f"{RECORDS}*"))
    for secret in secrets:
        assert secret not in "".join(rows)
        assert secret.encode() not in files


def break_off(server: Server) -> None:
    """Be a client that sends nonsense, or half of a request, and leaves."""
    for words in (
        b"",
        b"nonsense\r\n\r\n",
        b"GET /jobs HTTP/1.1\r\nHost: x\r\n",
        b"GET /jobs HTTP/9.9\r\nHost: x\r\n\r\n",
        b"POST /jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
        b"Content-Length: 1000\r\n\r\n{" % server.token.encode(),
        b"POST /jobs HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST /jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" % server.token.encode(),
        b"POST /jobs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ):
        with socket.create_connection(("127.0.0.1", server.served.port), timeout=30) as connection:
            connection.sendall(words)


def seen_from(
    server: Server, forwarded: str, token: str = "stw_unknown", times: int = 5
) -> set[int]:
    """Return how requests are answered that a proxy on this machine passes on."""
    headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": forwarded}
    with server.client() as client:
        return {client.get("/jobs", headers=headers).status_code for _ in range(times)}


@pytest.mark.parametrize(
    ("server", "apart"),
    [
        pytest.param("", True, marks=pytest.mark.full),
        pytest.param("127.0.0.0/8", True, marks=pytest.mark.full),
        ("10.0.0.0/8", False),
    ],
    indirect=["server"],
)
def test_bad_requests_of_one_client_keep_no_other_out(server: Server, apart: bool) -> None:
    """A trusted proxy tells clients apart; a header of anybody else is not believed."""
    while 429 not in seen_from(server, "198.51.100.7"):
        pass
    # What a client claims stands before what the proxy adds.
    assert 429 in seen_from(server, "203.0.113.9, 198.51.100.7", times=20)
    assert (seen_from(server, "203.0.113.9") == {401}) == apart
    # A token that has not been used before is valid from anywhere.
    assert seen_from(server, "198.51.100.7", server.token) == {200}
