"""What goes wrong and when, drawn from a seed: kills, partitions, outages, clocks that jump."""

import heapq
import time
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from itertools import count
from random import Random
from threading import Lock

from attrs import frozen
from sqlalchemy import ColumnElement, Engine, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from backends import JobState
from tests.servers.provider_simulators.faults import Fault, Rule
from workers.jobs.control import RefusedError, cancel
from workers.jobs.states import OPEN
from workers.records.tables import Job

from ..servers.postgres import PostgresServer
from ..servers.proxy import SilentProxy
from ..servers.redis import RedisServer
from .providers import BEFORE, Providers
from .workers import Victim, WorkerProcess

OUTAGE_SECONDS = (0.5, 3.0)
RESTART_SECONDS = (0.0, 2.0)
"""How long something is away, at least and at most."""

SILENCE_SECONDS = (4.0, 8.0)
"""How long a worker hears nothing of its database, or is suspended: longer than a lease."""

PROVIDER_OUTAGE_SECONDS = (5.0, 10.0)
CALL_OUTAGE_SECONDS = (15.0, 20.0)
"""Longer than `STICHWERK_MOST_FAILURES` failures in a row take."""

JUMP_SECONDS = (20.0, 60.0)

LOCK_SECONDS = 10.0
"""How long users may take to hand in jobs that are under way."""

LAG_SECONDS = (2.0, 5.0)
"""What a standby lacks when it takes the database's place."""


class Kind(StrEnum):
    """What a strike hits."""

    KILL = "kills of workers"
    WIPE = "stops and wipes of Redis"
    RESTART = "restarts of the database"
    PARTITION = "partitions of a worker from the database"
    SUSPENSION = "suspensions of a worker"
    JUMP = "jumps of the database's clock"
    OUTAGE = "outages of a provider"
    CALL_OUTAGE = "outages of one call before a submission"
    FAILOVER = "failovers to a standby that lags"
    EXPIRY = "tokens that expire"
    LEAVING = "devices that leave"
    PAUSE = "devices that pause"
    CANCEL = "jobs that are cancelled"


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


def strikes(seed: int, times: Mapping[Kind, int]) -> list[Strike]:
    """Return what is to go wrong, in order; each sort of kill comes about equally often.

    Args:
        seed: of the moments.
        times: how often each kind strikes.
    """
    random = Random(f"strikes {seed}")
    victims = [list(Victim)[place % len(Victim)] for place in range(times[Kind.KILL])]
    planned = [Strike(random.uniform(0, 0.95), Kind.KILL, victim) for victim in victims]
    for kind in Kind:
        often = 0 if kind is Kind.KILL else times[kind]
        for place in range(often):
            share = (place + random.uniform(0.1, 0.9)) / often * 0.9
            planned.append(Strike(share, kind))
    return sorted(planned, key=lambda strike: strike.share)


@frozen(eq=False)
class World:
    """What can be struck.

    Args:
        workers: each with its own way to the database, in the order of `proxies`.
        proxies: these ways.
        redis: the broker.
        postgres: the database's server.
        database: its name there.
        providers: who runs jobs.
        engine: of the database, for users who cancel jobs.
        submitting: held while a job is handed in.
    """

    workers: Sequence[WorkerProcess]
    proxies: Sequence[SilentProxy]
    redis: RedisServer
    postgres: PostgresServer
    database: str
    providers: Providers
    engine: Engine
    submitting: Lock


