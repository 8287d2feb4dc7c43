"""How many jobs are where, and how long the oldest have been waiting."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from prometheus_client.core import Metric
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from workers.jobs.states import Queue, State
from workers.metrics.family import gauge
from workers.metrics.labels import MOST_VALUES, OTHER, backend_label
from workers.records.tables import Job, now
from workers.status.waiting import Waiting

JOBS = gauge("stichwerk_jobs", "Jobs that are in a state", "state", "backend")
QUEUE_JOBS = gauge(
    "stichwerk_queue_jobs", "Jobs whose next work is a queue's and that no worker has", "queue"
)
QUEUE_OLDEST = gauge(
    "stichwerk_queue_oldest_job_age_seconds",
    "Time since the oldest of these entered its state; 0 if there is none",
    "queue",
)
QUEUE_MESSAGES = gauge("stichwerk_queue_messages", "Messages in Redis", "queue")
BROKER_UP = gauge("stichwerk_broker_up", "1 if Redis answers, else 0")


def job_metrics(session: Session, waiting: Sequence[Waiting]) -> Iterator[Metric]:
    """Yield how many jobs are in each state and wait for each queue.

    Args:
        session: of the database that holds the records.
        waiting: the jobs that have not ended.
    """
    yield _jobs(session)
    yield from _waiting(waiting)


def broker_metrics(lengths: Mapping[Queue, int] | None) -> Iterator[Metric]:
    """Yield how many messages there are.

    Args:
        lengths: messages by queue; None if the broker is away.
    """
    messages, up = QUEUE_MESSAGES.read(), BROKER_UP.read()
    for queue, length in (lengths or {}).items():
        messages.add_metric([queue], length)
    up.add_metric([], int(lengths is not None))
    yield messages
    yield up


def _jobs(session: Session) -> Metric:
    by_backend: dict[str, Counter[str]] = {}
    rows = session.execute(
        select(Job.state, Job.backend, func.count()).group_by(Job.state, Job.backend)
    )
    for state, spec, number in rows:
        by_backend.setdefault(backend_label(spec), Counter())[state] += number
    largest = sorted(by_backend, key=lambda name: (-by_backend[name].total(), name))
    for name in largest[MOST_VALUES:]:
        by_backend.setdefault(OTHER, Counter()).update(by_backend.pop(name))
    family = JOBS.read()
    for name, numbers in sorted(by_backend.items()):
        for state in State:
            family.add_metric([state, name], numbers[state])
    return family


def _waiting(waiting: Sequence[Waiting]) -> Iterator[Metric]:
    at = now()
    numbers, ages = Counter[Queue](), dict.fromkeys(Queue, 0.0)
    for one in waiting:
        if not one.held:
            numbers[one.queue] += one.jobs
            ages[one.queue] = max(ages[one.queue], (at - one.since).total_seconds())
    jobs, oldest = QUEUE_JOBS.read(), QUEUE_OLDEST.read()
    for queue in Queue:
        jobs.add_metric([queue], numbers[queue])
        oldest.add_metric([queue], ages[queue])
    yield jobs
    yield oldest
