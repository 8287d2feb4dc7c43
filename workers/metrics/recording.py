"""Counting, where the work is done. Nothing that goes wrong here reaches the work."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

from celery.exceptions import SoftTimeLimitExceeded

from workers.jobs.states import FINAL, Queue, State
from workers.metrics.instruments import (
    BUSY,
    CACHE_LOOKUPS,
    COMPILE_DURATION,
    JOB_DURATION,
    PROCESSES,
    PROVIDER_CALL_DURATION,
    PROVIDER_CALLS,
    RESERVED_COST,
    STATE_DURATION,
    SWEEPS,
    SWEPT,
    TEMPORARY_FAILURES,
    TRANSITIONS,
)
from workers.metrics.labels import FewValues, backend_label, plain
from workers.records.tables import MICRO

LOG = logging.getLogger("stichwerk.metrics")

P = ParamSpec("P")

_few_backends = FewValues()
_few_providers = FewValues()
_few_pipelines = FewValues()
_told: set[str] = set()


def harmless(record: Callable[P, None]) -> Callable[P, None]:
    """Return a function that never fails; the first failure of each is logged."""

    @wraps(record)
    def recorded(*arguments: P.args, **named: P.kwargs) -> None:
        try:
            record(*arguments, **named)
        except SoftTimeLimitExceeded:
            # It is for whoever is counting, and comes at any moment.
            raise
        except Exception:  # the job is worth more than its count
            if record.__name__ not in _told:
                _told.add(record.__name__)
                LOG.exception("%s is not counted", record.__name__)

    return recorded


# What has been 0 since it was first seen can be told from what has just begun to be looked at.
for _outcome in ("hit", "miss"):
    CACHE_LOOKUPS.labels(_outcome)
for _outcome in ("ok", "away"):
    SWEEPS.labels(_outcome)
for _queue in Queue:
    SWEPT.labels(_queue)


def _backend(spec: str) -> str:
    return _few_backends(backend_label(spec))


@harmless
def moved(backend: str, left: State, entered: State, seconds: float) -> None:
    """Count a job that has gone from one state to another.

    Args:
        backend: its spec.
        left: where it was; time in a state in which jobs end is not counted.
        entered: where it is; going back to the queue is not counted.
        seconds: that it was in the state it left.
    """
    label = _backend(backend)
    for state in State:
        if state is not State.QUEUED:
            TRANSITIONS.labels(state, label).inc(state is entered)
    if left not in FINAL:
        # Clocks of different machines may disagree a little.
        STATE_DURATION.labels(left, label).observe(max(0.0, seconds))


@harmless
def ended(backend: str, state: State, seconds: float) -> None:
    """Count a job that has ended so many seconds after it was submitted."""
    JOB_DURATION.labels(state, _backend(backend)).observe(max(0.0, seconds))


@harmless
def will_try_again(backend: str, state: State) -> None:
    """Count a failure that may pass."""
    TEMPORARY_FAILURES.labels(state, _backend(backend)).inc()


@harmless
def called(provider: str, call: str, outcome: str, seconds: float) -> None:
    """Count a call of a provider."""
    label = _few_providers(plain(provider))
    PROVIDER_CALLS.labels(label, call, outcome).inc()
    PROVIDER_CALL_DURATION.labels(label, call).observe(seconds)


@harmless
def attempted(stage: str, pipeline: str, seconds: float) -> None:
    """Count an attempt of a portfolio that was lowered, refined or verified."""
    COMPILE_DURATION.labels(stage, _few_pipelines(plain(pipeline))).observe(max(0.0, seconds))


@harmless
def looked_up(*, found: bool) -> None:
    """Count a circuit that was, or was not, among the compiled ones."""
    CACHE_LOOKUPS.labels("hit" if found else "miss").inc()


@harmless
def reserved(backend: str, cost_microusd: int) -> None:
    """Count what was reserved for a job, in millionths of US dollars."""
    RESERVED_COST.labels(_backend(backend)).inc(cost_microusd / MICRO)


@harmless
def swept(*, away: bool) -> None:
    """Count a sweep, which may have found the database or the broker away."""
    SWEEPS.labels("away" if away else "ok").inc()


@harmless
def sent_again(queue: Queue, messages: int) -> None:
    """Count messages of the sweeper."""
    SWEPT.labels(queue).inc(messages)


@harmless
def process_started() -> None:
    """Count this process as one that takes jobs."""
    PROCESSES.set(1)


@harmless
def _busy(jobs: int) -> None:
    BUSY.set(jobs)


@contextmanager
def busy() -> Iterator[None]:
    """Count this process as busy until the block ends."""
    _busy(1)
    try:
        yield
    finally:
        _busy(0)
