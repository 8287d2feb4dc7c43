"""An HTTP server on loopback that plays a provider, with connections that it can cut.

`protocol` has what it speaks in, `machine` runs the jobs, `faults` says what goes wrong. A
provider is a subclass of `Provider`. It returns its routes, each with the name of its operation,
by which faults find it; `submit`, `find`, `status`, `result` and `cancel` mean the same at every
provider:

    class Example(Provider):
        def routes(self):
            return [
                Route("POST", "/jobs", "submit", self.submit),
                Route("GET", "/jobs/{id}", "status", self.status),
                Route("GET", "/{bucket}/{key+}", "result", self.download),
            ]

        def status(self, request: Request) -> Response:
            if request.parameters["id"] not in self.machine.jobs:
                raise Refusal(404, "NotFound", "no such job")
            return Response.of_json({...})

    with Server(Example(faults, machine)) as server:
        server.url  # http://127.0.0.1:<port>, until the block ends

`{name}` matches one segment of a path as it was sent, so that an escaped slash is part of it, and
`{name+}` all that is left; both arrive unescaped. The first matching route answers. Beside them
every server has `GET /audit`, all accepted jobs, `GET /audit/fences`, and `GET`, `POST` and
`DELETE /faults`, also of one fault as `DELETE /faults/outage`.
"""

import contextlib
import socket
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from attrs import evolve

from tests.servers.provider_simulators.control import control_routes
from tests.servers.provider_simulators.faults import STATUSES, Fault, Rule
from tests.servers.provider_simulators.protocol import Provider, Refusal, Request, Response, Route


class Server:
    """A provider at a port of 127.0.0.1, from entering a `with` block, or `start`, to its end."""

    def __init__(self, provider: Provider, port: int = 0) -> None:
        self.provider = provider
        self.http = _Http(("127.0.0.1", port), _Handler)
        self.http.provider = provider
        self.http.routes = [*control_routes(provider), *provider.routes()]
        self._thread = threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """Return `http://127.0.0.1:<port>`."""
        return f"http://127.0.0.1:{self.http.server_address[1]}"

    def start(self) -> Self:
        """Begin to answer, in another thread."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Cut all connections, stop the machine and give the port back."""
        self.http.shutdown()
        self.http.server_close()
        self.http.cut_all()
        self.provider.machine.stop()
        self._thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    provider: Provider
    routes: Sequence[Route]

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.open: set[socket.socket] = set()

    def cut_all(self) -> None:
        for connection in list(self.open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    timeout = 120
    server: _Http

    def setup(self) -> None:
        super().setup()
        self.server.open.add(self.connection)

    def finish(self) -> None:
        self.server.open.discard(self.connection)
        with contextlib.suppress(OSError):
            super().finish()

    def handle(self) -> None:
        with contextlib.suppress(ConnectionError, TimeoutError):
            super().handle()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: a request may carry a token."""

    def answer(self) -> None:
        """Answer one request, or fail to as the faults will have it."""
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        request = Request(
            self.command,
            parts.path,
            parse_qs(parts.query, keep_blank_values=True),
            {name.lower(): value for name, value in self.headers.items()},
            self.rfile.read(length),
        )
        try:
            response = _response(self.server, request)
        except _CutError:
            self.close_connection = True
            with contextlib.suppress(OSError):
                self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(response.status)
        self.send_header("Content-Type", response.content_type)
        self.send_header("Content-Length", str(len(response.body)))
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = answer  # noqa: N815 - http.server


def _response(server: _Http, request: Request) -> Response:
    """Return the answer to a request.

    Raises:
        _CutError: if the connection is to be cut instead.
    """
    for route in server.routes:
        parameters = route.parameters(request.method, request.path)
        if parameters is not None:
            return _answer(server.provider, route, evolve(request, parameters=parameters))
    return _refused(server.provider, Refusal(404, "NotFound", f"no route to {request.path}"))


def _answer(provider: Provider, route: Route, request: Request) -> Response:
    try:
        _limit(provider, route)
        _fail(provider, route, Fault.SERVER_ERROR, Fault.CUT_BEFORE)
        if route.takes_token and _fires(provider, route, Fault.EXPIRED_TOKEN):
            return provider.expire()
        _dawdle(provider, route, Fault.SLOW_SUBMIT)
        response = route.answer(request)
        _dawdle(provider, route, Fault.SLOW_ANSWER)
        _fail(provider, route, Fault.SERVER_ERROR_AFTER, Fault.CUT_AFTER)
    except Refusal as refusal:
        return _refused(provider, refusal)
    return response


def _dawdle(provider: Provider, route: Route, fault: Fault) -> None:
    if rule := _fires(provider, route, fault):
        time.sleep(rule.seconds)


def _limit(provider: Provider, route: Route) -> None:
    if _fires(provider, route, Fault.OUTAGE):
        raise Refusal(503, "ServiceUnavailable", "simulated outage")
    if rule := _fires(provider, route, Fault.TOO_MANY_REQUESTS):
        raise Refusal(429, "TooManyRequests", "simulated limit of requests", rule.seconds)
    for fault, status in STATUSES.items():
        if _fires(provider, route, fault):
            raise Refusal(status, fault, f"simulated refusal: {fault}")


def _fail(provider: Provider, route: Route, server_error: Fault, cut: Fault) -> None:
    if _fires(provider, route, server_error):
        raise Refusal(500, "InternalServerError", "simulated failure of the server")
    if _fires(provider, route, cut):
        raise _CutError


def _fires(provider: Provider, route: Route, fault: Fault) -> Rule | None:
    return provider.faults.fires(fault, route.operation) if route.operation else None


def _refused(provider: Provider, refusal: Refusal) -> Response:
    response = provider.refused(refusal)
    if refusal.retry_after is None:
        return response
    retry = {"Retry-After": f"{refusal.retry_after:g}"}
    return evolve(response, headers={**response.headers, **retry})


class _CutError(Exception):
    pass
