"""Limits of clients: connections, time of a request, hosts, trusted proxies and rates.

uvicorn bounds the length of a head (`h11_max_incomplete_event_size`), the backlog and idle
connections that are kept alive, and knows proxies (`forwarded_allow_ips`). Starlette's
`TrustedHostMiddleware` compares the host. Neither ends a request that is sent too slowly or an
answer that is not taken, nor counts connections by address: `BoundedProtocol` does.
"""

import asyncio
import logging
import math
import resource
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from ipaddress import IPv4Network, ip_address, ip_network
from time import monotonic
from typing import ClassVar, cast

import h11
from attrs import frozen
from uvicorn.protocols.http.h11_impl import H11Protocol

from compiler.errors import InputError

BACKLOG = 128
"""Connections that wait to be accepted; so many are accepted before others have their turn."""

RESERVED_DESCRIPTORS = 2 * BACKLOG
"""For everything else: the database, Redis, readers, and connections that are just being closed."""

MAX_HEAD_BYTES = 1 << 16
MAX_BUCKETS = 10_000
ACCEPT_FAILED = "socket.accept() out of system resource"
MINUTE_SECONDS = 60.0
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")


@frozen
class Limits:
    """Limits of connections.

    Args:
        connections: in all.
        per_address: from one address.
        head_seconds: for a request's line and headers, from the end of the one before.
        body_seconds: for a request's body.
        answer_seconds: from the end of a body until the client has taken the whole answer.
        check_seconds: between two checks of a connection, and precision of the others.
    """

    connections: int = 500
    per_address: int = 100
    head_seconds: float = 20.0
    body_seconds: float = 60.0
    answer_seconds: float = 120.0
    check_seconds: float = 1.0

    @classmethod
    def within(cls, connections: int, per_address: int) -> "Limits":
        """Return limits that leave descriptors to spare; raise the process's own if allowed."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = connections + RESERVED_DESCRIPTORS
        if soft < wanted:
            soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        fitting = min(connections, max(soft - RESERVED_DESCRIPTORS, soft // 4, 1))
        return cls(fitting, min(per_address, fitting))


class BoundedProtocol(H11Protocol):
    """One connection that speaks HTTP/1.1, in one of three phases: head, body, answer.

    A connection that stays in a phase for too long is aborted. A new one that is one too many
    takes the place of the one that has waited longest for a head, or is aborted if all are busy.
    """

    limits: ClassVar[Limits] = Limits()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or abort it if there are too many."""
        self.transport = transport
        self.address = (transport.get_extra_info("peername") or ("",))[0]
        if not self._make_room():
            transport.abort()
            return
        super().connection_made(transport)
        self.since, self._checked = monotonic(), self.phase
        self._check()

    def send_400_response(self, msg: str) -> None:
        """Refuse invalid HTTP, also in the middle of a request that is being answered."""
        if self.cycle is not None:
            # The application's answer would come after this.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.abort()

    @property
    def phase(self) -> tuple[str, object]:
        """The phase in which the connection waits, and its request."""
        if self.conn.their_state is h11.SEND_BODY:
            return "body", self.cycle
        is_answered = self.cycle is None or self.cycle.response_complete
        if is_answered and not self.transport.get_write_buffer_size():
            return "head", self.cycle
        return "answer", self.cycle

    def _check(self) -> None:
        """Abort the connection if its phase takes too long; check again later."""
        if self.transport.is_closing() and not self.transport.get_write_buffer_size():
            return
        phase = self.phase
        if phase != self._checked:
            self.since, self._checked = monotonic(), phase
        elif monotonic() - self.since > getattr(self.limits, f"{phase[0]}_seconds"):
            self.transport.abort()
            return
        self.loop.call_later(self.limits.check_seconds, self._check)

    def _make_room(self) -> bool:
        """Return whether one more connection fits, having aborted an idle one if need be."""
        for address, limit in (
            (self.address, self.limits.per_address),
            (None, self.limits.connections),
        ):
            others = [cast(BoundedProtocol, other) for other in self.connections]
            crowd = [other for other in others if address in (None, other.address)]
            if len(crowd) < limit:
                continue
            idle = [other for other in crowd if other.phase[0] == "head"]
            if not idle:
                return False
            longest = min(idle, key=lambda other: other.since)
            self.connections.discard(longest)
            longest.transport.abort()
        return True


