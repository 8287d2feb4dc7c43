"""The sweeper: keeps as many messages in each queue as jobs are due there, or enough of them.

Jobs that wait for something (their provider, a pause after a failure, another job's compilation)
are due later; jobs whose message was lost, or whose worker died, have become due by themselves.
Nothing but the jobs' rows decides. Any number of sweepers may run.
"""

import logging
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from attrs import field, frozen
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import RedisError
from sqlalchemy import Engine, ScalarSelect, bindparam, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from workers.clock import database_now
from workers.events import MessagesSent, Swept, publish
from workers.jobs.states import OPEN, Queue, State, queue_of
from workers.queue.fairness import IS_DUE, NOW, waiting_groups
from workers.records.backup import doubt_older_state
from workers.records.database import at_once, reason_of
from workers.records.tables import Job
from workers.settings import Settings

LOG = logging.getLogger("stichwerk.sweeper")

AT_ONCE = 1000
"""Messages that a queue is filled up to; the next sweep follows before workers have drawn them."""


Group = tuple[str, str]
"""A state and a backend, which decide about the queue."""

_GROUPS = waiting_groups(*OPEN)


def _due_there() -> ScalarSelect[int]:
    """Return how many jobs of a group are due, as far as it matters.

    They are asked for in order, by the index that has it: PostgreSQL, told last that most jobs are
    due, would else go through all of them, believing that it soon finds enough.
    """
    some = (
        select(Job.state)
        .where(Job.state == _GROUPS.c.state, Job.backend == _GROUPS.c.backend, IS_DUE)
        .order_by(Job.due_at)
        .limit(bindparam("most"))
        .correlate(_GROUPS)
        .subquery()
    )
    return select(func.count()).select_from(some).correlate(_GROUPS).scalar_subquery()


_COUNTS = select(_GROUPS.c.state, _GROUPS.c.backend, _due_there()).where(
    _GROUPS.c.backend.is_not(None)
)
_OF_A_GROUP = (
    select(Job.id)
    .where(Job.state == bindparam("state"), Job.backend == bindparam("backend"), IS_DUE)
    .order_by(Job.due_at)
    .limit(bindparam("most"))
)
_CHARGES = (
    select(Job.id)
    .where(Job.charge_due_at <= NOW)
    .order_by(Job.charge_due_at)
    .limit(bindparam("most"))
)


@frozen(eq=False)
class Sweeper:
    """Looks for jobs that are due.

    Args:
        engine: of the database.
        settings: of the queue.
        send: puts a job's id on a queue.
        waiting: returns how many messages each queue holds.
        is_local: tells whether a backend runs in the worker itself.
    """

    _engine: Engine
    _settings: Settings
    _send: Callable[[int, Queue], None] = field(kw_only=True)
    _waiting: Callable[[], Mapping[Queue, int]] = field(kw_only=True)
    _is_local: Callable[[str], bool] = field(kw_only=True)

    def run(self, stop: threading.Event) -> None:
        """Sweep until `stop` is set; a database or broker that is away is waited for."""
        away, another = False, True
        while not stop.wait(self._settings.sweep_seconds):
            try:
                if another:
                    # After a pause another server may answer, with an older state.
                    with Session(self._engine) as session:
                        doubt_older_state(session)
                another = False
                self.sweep()
                publish(Swept(away=False))
                if away:
                    LOG.warning("the sweeper goes on")
                away = False
            except (SQLAlchemyError, BrokerError, RedisError, OSError) as error:
                another = True
                publish(Swept(away=True))
                if not away:
                    LOG.warning("the sweeper waits: %s", reason_of(error))
                away = True

    def sweep(self) -> int:
        """Send the messages that are missing, and return how many.

        A queue that holds messages already gets only as many more as there are other jobs due:
        its workers are slow, not its messages lost. Which jobs the messages name does not matter
        (`workers.queue.fairness`), so no tenant's jobs can hide another's here.
        """
        at, due = self._due()
        if charges := self._due_charges(at):
            due.setdefault(Queue.POLL, {})
        waiting = self._waiting() if due else {}
        sent = 0
        for queue, groups in due.items():
            others = charges if queue is Queue.POLL else []
            missing = min(AT_ONCE, sum(groups.values()) + len(others)) - waiting[queue]
            for job_id in [*self._jobs(groups, missing, at), *others][: max(0, missing)]:
                self._send(job_id, queue)
                sent += 1
            publish(MessagesSent(queue, max(0, missing)))
        return sent

    def _due(self) -> tuple[datetime, dict[Queue, dict[Group, int]]]:
        """Return the database's time, and how many jobs are due by queue, state and backend.

        Of each group no more than `AT_ONCE` are counted.
        """
        due: dict[Queue, dict[Group, int]] = {}
        with at_once(self._engine).connect() as connection:
            at = database_now(connection)
            for state, backend, number in connection.execute(_COUNTS, {"now": at, "most": AT_ONCE}):
                queue = queue_of(State(state), local=self._is_local(backend))
                if queue is not None and number:
                    due.setdefault(queue, {})[state, backend] = number
        return at, due

    def _due_charges(self, at: datetime) -> Sequence[int]:
        """Return ended jobs whose providers have not reported their charge yet."""
        with at_once(self._engine).connect() as connection:
            return connection.scalars(_CHARGES, {"now": at, "most": AT_ONCE}).all()

    def _jobs(self, groups: Collection[Group], most: int, at: datetime) -> Sequence[int]:
        result: list[int] = []
        if most <= 0:
            return result
        with at_once(self._engine).connect() as connection:
            for state, backend in groups:
                left = most - len(result)
                if not left:
                    break
                values = {"now": at, "state": state, "backend": backend, "most": left}
                result += connection.scalars(_OF_A_GROUP, values)
        return result
