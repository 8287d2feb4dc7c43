"""The sweeper: sends a message for every job that is due, so that a lost one costs only time.

Jobs that wait for something (their provider, a pause after a failure, another job's compilation)
are due later; jobs whose message was lost, or whose worker died, have become due by themselves.
Nothing but the jobs' rows decides. Any number of sweepers may run.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import RedisError
from sqlalchemy import Engine, Row, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from workers.metrics.recording import sent_again, swept
from workers.records import Job, now
from workers.redaction import redacted
from workers.settings import Settings
from workers.states import Queue, State, queue_of

LOG = logging.getLogger("stichwerk.sweeper")

AT_ONCE = 100
"""Jobs of each group that one sweep looks at: many times what workers do until the next one."""

GROUPS = (
    (State.QUEUED, State.COMPILING, State.VERIFYING),
    (State.SUBMITTING,),
    (State.AT_PROVIDER, State.RUNNING),
    (State.SCORING,),
)
"""States whose work waits in the same queue. Each group is looked at by itself: however many jobs
wait to be compiled, those at a provider are asked about."""


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
        """Send a message for every job that is due, and return how many were sent.

        A queue that holds messages already gets only as many more as there are other jobs due:
        its workers are slow, not its messages lost.
        """
        due: dict[Queue, list[int]] = {}
        for row in self._due():
            queue = queue_of(State(row.state), local=self._is_local(row.backend))
            if queue is not None:
                due.setdefault(queue, []).append(row.id)
        sent: list[int] = []
        waiting = self._waiting() if due else {}
        for queue, jobs in due.items():
            missing = jobs[: max(0, len(jobs) - waiting[queue])]
            for job_id in missing:
                self._send(job_id, queue)
            sent += missing
            sent_again(queue, len(missing))
        self._put_off(sent)
        return len(sent)

    def _due(self) -> Sequence[Row[int, str, str]]:
        due = (
            select(Job.id, Job.state, Job.backend)
            .where(
                Job.due_at <= now(),
                or_(Job.lease_until.is_(None), Job.lease_until < now()),
            )
            .order_by(Job.due_at)
            .limit(AT_ONCE)
        )
        with self._engine.connect() as connection:
            return [
                row
                for states in GROUPS
                for row in connection.execute(due.where(Job.state.in_(states)))
            ]

    def _put_off(self, jobs: Sequence[int]) -> None:
        if not jobs:
            return
        later = now() + timedelta(seconds=self._settings.resend_seconds)
        with self._engine.begin() as connection:
            connection.execute(
                update(Job).where(Job.id.in_(jobs), Job.due_at <= now()).values(due_at=later)
            )
