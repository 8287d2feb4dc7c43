"""What goes wrong and when, drawn from a seed: kills, a wiped Redis, a crashed database."""

import heapq
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from itertools import count
from random import Random

from attrs import frozen

from ..servers.postgres import PostgresServer
from ..servers.redis import RedisServer
from .workers import Victim, WorkerProcess

OUTAGE_SECONDS = (0.5, 3.0)
RESTART_SECONDS = (0.0, 2.0)
"""How long something is away, at least and at most."""


class Kind(StrEnum):
    """What a strike hits."""

    KILL = "kills of workers"
    WIPE = "stops and wipes of Redis"
    RESTART = "restarts of the database"


@frozen(order=True)
class Strike:
    """One thing that goes wrong.

    Args:
        share: of the jobs that have ended when it does.
        kind: what it hits.
        victim: of a kill.
    """

    share: float
    kind: Kind
    victim: Victim | None = None


def strikes(seed: int, kills: int, wipes: int, restarts: int) -> list[Strike]:
    """Return what is to go wrong, in order; each sort of kill comes about equally often."""
    random = Random(f"strikes {seed}")
    victims = [list(Victim)[place % len(Victim)] for place in range(kills)]
    planned = [Strike(random.uniform(0, 0.95), Kind.KILL, victim) for victim in victims]
    for kind, times in ((Kind.WIPE, wipes), (Kind.RESTART, restarts)):
        for place in range(times):
            share = (place + random.uniform(0.1, 0.9)) / times * 0.9
            planned.append(Strike(share, kind))
    return sorted(planned, key=lambda strike: strike.share)


class Storm:
    """Strikes when it is time, and starts again what it has stopped.

    Args:
        planned: in order.
        seed: of the victims and pauses.
        say: hears a line about each strike.
    """

    def __init__(
        self,
        planned: Sequence[Strike],
        seed: int,
        workers: Sequence[WorkerProcess],
        redis: RedisServer,
        postgres: PostgresServer,
        say: Callable[[str], None],
    ) -> None:
        self.left = list(planned)
        self.done: list[Strike] = []
        self._random = Random(f"storm {seed}")
        self._workers = workers
        self._redis = redis
        self._postgres = postgres
        self._say = say
        self._later: list[tuple[float, int, Callable[[], None]]] = []
        self._number = count()
        self._waiting: set[WorkerProcess] = set()

    def blow(self, share: float) -> None:
        """Strike what is due, and start again what has been away long enough.

        Args:
            share: of the jobs that have ended.
        """
        while self._later and self._later[0][0] <= time.monotonic():
            heapq.heappop(self._later)[2]()
        for worker in self._workers:
            if not worker.running and worker not in self._waiting:
                self._waiting.add(worker)
                self._after(RESTART_SECONDS, partial(self._revive, worker))
        if self.left and self.left[0].share <= share and self._strike(self.left[0]):
            self.done.append(self.left.pop(0))

    def calm(self) -> None:
        """Start again whatever is still away, at once."""
        while self._later:
            heapq.heappop(self._later)[2]()

    def _after(self, seconds: tuple[float, float], action: Callable[[], None]) -> None:
        when = time.monotonic() + self._random.uniform(*seconds)
        heapq.heappush(self._later, (when, next(self._number), action))

    def _revive(self, worker: WorkerProcess) -> None:
        self._waiting.discard(worker)
        worker.start()

    def _strike(self, strike: Strike) -> bool:
        """Do it, and tell whether it could be done now."""
        match strike.kind:
            case Kind.KILL:
                done = self._kill(strike.victim or Victim.GROUP)
            case Kind.WIPE:
                done = self._wipe()
            case Kind.RESTART:
                done = self._crash()
        if done:
            self._say(f"strike: {strike.kind}" + (f": {strike.victim}" if strike.victim else ""))
        return done

    def _kill(self, victim: Victim) -> bool:
        workers = list(self._workers)
        self._random.shuffle(workers)
        return any(worker.kill(victim, self._random) for worker in workers)

    def _wipe(self) -> bool:
        if self._redis.process is None:
            return False
        self._redis.kill()
        self._redis.wipe()
        self._after(OUTAGE_SECONDS, self._redis.start)
        return True

    def _crash(self) -> bool:
        if self._postgres.process is None:
            return False
        self._postgres.crash()
        self._after(OUTAGE_SECONDS, self._postgres.start)
        return True
