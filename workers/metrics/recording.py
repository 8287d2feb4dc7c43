"""Instruments of the processes that do work, and the events of these processes that they count.

A worker that exports its metrics sets `PROMETHEUS_MULTIPROC_DIR` before this is imported, so that
its children and its sweeper keep theirs in files that the worker adds up. All others keep them in
memory.
"""

from collections.abc import Sequence
from functools import singledispatch

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from workers import events
from workers.jobs.states import FINAL, Queue, State
from workers.metrics.family import Family, Kind, Source
from workers.metrics.labels import FewValues, backend_label, plain
from workers.records.tables import MICRO

INSTRUMENTS = CollectorRegistry()

JOB_BUCKETS = (0.01, 0.05, 0.2, 0.5, 1, 2, 5, 15, 60, 300, 900, 3600, 4 * 3600, 24 * 3600)
CALL_BUCKETS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120)
COMPILE_BUCKETS = (0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600)


def _counter(name: str, meaning: str, *labels: str) -> Counter:
    return Family(name, Kind.COUNTER, meaning, labels, Source.WORK).counter(INSTRUMENTS)


def _histogram(name: str, meaning: str, *labels: str, buckets: Sequence[float]) -> Histogram:
    family = Family(name, Kind.HISTOGRAM, meaning, labels, Source.WORK)
    return family.histogram(INSTRUMENTS, buckets)


def _live_gauge(name: str, meaning: str) -> Gauge:
    return Family(name, Kind.GAUGE, meaning, (), Source.WORK).live_gauge(INSTRUMENTS)


TRANSITIONS = _counter(
    "stichwerk_job_transitions_total",
    "Jobs that entered a state other than queued",
    "state",
    "backend",
)
STATE_DURATION = _histogram(
    "stichwerk_job_state_duration_seconds",
    "Time that jobs spent in a state, measured when they leave it",
    "state",
    "backend",
    buckets=JOB_BUCKETS,
)
JOB_DURATION = _histogram(
    "stichwerk_job_duration_seconds",
    "Time from a job's submission to its final state",
    "state",
    "backend",
    buckets=JOB_BUCKETS,
)
TEMPORARY_FAILURES = _counter(
    "stichwerk_job_temporary_failures_total",
    "Failures of jobs that will be retried",
    "state",
    "backend",
)
PROVIDER_CALLS = _counter(
    "stichwerk_provider_calls_total",
    "Calls to a provider, by outcome",
    "provider",
    "call",
    "outcome",
)
PROVIDER_CALL_DURATION = _histogram(
    "stichwerk_provider_call_duration_seconds",
    "Duration of calls to a provider",
    "provider",
    "call",
    buckets=CALL_BUCKETS,
)
COMPILE_DURATION = _histogram(
    "stichwerk_compile_duration_seconds",
    "Duration of a stage in one attempt to compile a circuit",
    "stage",
    "pipeline",
    buckets=COMPILE_BUCKETS,
)
CACHE_LOOKUPS = _counter(
    "stichwerk_compilation_cache_lookups_total",
    "Jobs whose circuit was compiled before (hit), or had to be compiled (miss)",
    "outcome",
)
RESERVED_COST = _counter(
    "stichwerk_reserved_cost_usd_total",
    "Cost reserved for submissions, including reservations that were returned later",
    "backend",
)
SWEEPS = _counter(
    "stichwerk_sweeps_total",
    "Searches for due jobs: ok, or away if the database or Redis did not answer",
    "outcome",
)
SWEPT = _counter("stichwerk_swept_messages_total", "Messages that the sweeper sent again", "queue")
PROCESSES = _live_gauge("stichwerk_worker_processes", "Worker processes that are running")
BUSY = _live_gauge("stichwerk_worker_busy_processes", "Worker processes that are busy with a job")


_few_backends = FewValues()
_few_providers = FewValues()
_few_pipelines = FewValues()

# A series that was 0 at first can be told from a series that is new.
for _outcome in ("hit", "miss"):
    CACHE_LOOKUPS.labels(_outcome)
for _outcome in ("ok", "away"):
    SWEEPS.labels(_outcome)
for _queue in Queue:
    SWEPT.labels(_queue)


def _backend(spec: str) -> str:
    return _few_backends(backend_label(spec))


@singledispatch
def count(event: object) -> None:
    """Count an event, if there is anything to count of its kind."""


@count.register
def _(event: events.JobMoved) -> None:
    """Count a change of state.

    Time in a state in which jobs end is not counted, nor is going back to the queue.
    """
    label = _backend(event.backend)
    for state in State:
        if state is not State.QUEUED:
            TRANSITIONS.labels(state, label).inc(state is event.entered)
    if event.left not in FINAL:
        # Clocks of different machines may disagree a little.
        STATE_DURATION.labels(event.left, label).observe(max(0.0, event.seconds))
    if event.lifetime_seconds is not None:
        duration = JOB_DURATION.labels(event.entered, label)
        duration.observe(max(0.0, event.lifetime_seconds))


@count.register
def _(event: events.JobWillTryAgain) -> None:
    TEMPORARY_FAILURES.labels(event.state, _backend(event.backend)).inc()


@count.register
def _(event: events.ProviderCalled) -> None:
    label = _few_providers(plain(event.provider))
    PROVIDER_CALLS.labels(label, event.call, event.outcome).inc()
    PROVIDER_CALL_DURATION.labels(label, event.call).observe(event.seconds)


@count.register
def _(event: events.AttemptMade) -> None:
    label = _few_pipelines(plain(event.pipeline))
    COMPILE_DURATION.labels(event.stage, label).observe(max(0.0, event.seconds))


@count.register
def _(event: events.CircuitLookedUp) -> None:
    CACHE_LOOKUPS.labels("hit" if event.found else "miss").inc()


@count.register
def _(event: events.CostReserved) -> None:
    RESERVED_COST.labels(_backend(event.backend)).inc(event.cost_microusd / MICRO)


@count.register
def _(event: events.Swept) -> None:
    SWEEPS.labels("away" if event.away else "ok").inc()


@count.register
def _(event: events.MessagesSent) -> None:
    SWEPT.labels(event.queue).inc(event.messages)


@count.register
def _(_: events.ProcessStarted) -> None:
    PROCESSES.set(1)


@count.register
def _(_: events.WorkBegun) -> None:
    BUSY.set(1)


@count.register
def _(_: events.WorkEnded) -> None:
    BUSY.set(0)


def count_events() -> None:
    """Count all that happens in this process and those it forks from now on."""
    events.subscribe(count)
