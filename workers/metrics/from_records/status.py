"""What stands in the way of jobs: no worker, a provider that is away, a person who must look."""

from collections.abc import Iterator, Sequence

from prometheus_client.core import Metric
from sqlalchemy.orm import Session

from workers.clock import database_now
from workers.jobs.states import Queue
from workers.metrics.family import gauge
from workers.metrics.labels import MOST_VALUES, backend_label
from workers.queue.heartbeats import listeners, runners
from workers.stages.at_provider.health import Problem, answering
from workers.status.waiting import Waiting, stuck_jobs

STUCK = gauge(
    "stichwerk_jobs_stuck",
    "Jobs that do not go on, and why",
    "reason",
)
LISTENING = gauge(
    "stichwerk_queue_processes", "Processes of workers that listen, by their heartbeats", "queue"
)
FAILING = gauge(
    "stichwerk_provider_failing_seconds",
    "Time since a provider began to fail in this way; 0 if it answers",
    "backend",
    "problem",
)


def status_metrics(session: Session, waiting: Sequence[Waiting]) -> Iterator[Metric]:
    """Yield who listens, how providers answer, and what does not go on.

    Args:
        session: of the database that holds the records.
        waiting: the jobs that have not ended.
    """
    stuck, listening, failing = STUCK.read(), LISTENING.read(), FAILING.read()
    providers, processes = answering(session), listeners(runners(session))
    busy = {one.queue for one in waiting if one.held}
    unattended = {queue for queue in Queue if not processes[queue]} - busy
    at = database_now(session)
    for reason, jobs in stuck_jobs(session, waiting, providers, unattended, at).items():
        stuck.add_metric([reason], jobs.jobs)
    for queue, number in processes.items():
        listening.add_metric([queue], number)
    seconds: dict[tuple[str, Problem], float] = {}
    for one in providers:
        for problem in Problem:
            key = backend_label(one.backend), problem
            now = one.failing_seconds if one.problem is problem else 0.0
            seconds[key] = max(now, seconds.get(key, 0.0))
    for (backend, problem), value in list(seconds.items())[: MOST_VALUES * len(Problem)]:
        failing.add_metric([backend, problem], value)
    yield stuck
    yield listening
    yield failing
