"""What every process that does work keeps: counters, histograms, two gauges.

A worker that exports its metrics sets `PROMETHEUS_MULTIPROC_DIR` before this is imported, so that
its children and its sweeper keep theirs in files that the worker adds up. Everybody else keeps
them in memory.
"""

from prometheus_client import CollectorRegistry

from workers.metrics.family import counter, gauge, histogram

INSTRUMENTS = CollectorRegistry()

JOB_BUCKETS = (0.01, 0.05, 0.2, 0.5, 1, 2, 5, 15, 60, 300, 900, 3600, 4 * 3600, 24 * 3600)
CALL_BUCKETS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120)
COMPILE_BUCKETS = (0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600)

TRANSITIONS = counter(
    "stichwerk_job_transitions_total",
    "Jobs that entered a state other than queued, where they begin",
    "state",
    "backend",
).counter(INSTRUMENTS)
STATE_DURATION = histogram(
    "stichwerk_job_state_duration_seconds",
    "Time that jobs spent in a state that they left",
    "state",
    "backend",
).histogram(INSTRUMENTS, JOB_BUCKETS)
JOB_DURATION = histogram(
    "stichwerk_job_duration_seconds",
    "Time from a job's submission to the state in which it ended",
    "state",
    "backend",
).histogram(INSTRUMENTS, JOB_BUCKETS)
TEMPORARY_FAILURES = counter(
    "stichwerk_job_temporary_failures_total",
    "Failures of jobs in a state that will be tried again",
    "state",
    "backend",
).counter(INSTRUMENTS)
PROVIDER_CALLS = counter(
    "stichwerk_provider_calls_total",
    "Calls of a provider, and how they ended",
    "provider",
    "call",
    "outcome",
).counter(INSTRUMENTS)
PROVIDER_CALL_DURATION = histogram(
    "stichwerk_provider_call_duration_seconds",
    "Time that calls of a provider took",
    "provider",
    "call",
).histogram(INSTRUMENTS, CALL_BUCKETS)
COMPILE_DURATION = histogram(
    "stichwerk_compile_duration_seconds",
    "Time that one attempt of a portfolio took in a stage",
    "stage",
    "pipeline",
).histogram(INSTRUMENTS, COMPILE_BUCKETS)
CACHE_LOOKUPS = counter(
    "stichwerk_compilation_cache_lookups_total",
    "Jobs whose circuit had been compiled before (hit), or had to be compiled (miss)",
    "outcome",
).counter(INSTRUMENTS)
RESERVED_COST = counter(
    "stichwerk_reserved_cost_usd_total",
    "Cost that was reserved when jobs were submitted, whether or not it was given back",
    "backend",
).counter(INSTRUMENTS)
SWEEPS = counter(
    "stichwerk_sweeps_total",
    "Looks for jobs that are due: done, or not because the database or the broker was away",
    "outcome",
).counter(INSTRUMENTS)
SWEPT = counter(
    "stichwerk_swept_messages_total", "Messages that the sweeper has sent again", "queue"
).counter(INSTRUMENTS)
PROCESSES = gauge("stichwerk_worker_processes", "Processes of workers that take jobs").live_gauge(
    INSTRUMENTS
)
BUSY = gauge("stichwerk_worker_busy_processes", "Those that are busy with a job").live_gauge(
    INSTRUMENTS
)
