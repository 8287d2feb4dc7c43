"""Connections whose every wait has an end, and which are never too many for the descriptors.

Uvicorn waits for a client's words as long as the client likes. Here a request has so long for its
head, so long for its body, and so long until its answer has been taken; then the connection is
cut. When there are too many, one that still waits for the head of a request makes room.
"""

import asyncio
import logging
import resource
from time import monotonic
from typing import Any, ClassVar, cast

import h11
import uvicorn
from attrs import frozen
from uvicorn.protocols.http.h11_impl import H11Protocol

LOG = logging.getLogger("stichwerk.api")

BACKLOG = 128
"""Connections that wait to be accepted; so many are accepted before others have their turn."""

RESERVED = 2 * BACKLOG
"""Descriptors for everything else: the database, Redis, readers, and what is just being closed."""

LONGEST_HEAD = 1 << 16
ACCEPT_FAILED = "socket.accept() out of system resource"
SILENCE_SECONDS = 60.0
"""Between two lines about connections that cannot be accepted."""


@frozen
class Limits:
    """What clients may take.

    Args:
        connections: in all.
        per_address: from one address.
        head_seconds: for a request's line and headers, from the end of the one before.
        body_seconds: for a request's body.
        answer_seconds: from the end of a body until the client has taken the whole answer.
    """

    connections: int = 500
    per_address: int = 100
    head_seconds: float = 20.0
    body_seconds: float = 60.0
    answer_seconds: float = 120.0

    @classmethod
    def within(cls, connections: int, per_address: int) -> "Limits":
        """Return limits that leave descriptors to spare; as many as there may be are allowed."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = connections + RESERVED
        if soft < wanted:
            soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        fitting = min(connections, max(soft - RESERVED, soft // 4, 1))
        return cls(fitting, min(per_address, fitting))


class BoundedProtocol(H11Protocol):
    """One connection that speaks HTTP/1.1."""

    limits: ClassVar[Limits] = Limits()
    _armed: tuple[str, object] | None = None
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or cut it if there are too many."""
        self.since = monotonic()
        self.transport = transport
        self.address = (transport.get_extra_info("peername") or ("",))[0]
        if not self._has_room():
            transport.abort()
            return
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Go on with what the client has sent."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait until the client has taken the answer, then for its next request."""
        super().on_response_complete()
        self._watch()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, also in the middle of a request that is being answered."""
        if self.cycle is not None:
            # What the application still answers would come after this.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.abort()

    @property
    def idle(self) -> bool:
        """Whether it waits for the head of a request, and has nothing left to send."""
        return self._waits_for()[0] == "head"

    def _has_room(self) -> bool:
        """Tell whether one more connection fits, having cut an idle one if need be."""
        others = [cast(BoundedProtocol, one) for one in self.connections]
        neighbours = [one for one in others if one.address == self.address]
        for crowd, most in (
            (neighbours, self.limits.per_address),
            (others, self.limits.connections),
        ):
            if len(crowd) < most:
                continue
            idle = [one for one in crowd if one.idle]
            if not idle:
                return False
            longest = min(idle, key=lambda one: one.since)
            self.connections.discard(longest)
            longest.transport.abort()
            if longest in others:
                others.remove(longest)
        return True

    def _waits_for(self) -> tuple[str, object]:
        """Return what is waited for, and in which request."""
        if self.conn.their_state is h11.SEND_BODY:
            return "body", self.cycle
        answered = self.cycle is None or self.cycle.response_complete
        if answered and not self.transport.get_write_buffer_size():
            return "head", self.cycle
        return "answer", self.cycle

    def _watch(self) -> None:
        """Let what is waited for now come in time."""
        awaited = self._waits_for()
        if awaited == self._armed:
            return
        if awaited[0] == "head":
            self.since = monotonic()
        if self._timer is not None:
            self._timer.cancel()
        seconds = {
            "head": self.limits.head_seconds,
            "body": self.limits.body_seconds,
            "answer": self.limits.answer_seconds,
        }[awaited[0]]
        self._armed = awaited
        self._timer = self.loop.call_later(seconds, self._too_late)

    def _too_late(self) -> None:
        self._timer = None
        if self._waits_for() == self._armed:
            self.transport.abort()
        else:
            self._watch()


class BoundedServer(uvicorn.Server):
    """A server that says once a minute, not thousands of times, that it cannot accept."""

    _said = -SILENCE_SECONDS

    async def startup(self, sockets: Any = None) -> None:
        """Begin to listen."""
        asyncio.get_running_loop().set_exception_handler(self._failed)
        await super().startup(sockets)

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if context["message"] != ACCEPT_FAILED:
            loop.default_exception_handler(context)
        elif monotonic() - self._said > SILENCE_SECONDS:
            self._said = monotonic()
            LOG.error("connections cannot be accepted just now: %s", context.get("exception"))


def bounded_protocol(limits: Limits) -> type[BoundedProtocol]:
    """Return the protocol with these limits."""
    return type("Bounded", (BoundedProtocol,), {"limits": limits})
