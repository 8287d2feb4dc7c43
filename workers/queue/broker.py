"""The message queue: Celery on Redis, which carries nothing but the numbers of jobs, as JSON.

A message means "there is work in this queue", for example this job; `fairness` chooses the job. A
message too many, or too late, does no harm. Messages are acknowledged late and come back when
their worker is killed; the sweeper sends lost messages again.

Consumers must survive acknowledgements that Redis does not receive. A worker takes as many messages
processes. Kombu gives the place of a message free once Redis has confirmed its end; if Redis is
away just then, the error is logged and the place is lost. With no place left the worker waits for
ever, and does not even notice that Redis is back.
"""

import logging
from collections.abc import Callable
from importlib import import_module
from typing import Any

from celery import Celery, Task
from celery.signals import (
    after_setup_logger,
    after_setup_task_logger,
    worker_init,
    worker_process_init,
    worker_process_shutdown,
    worker_shutdown,
    worker_shutting_down,
)
from kombu.exceptions import OperationalError as BrokerError
from kombu.transport import TRANSPORT_ALIASES, redis, virtual
from redis.exceptions import RedisError
from sqlalchemy import Engine

from compiler.errors import InputError
from workers.events import ProcessStarted, WorkBegun, WorkEnded, publish
from workers.jobs.states import Queue
from workers.logs import leave, logged_with, set_format
from workers.records.database import open_database, reason_of
from workers.settings import Settings, settings

QUESTION_SECONDS = 0.2
"""Timeout in seconds of a blocking read from Redis; fractions since Redis 6."""


class QoS(redis.QoS):
    """Frees the place of a message, with or without a confirmation by Redis.

    A message whose end Redis has missed comes back later.
    """

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message; see `kombu.transport.virtual.QoS`."""
        self._free(delivery_tag, super().ack)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Reject a message; see `kombu.transport.virtual.QoS`."""
        self._free(delivery_tag, super().reject, requeue)

    def _free(self, delivery_tag: str, tell: Callable[..., None], *more: Any) -> None:
        try:
            tell(delivery_tag, *more)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]
            raise


class Channel(redis.Channel):
    """A channel with these places."""

    QoS = QoS


class Transport(redis.Transport):
    """A transport with such channels, whose consumers end soon.

    A consumer asks Redis for a message and waits; a worker that is told to stop waits for the
    answer to one or two such questions. Kombu lets each take a second.
    """

    Channel = Channel
    brpop_timeout = QUESTION_SECONDS  # type: ignore[assignment]


def use_own_transport() -> None:
    """Let addresses of Redis stand for this transport."""
    for alias in ("redis", "rediss"):
        TRANSPORT_ALIASES[alias] = f"{__name__}:Transport"


LOG = logging.getLogger("stichwerk.worker")

SOFT_SHUTDOWN_SECONDS = 20
"""Seconds in which a worker that is told to stop may finish its jobs."""

CALL_SECONDS = 300
"""Limit of submitting, polling or scoring one job; all are much faster."""

GRACE_SECONDS = 30
"""Between the exception that tells a stage to stop and the end of its process. A computation is
stopped before, by its sandbox."""


def work_seconds(set_: Settings, queue: Queue) -> int:
    """Return how long one look at a job of a queue may take, with the scoring that may follow."""
    if queue is Queue.COMPILE:
        return set_.compile_seconds + set_.simulation_seconds + GRACE_SECONDS + CALL_SECONDS
    return 2 * CALL_SECONDS


def celery_app(set_: Settings) -> Celery:
    """Return the application: its broker, and how careful it is."""
    use_own_transport()
    app = Celery("stichwerk", broker=set_.redis)
    app.conf.update(
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        task_store_errors_even_if_ignored=False,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_soft_shutdown_timeout=SOFT_SHUTDOWN_SECONDS,
        worker_enable_soft_shutdown_on_idle=False,
        worker_hijack_root_logger=True,
        worker_send_task_events=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        # When Redis goes away, kombu closes the channel of tasks twice if there is a second one, as
        # remote control has: Connection.collect and Transport.close_connection both do. The second
        # time, its unacknowledged messages are restored over a connection that is gone, which ends
        # the worker with an AttributeError. Remote control is not used here.
        worker_enable_remote_control=False,
        # A Redis that is full, or only a replica, is waited for like one that is away.
        broker_channel_error_retry=True,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            # Longer than any task, since a healthy worker's messages must not come back.
            "visibility_timeout": work_seconds(set_, Queue.COMPILE) + 2 * GRACE_SECONDS,
            "socket_connect_timeout": 2,
            "socket_timeout": 10,
        },
        task_routes={f"stichwerk.{queue}": {"queue": queue.value} for queue in Queue},
    )
    return app


