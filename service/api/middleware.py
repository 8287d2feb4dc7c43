"""What every request goes through: bounds on its body, a count, a line in the log, headers."""

import asyncio
import logging
from collections.abc import Collection, Mapping
from time import monotonic, perf_counter

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.api.errors import problem
from service.api.hosts import is_allowed
from service.api.metrics import RequestMetrics

LOG = logging.getLogger("stichwerk.api")

BODY_SECONDS = 50.0
"""For a request's whole body; a little later `service.api.connections` cuts the connection."""

HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-inline'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
}
"""The description's page has inline scripts and styles; nothing comes from anywhere else."""


MISDIRECTED = (
    "requests for this host are not served here; whoever runs the service names it in "
    "STICHWERK_HOSTS"
)


class RequestMiddleware:
    """Wraps an application.

    Args:
        app: what answers.
        most_bytes: of a request's body, however it is sent.
        metrics: counts the answers.
        hosts: names that requests may be sent to; see `service.api.hosts`.
    """

    def __init__(
        self, app: ASGIApp, most_bytes: int, metrics: RequestMetrics, hosts: Collection[str]
    ) -> None:
        self._app = app
        self._most_bytes = most_bytes
        self._metrics = metrics
        self._hosts = hosts

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
            if is_allowed(dict(scope["headers"]).get(b"host"), self._hosts):
                await self._app(scope, self._bounded(scope, receive), sent)
            else:
                await problem(421, MISDIRECTED)(scope, receive, sent)
        except Exception:  # the last resort: whoever asked hears no more than that
            LOG.exception("%s %s failed", scope["method"], _route(scope))
            if not status:
                await problem(500, "internal error")(scope, receive, sent)
        finally:
            seconds = perf_counter() - started
            method = scope["method"] if scope["method"] in METHODS else "other"
            self._metrics.count(method, _route(scope), status, seconds)
            LOG.info("%s %s %s %.1f ms", method, _route(scope), status, seconds * 1000)

    def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        """Return a `receive` that refuses bodies that are too large or too slow."""
        got, complete = 0, False
        until = monotonic() + BODY_SECONDS

        async def bounded() -> Message:
            nonlocal got, complete
            if complete:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), until - monotonic())
            except TimeoutError as error:
                raise HTTPException(408, "the request's body did not come") from error
            got += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if got > self._most_bytes:
                raise HTTPException(413, f"more than {self._most_bytes} bytes")
            return message

        return bounded


METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


def _route(scope: Scope) -> str:
    """Return the route that was taken, not the path, which a stranger may have written."""
    return getattr(scope.get("route"), "path", "none")
