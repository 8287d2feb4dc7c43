"""Messages to workers through Redis, without waiting for it.

A message only saves time: without it the sweeper finds the job in the database. So messages are
sent by a thread of their own, and when Redis is away, the next try comes some seconds later.
"""

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from functools import partial
from time import monotonic
from typing import TypeVar

from redis.exceptions import AuthenticationError, ResponseError

from workers.jobs.states import Queue
from workers.logs import redacted

LOG = logging.getLogger("stichwerk.api")

PAUSE_SECONDS = 3.0
FRESH_SECONDS = 1.0
"""Seconds for which the lengths of queues are cached."""

MAX_UNSENT = 10_000

T = TypeVar("T")


class BrokerLink:
    """The connection to Redis, which may be away.

    Args:
        send: puts a job's id on a queue.
        count: returns how many messages each queue holds.
    """

    def __init__(
        self, send: Callable[[int, Queue], object], count: Callable[[], Mapping[Queue, int]]
    ) -> None:
        self._send = send
        self._count = count
        self._away_until = 0.0
        self._unsent: queue.Queue[tuple[int, Queue] | None] = queue.Queue(MAX_UNSENT)
        self._lengths: tuple[float, Mapping[Queue, int] | None] = (0.0, None)
        self.refuses: bool = False
        """True if Redis answers, but takes no messages."""
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._work, name="broker", daemon=True)

    def start(self) -> None:
        """Begin to send."""
        self._thread.start()

    def close(self, seconds: float = 5.0) -> None:
        """Send waiting messages, for so long at most."""
        try:
            self._unsent.put(None, timeout=seconds)
        except queue.Full:
            return
        self._thread.join(seconds)

    def tell(self, job_id: int, queue_: Queue | None) -> None:
        """Let a worker be told to look at a job, soon."""
        if queue_ is None:
            return
        try:
            self._unsent.put_nowait((job_id, queue_))
        except queue.Full:
            # The sweeper sends it.
            return

    def lengths(self) -> Mapping[Queue, int] | None:
        """Return how many messages each queue holds, None if Redis is away."""
        with self._lock:
            at, result = self._lengths
            if monotonic() - at > FRESH_SECONDS:
                result = self._tried(self._count)
                self._lengths = (monotonic(), result)
            return result

    def _work(self) -> None:
        while (message := self._unsent.get()) is not None:
            self._tried(partial(self._send, *message))

    def _tried(self, call: Callable[[], T]) -> T | None:
        if monotonic() < self._away_until:
            return None
        try:
            answer = call()
        except Exception as error:  # noqa: BLE001 - with any fault of Redis, jobs are safe
            LOG.warning(
                "jobs wait for the sweeper: %s", redacted(f"{type(error).__name__}: {error}")
            )
            self._away_until = monotonic() + PAUSE_SECONDS
            kinds = ResponseError | AuthenticationError
            self.refuses = isinstance(error, kinds) or isinstance(error.__cause__, kinds)
            return None
        self.refuses = False
        return answer
