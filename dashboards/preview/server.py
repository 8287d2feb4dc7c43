"""Serves the page, the dashboard it draws and the data it asks for, on the loopback interface."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import psycopg
from attrs import frozen

from compiler.errors import InputError
from dashboards.preview.rows import read_rows

SECONDS = 60


@frozen
class Sources:
    """Where data comes from.

    Args:
        prometheus: URL of its HTTP API, without a slash at the end.
        postgres: URL of the database, empty if there is none.
    """

    prometheus: str
    postgres: str = ""

    def check(self) -> None:
        """Ask both whether they are there.

        Raises:
            InputError: one of them does not answer.
        """
        try:
            urlopen(f"{self.prometheus}/api/v1/status/buildinfo", timeout=SECONDS).close()
        except (OSError, ValueError) as error:
            raise InputError(f"no Prometheus at {self.prometheus}: {error}") from error
        try:
            if self.postgres:
                read_rows(self.postgres, "SELECT 1")
        except psycopg.Error as error:
            raise InputError(f"the database does not answer: {error}") from error


@contextmanager
def serving(page: Path, settings: Mapping[str, Any], sources: Sources) -> Iterator[str]:
    """Serve until the block ends, and return the page's URL.

    Args:
        page: the folder with the bundled page.
        settings: what the page reads as `api/settings`: the dashboard and how to show it.
        sources: where its data comes from.
    """
    handler = partial(_Handler, settings=settings, sources=sources, directory=str(page))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


class _Handler(SimpleHTTPRequestHandler):
    def __init__(
        self, *args: Any, settings: Mapping[str, Any], sources: Sources, **kwargs: Any
    ) -> None:
        self.settings, self.sources = settings, sources
        super().__init__(*args, **kwargs)

    def do_GET(self) -> None:
        if self.path == "/api/settings":
            self._answer(HTTPStatus.OK, self.settings)
        elif self.path.startswith("/api/prometheus/"):
            self._prometheus(self.path.removeprefix("/api/prometheus/"))
        else:
            super().do_GET()

    def do_POST(self) -> None:
        sql = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if not self.sources.postgres:
            error = "the dashboard asks PostgreSQL; name it with --postgres"
            self._answer(HTTPStatus.BAD_REQUEST, {"error": error})
            return
        try:
            rows = read_rows(self.sources.postgres, sql)
        except psycopg.Error as error:
            self._answer(HTTPStatus.BAD_REQUEST, {"error": " ".join(str(error).split())})
        else:
            self._answer(HTTPStatus.OK, rows)

    def _prometheus(self, path: str) -> None:
        try:
            with urlopen(f"{self.sources.prometheus}/api/v1/{path}", timeout=SECONDS) as response:
                self._send(HTTPStatus.OK, response.read())
        except HTTPError as error:
            self._send(error.code, error.read())
        except (URLError, TimeoutError) as error:
            reason = getattr(error, "reason", error)
            self._answer(HTTPStatus.BAD_GATEWAY, {"status": "error", "error": str(reason)})

    def _answer(self, status: int, body: object) -> None:
        self._send(status, json.dumps(body).encode())

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of every request."""
