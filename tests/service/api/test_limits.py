"""Clients that send nothing, too slowly, too often, or never listen: on real sockets."""

import contextlib
import logging
import resource
import socket
import threading
from collections.abc import Callable, Iterator

import pytest
import uvicorn
from attrs import frozen
from starlette.types import Receive, Scope, Send

from service.api import limits
from service.api.limits import (
    ACCEPT_FAILED,
    BACKLOG,
    RESERVED_DESCRIPTORS,
    Limits,
    RareAcceptErrors,
    Rates,
    bounded_protocol,
)
from service.cli.servers.log_format import listening_socket
from tests.servers.process import wait_until

PATIENT_SECONDS = 60.0
LARGE = 1 << 24
HASTY = Limits(
    connections=8,
    per_address=6,
    head_seconds=0.5,
    body_seconds=0.5,
    answer_seconds=0.5,
    check_seconds=0.05,
)
PATIENT = Limits(connections=8, per_address=6)


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Read the body, unless it is told not to, and answer as much as it is asked for."""
    if scope["type"] != "http":
        return
    if scope["path"] != "/unread":
        while (await receive()).get("more_body"):
            pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    body = b"x" * (LARGE if scope["path"] == "/large" else 2)
    await send({"type": "http.response.body", "body": body})


@frozen(eq=False)
class Running:
    """A server in a thread."""

    server: uvicorn.Server
    port: int

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        """Return a connection from an address of this machine."""
        return socket.create_connection(
            ("127.0.0.1", self.port), PATIENT_SECONDS, source_address=(source, 0)
        )

    def ask(self, source: str = "127.0.0.1", path: str = "/") -> bytes:
        """Return the answer to a request."""
        with self.connect(source) as one:
            one.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            return everything(one)

    @property
    def open(self) -> int:
        """How many connections there are."""
        return len(self.server.server_state.connections)


def everything(one: socket.socket) -> bytes:
    """Return what comes until the connection ends, however it ends."""
    got = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := one.recv(1 << 16):
            got += piece
    return got


def ends(one: socket.socket) -> bool:
    """Tell whether the other side ends a connection, having said nothing."""
    with one:
        return everything(one) == b""


@pytest.fixture
def run() -> Iterator[Callable[[Limits], Running]]:
    """Return a function that starts a server."""
    started: list[tuple[uvicorn.Server, threading.Thread]] = []

    def run(limits: Limits) -> Running:
        listening = listening_socket("127.0.0.1", 0)
        config = uvicorn.Config(
            app, http=bounded_protocol(limits), backlog=BACKLOG, lifespan="off", log_config=None,
            access_log=False, timeout_graceful_shutdown=1,
        )  # fmt: skip
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        started.append((server, thread))
        assert wait_until(lambda: server.started, PATIENT_SECONDS)
        return Running(server, listening.getsockname()[1])

    yield run
    for server, thread in started:
        server.should_exit = True
        thread.join(PATIENT_SECONDS)


@pytest.mark.parametrize(
    "words",
    [
        b"",
        b"GET",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
    ],
)
def test_who_does_not_finish_a_request_is_cut(
    run: Callable[[Limits], Running], words: bytes
) -> None:
    one = run(HASTY).connect()
    one.sendall(words)
    assert ends(one)


def test_a_body_has_no_more_time_if_it_comes_in_pieces(run: Callable[[Limits], Running]) -> None:
    one = run(HASTY).connect()
    one.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
    one.settimeout(0.05)
    sent = 0
    with one, contextlib.suppress(ConnectionError):
        while sent < 1000:
            with contextlib.suppress(TimeoutError):
                assert one.recv(1) == b""
                break
            one.sendall(b"x")
            sent += 1
    assert sent < 1000


def test_a_body_that_nobody_reads_is_cut_after_the_answer(run: Callable[[Limits], Running]) -> None:
    with run(HASTY).connect() as one:
        one.sendall(b"POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
        assert everything(one).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("path", ["/", "/unread", "/large"])
def test_nonsense_in_a_request_that_is_being_answered_ends_it_quietly(
    run: Callable[[Limits], Running], path: str, caplog: pytest.LogCaptureFixture
) -> None:
    running = run(PATIENT)
    start = f"POST {path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    with caplog.at_level(logging.ERROR):
        for pieces in ([start + b"zz\r\n"], [start, b"zz\r\n"]):
            with running.connect() as one:
                for piece in pieces:
                    one.sendall(piece)
                everything(one)
        assert running.ask().startswith(b"HTTP/1.1 200")
    assert caplog.records == []


def test_who_does_not_take_an_answer_is_cut(run: Callable[[Limits], Running]) -> None:
    running = run(HASTY)
    with running.connect() as one:
        one.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        assert one.recv(1) == b"H"
        assert wait_until(lambda: running.open == 0, PATIENT_SECONDS)
        assert len(everything(one)) < LARGE


def test_who_is_in_time_is_served_again_and_again(run: Callable[[Limits], Running]) -> None:
    with run(PATIENT).connect() as one:
        for _ in range(3):
            one.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
            got = b""
            while not got.endswith(b"xx\r\n0\r\n\r\n"):
                got += one.recv(1 << 16)
            assert got.startswith(b"HTTP/1.1 200")
    assert len(run(PATIENT).ask(path="/large")) > LARGE


def test_a_new_connection_takes_the_place_of_one_that_says_nothing(
    run: Callable[[Limits], Running],
) -> None:
    running = run(PATIENT)
    silent = [running.connect() for _ in range(30)]
    silent += [running.connect("127.0.0.2") for _ in range(30)]
    for source in ("127.0.0.1", "127.0.0.2", "127.0.0.3"):
        assert running.ask(source).startswith(b"HTTP/1.1 200")
    assert running.open <= PATIENT.connections
    for one in silent:
        one.close()


def test_who_is_busy_keeps_its_place_and_others_from_there_are_refused(
    run: Callable[[Limits], Running],
) -> None:
    running = run(PATIENT)
    with contextlib.ExitStack() as stack:
        busy = [stack.enter_context(running.connect()) for _ in range(PATIENT.per_address)]
        for one in busy:
            one.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n")
        protocols = running.server.server_state.connections
        assert wait_until(
            lambda: sum(one.phase[0] != "head" for one in protocols) == 6, PATIENT_SECONDS
        )
        assert ends(running.connect())
        assert running.ask("127.0.0.2").startswith(b"HTTP/1.1 200")
        busy[0].sendall(b"x")
        assert busy[0].recv(12) == b"HTTP/1.1 200"


def test_limits_leave_descriptors_to_spare(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    has = {"soft": 1024, "hard": 4096}
    monkeypatch.setattr(resource, "getrlimit", lambda _: (has["soft"], has["hard"]))
    monkeypatch.setattr(resource, "setrlimit", lambda _, pair: asked.append(pair))
    assert Limits.within(500, 100).connections == 500
    assert asked == []
    assert Limits.within(2000, 100).connections == 2000
    assert asked.pop() == (2000 + RESERVED_DESCRIPTORS, 4096)
    assert Limits.within(9000, 100).connections == 4096 - RESERVED_DESCRIPTORS
    has.update(soft=256, hard=256)
    assert Limits.within(500, 100) == Limits(64, 64)


def test_errors_of_accepting_are_logged_rarely(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.Logger("asyncio")
    logger.addFilter(RareAcceptErrors())
    logger.addHandler(caplog.handler)
    for _ in range(1000):
        logger.error(ACCEPT_FAILED)
    logger.error("another error")
    assert [record.message for record in caplog.records] == [ACCEPT_FAILED, "another error"]


def test_a_bucket_fills_up_with_time() -> None:
    now = [0.0]
    one = Rates(lambda: now[0])
    assert [one.wait("a", 3) for _ in range(4)] == [0, 0, 0, 20]
    assert one.exhausted("a", 3)
    assert not one.exhausted("b", 3)
    now[0] = 19.0
    assert one.wait("a", 3) == 1
    now[0] = 20.0
    assert [one.wait("a", 3) for _ in range(2)] == [0, 20]
    # Never more than a minute's worth.
    now[0] = 10_000.0
    assert [one.wait("a", 3) for _ in range(4)] == [0, 0, 0, 20]


def test_whoever_has_not_called_for_longest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_BUCKETS", 2)
    one = Rates(lambda: 0.0)
    for who in "abc":
        one.wait(who, 1)
    assert [one.exhausted(who, 1) for who in "abc"] == [False, True, True]