app = celery_app(settings())


class JobTask(Task):
    """A ticket for one job, drawn by a process that has a database connection of its own."""

    engine: Engine | None = None

    def look(self, queue: Queue) -> None:
        """Advance the job whose turn it is as far as this queue's work goes, and pass it on."""
        with logged_with(queue=queue, worker=self.request.hostname):
            self._look(queue)

    def _look(self, queue: Queue) -> None:
        from workers.queue.worker import Worker

        if JobTask.engine is None:
            try:
                JobTask.engine = open_database(settings().database)
            except InputError as error:
                # The sweeper sends the job again.
                LOG.warning("%s", error)
                return
        worker = Worker(JobTask.engine, settings(), _on_one_ticket(queue))
        if (passed_on := worker.advance_fairest(queue)) is not None:
            send_if_possible(*passed_on)


def _on_one_ticket(queue: Queue) -> set[Queue]:
    """Return the queues whose work is done for one ticket of a queue.

    Scoring follows at once where it is done at all: it takes less than a ticket of its own does.
    """
    return {queue, Queue.SCORE} if Queue.SCORE in app.amqp.queues.consume_from else {queue}


def _task(queue: Queue, seconds: int) -> Any:
    @app.task(
        name=f"stichwerk.{queue}",
        base=JobTask,
        bind=True,
        soft_time_limit=seconds,
        time_limit=seconds + GRACE_SECONDS,
    )
    def look(self: JobTask, job_id: int) -> None:
        publish(WorkBegun())
        try:
            self.look(queue)
        finally:
            publish(WorkEnded())

    return look


TASKS = {queue: _task(queue, work_seconds(settings(), queue)) for queue in Queue}


def send(job_id: int, queue: Queue) -> None:
    """Put a ticket on a queue, for a job that is due there.

    Raises:
        kombu.exceptions.OperationalError: if Redis cannot be reached.
        redis.exceptions.RedisError: if it takes no messages.
    """
    TASKS[queue].apply_async((job_id,), retry=False)


def send_if_possible(job_id: int, queue: Queue) -> bool:
    """Put a ticket on a queue; without Redis, the sweeper will when it is back."""
    try:
        send(job_id, queue)
    except (OSError, BrokerError, RedisError) as error:
        LOG.warning("job %s waits for the sweeper: %s", job_id, reason_of(error))
        return False
    return True


def run_worker(arguments: list[str]) -> int:
    """Run a worker until it is told to stop, and return its exit code.

    Returns:
        0 if it was told to stop; else not 0, so that its supervisor starts it again.
    """
    signals: list[str] = []
    codes: list[int] = []

    def stopping(sig: str, **_: Any) -> None:
        signals.append(sig)

    def ended(sender: Any, **_: Any) -> None:
        # `worker_main` keeps it to itself.
        codes.append(sender.exitcode or 0)

    worker_shutting_down.connect(stopping, weak=False)
    worker_shutdown.connect(ended, weak=False)
    app.worker_main(arguments)
    return max(codes, default=0 if signals else 1)


@worker_init.connect
def _import_once(**_: Any) -> None:
    # All of its processes are forked from this one, and share what it has imported. Whoever only
    # sends needs none of it.
    import_module("workers.queue.worker")


@worker_process_init.connect
def _fresh_process(**_: Any) -> None:
    JobTask.engine = None
    publish(ProcessStarted())
    if Queue.COMPILE in app.amqp.queues.consume_from:
        from workers.sandbox.sandbox import shared_sandbox

        shared_sandbox().begin()


@worker_process_shutdown.connect
def _leave(exitcode: int, **_: Any) -> None:
    # Billiard would send a word that it ends, which its worker sees anyway, and sleep for a second.
    leave(exitcode)


@after_setup_logger.connect
@after_setup_task_logger.connect
def _set_up(logger: logging.Logger, **_: Any) -> None:
    for handler in logger.handlers:
        set_format(handler, settings().log_format)
    # Qiskit tells at this level of every pass of every transpilation.
    logging.getLogger("qiskit").setLevel(logging.WARNING)