class Storm:
    """Strikes when it is time, and starts again what it has stopped.

    Args:
        planned: in order.
        seed: of the victims and pauses.
        world: what is struck.
        say: hears a line about each strike.
    """

    def __init__(
        self,
        planned: Sequence[Strike],
        seed: int,
        world: World,
        say: Callable[[str], None],
    ) -> None:
        self.left = list(planned)
        self.done: list[Strike] = []
        self._random = Random(f"storm {seed}")
        self.world = world
        self._say = say
        self._later: list[tuple[float, int, Callable[[], None]]] = []
        self._number = count()
        self._waiting: set[WorkerProcess] = set()
        self.cancelled: set[int] = set()
        """Jobs that a user has cancelled."""

    def blow(self, share: float) -> None:
        """Strike what is due, and start again what has been away long enough.

        Args:
            share: of the jobs that have ended.
        """
        while self._later and self._later[0][0] <= time.monotonic():
            heapq.heappop(self._later)[2]()
        for worker in self.world.workers:
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
        strike_: Mapping[Kind, Callable[[], bool]] = {
            Kind.KILL: lambda: self._kill(strike.victim or Victim.GROUP),
            Kind.WIPE: self._wipe,
            Kind.RESTART: self._crash,
            Kind.PARTITION: self._part,
            Kind.SUSPENSION: self._suspend,
            Kind.JUMP: self._jump,
            Kind.OUTAGE: partial(self._provider_fails, Fault.OUTAGE),
            Kind.CALL_OUTAGE: self._call_fails,
            Kind.FAILOVER: self._fall_behind,
            Kind.EXPIRY: partial(self._provider_fails, Fault.EXPIRED_TOKEN),
            Kind.LEAVING: partial(self._provider_fails, Fault.DEVICE_LEFT),
            Kind.PAUSE: partial(self._provider_fails, Fault.DEVICE_PAUSED),
            Kind.CANCEL: self._cancel_any,
        }
        done = strike_[strike.kind]()
        if done:
            self._say(f"strike: {strike.kind}" + (f": {strike.victim}" if strike.victim else ""))
        return done

    def _kill(self, victim: Victim) -> bool:
        workers = list(self.world.workers)
        self._random.shuffle(workers)
        return any(worker.kill(victim, self._random) for worker in workers)

    def _wipe(self) -> bool:
        redis = self.world.redis
        if redis.process is None:
            return False
        redis.kill()
        redis.wipe()
        self._after(OUTAGE_SECONDS, redis.start)
        return True

    def _crash(self) -> bool:
        postgres = self.world.postgres
        if postgres.process is None or self.world.submitting.locked():
            return False
        postgres.crash()
        self._after(OUTAGE_SECONDS, postgres.start)
        return True

    def _part(self) -> bool:
        proxy = self._random.choice(self.world.proxies)
        proxy.freeze()
        self._after(SILENCE_SECONDS, proxy.thaw)
        return True

    def _suspend(self) -> bool:
        worker = self._random.choice(self.world.workers)
        suspended = worker.suspend()
        self._after(SILENCE_SECONDS, partial(worker.resume, suspended))
        return bool(suspended)

    def _jump(self) -> bool:
        if self.world.postgres.process is None:
            return False
        self.world.postgres.jump(self.world.database, self._random.uniform(*JUMP_SECONDS))
        return True

    def cancel_without_result(self) -> None:
        """Cancel jobs that are done, and whose results their provider has lost."""
        lost = [
            entry["key"]
            for entry in self.world.providers.audit()
            if entry["lost_result"] and entry["state"] == JobState.DONE
        ]
        self._cancel_one_of(Job.key.in_(lost))

    def _cancel_any(self) -> bool:
        return self._cancel_one_of(Job.backend != "sparse")

    def _cancel_one_of(self, among: ColumnElement[bool]) -> bool:
        """Cancel an open job, as a user does; tell whether there was one and the database too."""
        wanted = among, Job.state.in_(OPEN), Job.cancel_requested.is_(False)
        try:
            with Session(self.world.engine) as session:
                ids = session.scalars(select(Job.id).where(*wanted).order_by(Job.id)).all()
                if not ids:
                    return False
                job_id = self._random.choice(ids)
                cancel(session, job_id)
        except (SQLAlchemyError, RefusedError):
            return False
        self.cancelled.add(job_id)
        return True

    def _provider_fails(self, fault: Fault) -> bool:
        name = self._random.choice(sorted(self.world.providers.servers))
        faults = self.world.providers.servers[name].provider.faults
        faults.add(Rule(fault))
        self._after(PROVIDER_OUTAGE_SECONDS, partial(faults.lift, fault))
        return True

    def _call_fails(self) -> bool:
        name = self._random.choice(sorted(self.world.providers.servers))
        faults = self.world.providers.servers[name].provider.faults
        faults.add(Rule(Fault.OUTAGE, self._random.choice(BEFORE[name])))
        self._after(CALL_OUTAGE_SECONDS, partial(faults.lift, Fault.OUTAGE))
        return True

    def _fall_behind(self) -> bool:
        """Copy the database, which is lost some seconds later: the copy takes its place.

        Nobody hands in jobs meanwhile: what is handed in after the copy is lost for good.
        """
        world = self.world
        if world.postgres.process is None or not world.submitting.acquire(timeout=LOCK_SECONDS):
            return False
        world.postgres.copy()
        self._after(LAG_SECONDS, self._fail_over)
        return True

    def _fail_over(self) -> None:
        self.world.postgres.fall_back()
        self.world.submitting.release()
