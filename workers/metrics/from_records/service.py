"""Metrics of the service: jobs by state, queues, providers and budgets."""

from collections import Counter
from collections.abc import Iterator, Mapping

from prometheus_client.core import Metric
from sqlalchemy.orm import Session

from workers.jobs.states import Queue, State
from workers.metrics.family import figures, gauge
from workers.metrics.labels import MAX_VALUES, OTHER, backend_label, plain
from workers.records.queries.queueing import count_jobs
from workers.settings import Settings
from workers.stages.at_provider.provider import Problem
from workers.status.budgets import MAX_TAGS, Budget, account_budgets
from workers.status.waiting import ServiceWork, service_work

JOBS = gauge("stichwerk_jobs", "Jobs by state", "state", "backend")
QUEUES = figures(
    "stichwerk_queue_",
    ["queue"],
    {
        "jobs": "Jobs in a queue that wait for a worker",
        "oldest_job_age_seconds": "Time since the oldest waiting job entered its state; 0 if no "
        "job waits",
        "processes": "Worker processes that serve a queue, by their heartbeats",
    },
)
QUEUE_MESSAGES = gauge("stichwerk_queue_messages", "Messages in Redis", "queue")
BROKER_UP = gauge("stichwerk_broker_up", "1 if Redis answers, else 0")
STUCK = gauge("stichwerk_jobs_stuck", "Blocked jobs, by reason", "reason")
FAILING = gauge(
    "stichwerk_provider_failing_seconds",
    "Time since the provider began to fail with this problem; 0 if it answers",
    "backend",
    "problem",
)
CALIBRATION_AGE = gauge(
    "stichwerk_calibration_age_seconds",
    "Age of the oldest calibration that an open job is compiled for",
    "backend",
)
BUDGETS = figures(
    "stichwerk_budget_",
    ["budget"],
    {
        "reserved_usd": "Reserved part of a budget: that of today (UTC), and those of "
        f"the {MAX_TAGS} tags with the largest reservations",
        "limit_usd": "Limit of a budget in the settings of the API",
    },
)


def service_metrics(session: Session, set_: Settings) -> Iterator[Metric]:
    """Yield jobs by state and queue, blocked jobs, providers and budgets.

    Args:
        session: of the database that holds the records.
        set_: with the budgets' limits.
    """
    work = service_work(session, set_)
    yield _jobs(session)
    yield from QUEUES.read(([queue], _queue(work, queue)) for queue in Queue)
    stuck = STUCK.read()
    for reason, jobs in work.stuck.items():
        stuck.add_metric([reason], jobs.jobs)
    yield stuck
    yield _providers(work)
    yield _calibrations(work)
    yield from BUDGETS.read(_budgets(session, set_))


def broker_metrics(lengths: Mapping[Queue, int] | None) -> Iterator[Metric]:
    """Yield the numbers of messages.

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
    numbers, _ = count_jobs(session)
    for (state, backend), number in numbers.items():
        by_backend.setdefault(backend_label(backend), Counter())[state] += number
    largest = sorted(by_backend, key=lambda name: (-by_backend[name].total(), name))
    for name in largest[MAX_VALUES:]:
        by_backend.setdefault(OTHER, Counter()).update(by_backend.pop(name))
    family = JOBS.read()
    for name, states in sorted(by_backend.items()):
        for state_ in State:
            family.add_metric([state_, name], states[state_])
    return family


def _queue(work: ServiceWork, queue: Queue) -> dict[str, float | None]:
    jobs, oldest = work.waiting_in(queue, held=False)
    return {"jobs": jobs, "oldest_job_age_seconds": oldest, "processes": work.processes[queue]}


def _providers(work: ServiceWork) -> Metric:
    seconds: dict[tuple[str, Problem], float] = {}
    for provider in work.providers:
        for problem in Problem:
            key = backend_label(provider.backend), problem
            failing = provider.failing_seconds if provider.problem is problem else 0.0
            seconds[key] = max(failing, seconds.get(key, 0.0))
    family = FAILING.read()
    for labels, value in list(seconds.items())[: MAX_VALUES * len(Problem)]:
        family.add_metric(labels, value)
    return family


def _calibrations(work: ServiceWork) -> Metric:
    ages: dict[str, float] = {}
    for row in work.calibrated:
        label = backend_label(row.backend)
        ages[label] = max(row.oldest_seconds, ages.get(label, 0.0))
    family = CALIBRATION_AGE.read()
    for label, age in list(ages.items())[:MAX_VALUES]:
        family.add_metric([label], age)
    return family


def _budgets(
    session: Session, set_: Settings
) -> Iterator[tuple[list[str], dict[str, float | None]]]:
    budgets: dict[str, Budget] = {}
    for budget in account_budgets(session, set_):
        kind, _, value = budget.name.partition(" ")
        budgets.setdefault("day" if kind == "day" else plain(f"{kind}:{value}"), budget)
    for label, budget in budgets.items():
        limit = None if budget.limit_usd is None else float(budget.limit_usd)
        yield [label], {"reserved_usd": float(budget.reserved_usd), "limit_usd": limit}