class RareAcceptErrors(logging.Filter):
    """Filter that passes one accept error a minute; asyncio logs one for each of a backlog."""

    _passed = -MINUTE_SECONDS

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged."""
        if ACCEPT_FAILED not in record.getMessage():
            return True
        is_due = monotonic() - self._passed >= MINUTE_SECONDS
        if is_due:
            self._passed = monotonic()
        return is_due


def bounded_protocol(limits: Limits) -> type[BoundedProtocol]:
    """Return the protocol with these limits."""
    return type("Bounded", (BoundedProtocol,), {"limits": limits})


def allowed_hosts(setting: str, listening_at: str) -> list[str]:
    """Return the hosts that requests may be sent to, for Starlette's `TrustedHostMiddleware`.

    If any name were allowed, a page elsewhere could have its own name lead here.

    Args:
        setting: names separated by commas; empty for this machine's own and the address below.
        listening_at: the address that the server listens on.
    """
    try:
        is_version_6 = ip_address(listening_at).version == 6
    except ValueError:
        is_version_6 = False
    names = [name.strip() for name in setting.split(",") if name.strip()]
    return names or [*LOCAL_HOSTS, f"[{listening_at}]" if is_version_6 else listening_at]


def trusted_proxies(setting: str) -> list[str]:
    """Return the networks whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.

    Args:
        setting: addresses and networks separated by commas.

    Raises:
        InputError: naming the entry that is not an address or a network, or that is the network of
            all addresses: every client could then claim any address.
    """
    networks = list[str]()
    for name in filter(None, map(str.strip, setting.split(","))):
        try:
            network = ip_network(name)
        except ValueError as error:
            raise InputError(
                f"STICHWERK_TRUSTED_PROXIES='{name}': not an address or a network; write "
                "10.1.2.3 or 10.1.0.0/16"
            ) from error
        if network.prefixlen == 0:
            raise InputError(
                f"STICHWERK_TRUSTED_PROXIES='{name}': trusts every client; name the proxy's network"
            )
        networks.append(str(network))
        if isinstance(network, IPv4Network):
            # A socket that takes both kinds shows addresses of IPv4 like this.
            networks.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return networks


class Rates:
    """Buckets of calls that fill up again with time; safe to be shared by threads.

    How many calls a minute are allowed is `calls_a_minute` of `workers.settings`; as many are
    allowed at once after a quiet minute.

    Args:
        clock: returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, caller: Hashable, a_minute: int) -> int:
        """Count a call; return the whole seconds until the next try, 0 if the call is allowed.

        Args:
            caller: whose bucket it is.
            a_minute: calls that are allowed.
        """
        with self._lock:
            left = self._now_left(caller, a_minute)
            allowed = left >= 1
            self._left[caller] = (self._clock(), left - allowed)
            self._left.move_to_end(caller)
            if len(self._left) > MAX_BUCKETS:
                # The caller who has been quiet for longest has most likely a full bucket again.
                self._left.popitem(last=False)
        # Rounded first: 1.0000001 s are one second.
        seconds = math.ceil(round((1 - left) * MINUTE_SECONDS / a_minute, 3))
        return 0 if allowed else max(seconds, 1)

    def exhausted(self, caller: Hashable, a_minute: int) -> bool:
        """Return whether a call would not be allowed now, without counting one."""
        with self._lock:
            return self._now_left(caller, a_minute) < 1

    def _now_left(self, caller: Hashable, a_minute: int) -> float:
        now = self._clock()
        at, left = self._left.get(caller, (now, float(a_minute)))
        return min(a_minute, left + (now - at) * a_minute / MINUTE_SECONDS)
