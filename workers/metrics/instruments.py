"""What every process that does work keeps: counters, histograms, two gauges.

A worker that exports its metrics sets `PROMETHEUS_MULTIPROC_DIR` before this is imported, so that
its children and its sweeper keep theirs in files that the worker adds up. Everybody else keeps
them in memory.
"""

from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from workers.metrics.family import Family, Kind, Source

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
    "Jobs that entered a state other than queued, where they begin",
    "state",
    "backend",
)
STATE_DURATION = _histogram(
    "stichwerk_job_state_duration_seconds",
    "Time that jobs spent in a state that they left",
    "state",
    "backend",
    buckets=JOB_BUCKETS,
)
JOB_DURATION = _histogram(
    "stichwerk_job_duration_seconds",
    "Time from a job's submission to the state in which it ended",
    "state",
    "backend",
    buckets=JOB_BUCKETS,
)
TEMPORARY_FAILURES = _counter(
    "stichwerk_job_temporary_failures_total",
    "Failures of jobs in a state that will be tried again",
    "state",
    "backend",
)
PROVIDER_CALLS = _counter(
    "stichwerk_provider_calls_total",
    "Calls of a provider, and how they ended",
    "provider",
    "call",
    "outcome",
)
PROVIDER_CALL_DURATION = _histogram(
    "stichwerk_provider_call_duration_seconds",
    "Time that calls of a provider took",
    "provider",
    "call",
    buckets=CALL_BUCKETS,
)
COMPILE_DURATION = _histogram(
    "stichwerk_compile_duration_seconds",
    "Time that one attempt of a portfolio took in a stage",
    "stage",
    "pipeline",
    buckets=COMPILE_BUCKETS,
)
CACHE_LOOKUPS = _counter(
    "stichwerk_compilation_cache_lookups_total",
    "Jobs whose circuit had been compiled before (hit), or had to be compiled (miss)",
    "outcome",
)
RESERVED_COST = _counter(
    "stichwerk_reserved_cost_usd_total",
    "Cost that was reserved when jobs were submitted, whether or not it was given back",
    "backend",
)
SWEEPS = _counter(
    "stichwerk_sweeps_total",
    "Looks for jobs that are due: done, or not because the database or the broker was away",
    "outcome",
)
SWEPT = _counter(
    "stichwerk_swept_messages_total", "Messages that the sweeper has sent again", "queue"
)
PROCESSES = _live_gauge("stichwerk_worker_processes", "Processes of workers that take jobs")
BUSY = _live_gauge("stichwerk_worker_busy_processes", "Those that are busy with a job")
