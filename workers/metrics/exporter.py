"""A worker's own HTTP server for metrics and health."""

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket

from celery.signals import worker_process_init
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

TRIES = 3

GONE = "gone"
"""Replaces a process's number in the names of files that add up the counts of ended processes."""

_turns = threading.Lock()


def worker_exposition(folder: Path) -> bytes:
    """Return the sum of the counts of a folder, in Prometheus's text format.

    The counts of ended processes stay, their gauges do not.
    """
    registry = CollectorRegistry()
    MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]
    with _turns:
        _bury_the_dead(folder)
        for _ in range(TRIES - 1):
            try:
                return generate_latest(registry)
            except Exception:  # noqa: BLE001 - a file that is just being made cannot be read
                continue
        return generate_latest(registry)


def _bury_the_dead(folder: Path) -> None:
    """Leave one file a type of all the dead, else there would be more with every one that dies."""
    for file in folder.glob("*.db"):
        kind, _, process = file.stem.rpartition("_")
        if process == GONE or _lives(int(process)):
            continue
        # One that is empty belonged to a process that was killed while it made it.
        if not kind.startswith("gauge") and file.stat().st_size:
            _add(file, folder / f"{kind}_{GONE}.db")
        file.unlink()


def _add(file: Path, total: Path) -> None:
    values = MmapedDict(str(total))  # type: ignore[no-untyped-call]
    try:
        for key, counted, *_ in MmapedDict.read_all_values_from_file(str(file)):  # type: ignore[no-untyped-call]
            before, _ = values.read_value(key)  # type: ignore[no-untyped-call]
            values.write_value(key, before + counted, 0.0)  # type: ignore[no-untyped-call]
    finally:
        values.close()  # type: ignore[no-untyped-call]


def _lives(process: int) -> bool:
    """Return whether a number is still that of this process or of a child of it."""
    if process == os.getpid():
        return True
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    state, parent = fields[0], int(fields[1])
    return parent == os.getpid() and state != "Z"


LOG = logging.getLogger("stichwerk.metrics")

CLIENT_SECONDS = 10.0
LOOK_SECONDS = 0.1
"""Between two looks whether it is to end."""


@contextmanager
def exporting(listening: socket, folder: Path) -> Iterator[None]:
    """Answer on a listening socket until the block ends; children that are forked give it up.

    - `GET /metrics`: the sum over this worker's processes and its sweeper.
    - `GET /health`: 200 for as long as this process lives. It does not ask for Redis or the
      database: a worker that waits for them recovers by itself, and a restart would not help.
    """
    server = _server(listening, folder)
    answering = threading.Thread(
        target=server.serve_forever, args=(LOOK_SECONDS,), name="metrics", daemon=True
    )
    answering.start()

    def give_up(**_: object) -> None:
        # Else the port would stay taken for as long as a child outlives its worker.
        listening.close()

    worker_process_init.connect(give_up, weak=False)
    try:
        yield
    finally:
        worker_process_init.disconnect(give_up)
        server.shutdown()
        server.server_close()


def _server(listening: socket, folder: Path) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        timeout = CLIENT_SECONDS

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path == "/health":
                self._answer(HTTPStatus.OK, "text/plain; charset=utf-8", b"ok\n")
            elif path == "/metrics":
                try:
                    content = worker_exposition(folder)
                except Exception:  # the client gets no further detail
                    LOG.exception("no metrics")
                    self.send_error(HTTPStatus.INTERNAL_SERVER_ERROR)
                else:
                    self._answer(HTTPStatus.OK, CONTENT_TYPE_LATEST, content)
            else:
                self.send_error(HTTPStatus.NOT_FOUND)

        def _answer(self, status: HTTPStatus, kind: str, content: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Log nothing: the client is gone."""

    server = Server(listening.getsockname()[:2], Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = listening
    return server
