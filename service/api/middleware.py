"""Middleware of every request: bound of its body, metrics, a line in the log, headers."""

import logging
from collections.abc import Mapping
from time import perf_counter

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.api.errors import problem
from service.api.metrics import RequestMetrics

LOG = logging.getLogger("stichwerk.api")

HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-inline'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
}
"""The report has inline scripts and styles; no page loads anything from elsewhere."""


class RequestMiddleware:
    """Wraps an application.

    Args:
        app: the application.
        most_bytes: of a request's body, sent in any way.
        metrics: counts the answers.
    """

    def __init__(self, app: ASGIApp, most_bytes: int, metrics: RequestMetrics) -> None:
        self._app = app
        self._most_bytes = most_bytes
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = perf_counter(), 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            await self._app(scope, self._bounded(receive), sent)
        except Exception:  # the last resort: the client gets no details
            LOG.exception("%s %s failed", scope["method"], _route(scope))
            if not status:
                await problem(500, "internal error")(scope, receive, sent)
        finally:
            seconds = perf_counter() - started
            method = scope["method"] if scope["method"] in METHODS else "other"
            self._metrics.count(method, _route(scope), status, seconds)
            LOG.info("%s %s %s %.1f ms", method, _route(scope), status, seconds * 1000)

    def _bounded(self, receive: Receive) -> Receive:
        """Return a `receive` that refuses bodies that are too large."""
        size = 0

        async def bounded() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._most_bytes:
                raise HTTPException(413, f"more than {self._most_bytes} bytes")
            return message

        return bounded


METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


def _route(scope: Scope) -> str:
    """Return the route that was taken, not the path, which a stranger may have written."""
    return getattr(scope.get("route"), "path", "none")
