"""Heartbeats of long-running processes, by the database's clock."""

import os
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from attrs import define, field, frozen
from sqlalchemy import Engine, delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from workers.attributes import build
from workers.clock import database_now, database_time, steady_name
from workers.jobs.states import Queue
from workers.provenance import revision, versions
from workers.records.database import reason_of
from workers.records.tables import Heartbeat

BEAT_SECONDS = 10.0
AGAIN_SECONDS = 2.0
"""After a beat that the database did not take."""

SILENT_SECONDS = 35.0
"""Seconds without a heartbeat, more than three beats, after which a process counts as gone."""

FORGOTTEN_SECONDS = 3600.0
"""After so long a process that was killed is shown no more."""

MAX_HOST = 200


class Kind(StrEnum):
    """Kinds of long-running processes."""

    WORKER = "worker"
    SWEEPER = "sweeper"
    API = "api"


@define(eq=False)
class Heart:
    """Writes the heartbeats of a process, from a thread of its own.

    Args:
        engine: of the database.
        kind: of the process.
        pid: its number, by default this one's.
        queues: that it listens to.
        processes: jobs that it works on side by side.
    """

    _engine: Engine
    _kind: Kind
    _pid: int = field(factory=os.getpid, kw_only=True)
    _queues: Sequence[Queue] = field(default=(), kw_only=True)
    _processes: int = field(default=1, kw_only=True)
    problem: str | None = field(default=None, init=False)
    """Why the database has not taken the last beat; None if it has."""
    _host: str = field(factory=lambda: socket.gethostname()[:MAX_HOST], init=False)
    _begun: bool = field(default=False, init=False)
    _stop: threading.Event = field(factory=threading.Event, init=False)
    _thread: threading.Thread = field(init=False)

    @property
    def id(self) -> str:
        """Key of the row: the same for every heart of a process, so that it is listed once."""
        own = f"{steady_name()} {self._host} {self._kind} {self._pid}"
        return sha256(own.encode()).hexdigest()[:40]

    def start(self) -> None:
        """Begin to beat; a database that is away is waited for."""
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
        self._thread.start()

    def stop(self, seconds: float = 5.0) -> None:
        """End, and say so, if the database takes it within some seconds."""
        self._stop.set()
        self._thread.join(seconds)

    def beat(self) -> None:
        """Write a heartbeat.

        Raises:
            sqlalchemy.exc.SQLAlchemyError: if the database does not accept it.
        """
        with self._engine.begin() as connection:
            if not self._begun:
                connection.execute(delete(Heartbeat).where(Heartbeat.id == self.id))
            again = update(Heartbeat).where(Heartbeat.id == self.id).values(seen_at=database_time())
            if not connection.execute(again).rowcount:
                connection.execute(insert(Heartbeat).values(self._row()))
            connection.execute(
                delete(Heartbeat).where(Heartbeat.seen_at < database_time(-FORGOTTEN_SECONDS))
            )
        self._begun = True

    def try_to_beat(self) -> None:
        """Write a heartbeat, or store the error."""
        try:
            self.beat()
            self.problem = None
        except SQLAlchemyError as error:
            self.problem = reason_of(error)

    def _row(self) -> dict[str, object]:
        return {
            "id": self.id,
            "kind": self._kind,
            "host": self._host,
            "pid": self._pid,
            "queues": list(self._queues),
            "processes": self._processes,
            "version": versions()["stichwerk"],
            "revision": revision(),
            "started_at": database_time(),
            "seen_at": database_time(),
        }

    def _run(self) -> None:
        while not self._stop.is_set():
            self.try_to_beat()
            self._stop.wait(BEAT_SECONDS if self.problem is None else AGAIN_SECONDS)
        with suppress(SQLAlchemyError), self._engine.begin() as connection:
            connection.execute(delete(Heartbeat).where(Heartbeat.id == self.id))


@frozen
class Runner:
    """A process that has been heard of.

    Args:
        silent_seconds: since it was last heard of, by the database's clock.
        alive: whether that is not too long.
    """

    kind: str
    host: str
    pid: int
    queues: list[str]
    processes: int
    version: str
    revision: str | None
    started_at: datetime
    seen_at: datetime
    silent_seconds: float
    alive: bool


def runners(session: Session) -> list[Runner]:
    """Return who has been heard of lately, and whether they run."""
    at = database_now(session)
    rows = session.scalars(
        select(Heartbeat).order_by(Heartbeat.kind, Heartbeat.host, Heartbeat.started_at)
    )
    return [
        build(Runner, row, silent_seconds=silent, alive=silent <= SILENT_SECONDS)
        for row in rows
        for silent in [max(0.0, (at - row.seen_at).total_seconds())]
    ]


def listeners(listed: Sequence[Runner]) -> dict[Queue, int]:
    """Return how many processes of workers listen to each queue."""
    return {
        queue: sum(
            runner.processes
            for runner in listed
            if runner.alive and runner.kind == Kind.WORKER and queue in runner.queues
        )
        for queue in Queue
    }


def nobody_listens(queue: Queue) -> str:
    """Return the message about a queue without workers, with advice."""
    return (
        f"no worker runs for the queue '{queue}': start one with 'stichwerk up' or "
        "'stichwerk worker'"
    )
