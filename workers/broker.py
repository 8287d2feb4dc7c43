"""The message queue: Celery on Redis, which carries nothing but the numbers of jobs, as JSON.

A message means "look at this job"; one too many, or one too late, does no harm. Messages are
acknowledged late and come back when their worker is killed; what Redis loses, the sweeper sends
again.
"""

import logging
from typing import Any

from celery import Celery, Task
from celery.signals import after_setup_logger, after_setup_task_logger, worker_process_init
from kombu.exceptions import OperationalError as BrokerError
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from workers.advance import Worker
from workers.database import open_database
from workers.logs import logged_with, set_format
from workers.metrics.recording import busy, process_started
from workers.redaction import redacted
from workers.settings import Settings, settings
from workers.states import Queue

LOG = logging.getLogger("stichwerk.worker")

SOFT_SHUTDOWN_SECONDS = 20
"""How long a worker that is told to stop may finish what it is busy with."""

CALL_SECONDS = 300
"""That submitting, polling or scoring one job may take; all are much faster."""

GRACE_SECONDS = 30
"""Between the exception that tells a stage to stop and the end of its process."""


def celery_app(set_: Settings) -> Celery:
    """Return the application: its broker, and how careful it is."""
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
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            # Longer than any task, since a healthy worker's messages must not come back.
            "visibility_timeout": set_.compile_seconds + 2 * GRACE_SECONDS,
            "socket_connect_timeout": 2,
            "socket_timeout": 10,
        },
        task_routes={f"stichwerk.{queue}": {"queue": queue.value} for queue in Queue},
    )
    return app


app = celery_app(settings())


class JobTask(Task):
    """One look at a job by a process that has a database connection of its own."""

    engine: Engine | None = None

    def look(self, job_id: int, queue: Queue) -> None:
        """Advance a job as far as this queue's work goes, and pass it on."""
        with logged_with(job=job_id, queue=queue, worker=self.request.hostname):
            self._look(job_id, queue)

    def _look(self, job_id: int, queue: Queue) -> None:
        if JobTask.engine is None:
            JobTask.engine = open_database(settings().database)
        try:
            following = Worker(JobTask.engine, settings(), {queue}).advance(job_id)
        except SQLAlchemyError as error:
            # The sweeper sends the job again when its lease has run out.
            LOG.warning("job %s: the database failed: %s", job_id, redacted(_first_line(error)))
            return
        if following is not None:
            send_if_possible(job_id, following)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _task(queue: Queue, seconds: int) -> Any:
    @app.task(
        name=f"stichwerk.{queue}",
        base=JobTask,
        bind=True,
        soft_time_limit=seconds,
        time_limit=seconds + GRACE_SECONDS,
    )
    def look(self: JobTask, job_id: int) -> None:
        with busy():
            self.look(job_id, queue)

    return look


TASKS = {
    queue: _task(queue, settings().compile_seconds if queue is Queue.COMPILE else CALL_SECONDS)
    for queue in Queue
}


def send(job_id: int, queue: Queue) -> None:
    """Put a job's number on a queue.

    Raises:
        kombu.exceptions.OperationalError: if Redis cannot be reached.
    """
    TASKS[queue].apply_async((job_id,), retry=False)


def send_if_possible(job_id: int, queue: Queue) -> bool:
    """Put a job's number on a queue; without Redis, the sweeper will when it is back."""
    try:
        send(job_id, queue)
    except (OSError, BrokerError) as error:
        LOG.warning("job %s waits for the sweeper: %s", job_id, redacted(_first_line(error)))
        return False
    return True


@worker_process_init.connect
def _fresh_process(**_: Any) -> None:
    JobTask.engine = None
    process_started()


@after_setup_logger.connect
@after_setup_task_logger.connect
def _set_up(logger: logging.Logger, **_: Any) -> None:
    for handler in logger.handlers:
        set_format(handler, settings().log_format)
    # Qiskit tells at this level of every pass of every transpilation.
    logging.getLogger("qiskit").setLevel(logging.WARNING)
