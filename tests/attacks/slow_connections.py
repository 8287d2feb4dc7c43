"""Clients that send nothing or too slowly, and never read: the API must go on for all others."""

import contextlib
import socket
from collections.abc import Iterator

from ..servers.process import wait_until
from .attack import Siege, attack
from .serving import Api, api

WHOLE = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
WORDS = (
    b"",
    b"GET /jobs HT",
    b"GET /jobs HTTP/1.1\r\nHost: localhost\r\n",
    b"POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{",
    WHOLE,
    b"\x16\x03\x01\x02\x00\x01",
)
DESCRIPTORS = 256
CONNECTIONS = 300
ROUNDS = 5
LINES = 200
"""In the log, besides one for each request that is whole."""
PATIENT_SECONDS = 30.0


@attack("slow-connections", "connections that never send, never end and never read")
def slow_connections(siege: Siege) -> Iterator[str]:
    """Open more connections than a server has descriptors, and ask for its health beside them."""
    with api(siege, descriptors=DESCRIPTORS) as here:
        whole = 0
        for round_ in range(ROUNDS):
            if siege.over():
                return
            words = siege.chance.choice(WORDS)
            whole += CONNECTIONS * (words == WHOLE)
            with contextlib.ExitStack() as crowd:
                for _ in range(CONNECTIONS):
                    with contextlib.suppress(OSError):
                        one = crowd.enter_context(_connected(here.port, "127.0.0.1"))
                        one.sendall(words)
                        siege.tried["connections"] += 1
                if not wait_until(lambda: _is_well(here, "127.0.0.2"), PATIENT_SECONDS):
                    yield f"round {round_}: no answer beside {CONNECTIONS} times {words[:20]!r}"
        lines = here.log.read_text().splitlines()
        if len(lines) > LINES + whole:
            yield f"{len(lines)} lines in the log, such as {lines[len(lines) // 2]!r}"


def _connected(port: int, source: str) -> socket.socket:
    one = socket.create_connection(("127.0.0.1", port), 5, source_address=(source, 0))
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    return one


def _is_well(here: Api, source: str) -> bool:
    """Ask from another address of this machine whether the server is well."""
    with contextlib.suppress(OSError), _connected(here.port, source) as one:
        one.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return one.recv(12) == b"HTTP/1.1 200"
    return False
