"""The sweeper: keeps as many messages in each queue as jobs are due there.

Jobs that wait for something (their provider, a pause after a failure, another job's compilation)
are due later; jobs whose message was lost, or whose worker died, have become due by themselves.
Nothing but the jobs' rows decides. Any number of sweepers may run.
"""

import logging
import threading
from collections.abc import Callable, Collection, Mapping, Sequence

from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import RedisError
from sqlalchemy import Engine, func, select, tuple_
from sqlalchemy.exc import SQLAlchemyError

from workers.clock import database_now
from workers.jobs.states import Queue, State, queue_of
from workers.metrics.recording import sent_again, swept
from workers.queue.fairness import IS_DUE
from workers.records.tables import Job
from workers.redaction import redacted
from workers.settings import Settings

LOG = logging.getLogger("stichwerk.sweeper")

AT_ONCE = 1000
"""Messages of each queue that one sweep sends; the next one follows soon."""


Group = tuple[str, str]
"""A state and a backend, which decide about the queue."""

_COUNTS = (
    select(Job.state, Job.backend, func.count()).where(IS_DUE).group_by(Job.state, Job.backend)
)


class Sweeper:
    """Looks for jobs that are due.

    Args:
        engine: of the database.
        settings: of the queue.
        send: puts a job's id on a queue.
        waiting: returns how many messages each queue holds.
        is_local: tells whether a backend runs in the worker itself.
    """

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        *,
        send: Callable[[int, Queue], None],
        waiting: Callable[[], Mapping[Queue, int]],
        is_local: Callable[[str], bool],
    ) -> None:
        self._engine = engine
        self._settings = settings
        self._send = send
        self._waiting = waiting
        self._is_local = is_local

    def run(self, stop: threading.Event) -> None:
        """Sweep until `stop` is set; a database or broker that is away is waited for."""
        away = False
        while not stop.wait(self._settings.sweep_seconds):
            try:
                self.sweep()
                swept(away=False)
                if away:
                    LOG.warning("the sweeper goes on")
                away = False
            except (SQLAlchemyError, BrokerError, RedisError, OSError) as error:
                swept(away=True)
                if not away:
                    LOG.warning("the sweeper waits: %s", redacted(str(error).splitlines()[0]))
                away = True

    def sweep(self) -> int:
        """Send the messages that are missing, and return how many.

        A queue that holds messages already gets only as many more as there are other jobs due:
        its workers are slow, not its messages lost. Which jobs the messages name does not matter
        (`workers.queue.fairness`), so nobody's jobs can hide another's here.
        """
        due = self._due()
        waiting = self._waiting() if due else {}
        sent = 0
        for queue, groups in due.items():
            missing = min(AT_ONCE, sum(groups.values()) - waiting[queue])
            for job_id in self._jobs(groups, missing):
                self._send(job_id, queue)
                sent += 1
            sent_again(queue, max(0, missing))
        return sent

    def _due(self) -> dict[Queue, dict[Group, int]]:
        """Return how many jobs are due, by queue, state and backend."""
        due: dict[Queue, dict[Group, int]] = {}
        with self._engine.connect() as connection:
            at = database_now(connection)
            for state, backend, number in connection.execute(_COUNTS, {"now": at}):
                queue = queue_of(State(state), local=self._is_local(backend))
                if queue is not None:
                    due.setdefault(queue, {})[state, backend] = number
        return due

    def _jobs(self, groups: Collection[Group], most: int) -> Sequence[int]:
        if most <= 0:
            return []
        some = select(Job.id).where(tuple_(Job.state, Job.backend).in_(groups), IS_DUE).limit(most)
        with self._engine.connect() as connection:
            return connection.scalars(some, {"now": database_now(connection)}).all()
