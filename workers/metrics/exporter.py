"""A worker's own HTTP server: what its processes count, and whether it lives."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import socket

from celery.signals import worker_process_init
from prometheus_client import CONTENT_TYPE_LATEST

from workers.metrics.shared_counts import worker_exposition

LOG = logging.getLogger("stichwerk.metrics")

CLIENT_SECONDS = 10.0
LOOK_SECONDS = 0.1
"""Between two looks whether it is to end."""


@contextmanager
def exporting(listening: socket, folder: Path) -> Iterator[None]:
    """Answer on a listening socket until the block ends; children that are forked give it up.

    - `GET /metrics`: the sum over this worker's processes and its sweeper.
    - `GET /health`: 200 for as long as this process lives. It does not ask for Redis or the
      database: a worker that waits for them goes on by itself, and starting it anew helps nobody.
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
                except Exception:  # whoever asked hears no more than that
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
