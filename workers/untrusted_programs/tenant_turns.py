"""Turns at the processes that read programs, so that no tenant holds up the others.

A tenant may have only a part of the processes and of the waiting places. Next is the tenant with
the fewest processes, and among equals the one whose programs took the least time lately. While the
programs of one tenant take much, one process is reserved for all others.
"""

import threading
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from time import monotonic

from attrs import define

from compiler.errors import StichwerkError

HALF_LIFE_SECONDS = 60.0
HEAVY_SECONDS = 3.0
"""CPU seconds of reading lately, after which a tenant leaves one process to others."""

MAX_TENANTS = 10_000


class BusyError(StichwerkError):
    """Too many programs wait to be read; or the child cannot be started."""


@define(eq=False)
class Turn:
    """A tenant's turn at a process.

    Args:
        tenant: whose it is.
        granted: whether the tenant holds a process.
        began: moment of the monotonic clock from which its time counts.
    """

    tenant: Hashable
    granted: bool = False
    began: float = 0.0

    def begin(self) -> None:
        """Let the time count from now on, such as when the process has been started."""
        self.began = monotonic()


class Turns:
    """Turns at some equal processes; safe to be shared by threads.

    Args:
        number: of processes.
        places: for tenants that wait or are served, in all; as many more are reserved for tenants
            that have none yet.
    """

    def __init__(self, number: int, places: int) -> None:
        self._number = number
        self._places = places
        self._free = number
        self._lock = threading.Condition()
        self._waiting: list[Turn] = []
        self._inside: Counter[Hashable] = Counter()
        self._serving: Counter[Hashable] = Counter()
        self._used: dict[Hashable, tuple[float, float]] = {}

    @contextmanager
    def place(self, tenant: Hashable) -> Iterator[None]:
        """Hold a place, to wait or to be served.

        Raises:
            BusyError: if there is none left.
        """
        with self._lock:
            mine, all_ = self._inside[tenant], self._inside.total()
            most = self._places if mine else 2 * self._places
            if all_ >= most or mine >= max(1, self._places // 2):
                raise BusyError("too many programs wait to be read; try again in some seconds")
            self._inside[tenant] += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside[tenant] -= 1
                self._inside += Counter()

    @contextmanager
    def turn(self, tenant: Hashable) -> Iterator[Turn]:
        """Wait for a process, and hold it."""
        turn = Turn(tenant)
        with self._lock:
            self._waiting.append(turn)
            self._grant()
            self._lock.wait_for(lambda: turn.granted)
        turn.begin()
        try:
            yield turn
        finally:
            with self._lock:
                self._note(tenant, monotonic() - turn.began)
                self._serving[tenant] -= 1
                self._serving += Counter()
                self._free += 1
                self._grant()

    def _grant(self) -> None:
        """Let all come in whose turn it is."""
        while self._free and (
            able := [waiting for waiting in self._waiting if self._may(waiting.tenant)]
        ):
            lately = {waiting.tenant: self._lately(waiting.tenant) for waiting in able}
            # Of one tenant's the first: `min` takes the earliest of equals.
            next_ = min(able, key=lambda next_: (self._serving[next_.tenant], lately[next_.tenant]))
            self._waiting.remove(next_)
            self._serving[next_.tenant] += 1
            self._free -= 1
            next_.granted = True
            self._lock.notify_all()

    def _may(self, tenant: Hashable) -> bool:
        if self._number == 1:
            return True
        if self._serving[tenant] >= max(1, self._number // 2):
            return False
        heavy = sum(n for tenant_, n in self._serving.items() if self._heavy(tenant_))
        return not self._heavy(tenant) or heavy < self._number - 1

    def _heavy(self, tenant: Hashable) -> bool:
        return self._lately(tenant) > HEAVY_SECONDS

    def _lately(self, tenant: Hashable) -> float:
        at, seconds = self._used.get(tenant, (monotonic(), 0.0))
        return float(seconds * 0.5 ** ((monotonic() - at) / HALF_LIFE_SECONDS))

    def _note(self, tenant: Hashable, seconds: float) -> None:
        self._used[tenant] = (monotonic(), self._lately(tenant) + seconds)
        if len(self._used) > MAX_TENANTS:
            self._used.pop(min(self._used, key=self._lately))
