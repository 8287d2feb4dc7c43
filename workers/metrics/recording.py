"""Counting what happens: instruments that listen to the events of this process."""

from collections.abc import Callable, Mapping
from typing import Any

from workers.events import (
    AttemptMade,
    CircuitLookedUp,
    CostReserved,
    JobMoved,
    JobWillTryAgain,
    MessagesSent,
    ProcessStarted,
    ProviderCalled,
    Swept,
    WorkBegun,
    WorkEnded,
    subscribe,
)
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

_few_backends = FewValues()
_few_providers = FewValues()
_few_pipelines = FewValues()

# What has been 0 since it was first seen can be told from what has just begun to be looked at.
for _outcome in ("hit", "miss"):
    CACHE_LOOKUPS.labels(_outcome)
for _outcome in ("ok", "away"):
    SWEEPS.labels(_outcome)
for _queue in Queue:
    SWEPT.labels(_queue)


def _backend(spec: str) -> str:
    return _few_backends(backend_label(spec))


def _moved(event: JobMoved) -> None:
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


def _ended(event: JobMoved) -> None:
    if event.lifetime_seconds is not None:
        duration = JOB_DURATION.labels(event.entered, _backend(event.backend))
        duration.observe(max(0.0, event.lifetime_seconds))


def _will_try_again(event: JobWillTryAgain) -> None:
    TEMPORARY_FAILURES.labels(event.state, _backend(event.backend)).inc()


def _called(event: ProviderCalled) -> None:
    label = _few_providers(plain(event.provider))
    PROVIDER_CALLS.labels(label, event.call, event.outcome).inc()
    PROVIDER_CALL_DURATION.labels(label, event.call).observe(event.seconds)


def _attempted(event: AttemptMade) -> None:
    label = _few_pipelines(plain(event.pipeline))
    COMPILE_DURATION.labels(event.stage, label).observe(max(0.0, event.seconds))


def _looked_up(event: CircuitLookedUp) -> None:
    CACHE_LOOKUPS.labels("hit" if event.found else "miss").inc()


def _reserved(event: CostReserved) -> None:
    RESERVED_COST.labels(_backend(event.backend)).inc(event.cost_microusd / MICRO)


def _swept(event: Swept) -> None:
    SWEEPS.labels("away" if event.away else "ok").inc()


def _sent(event: MessagesSent) -> None:
    SWEPT.labels(event.queue).inc(event.messages)


def _started(_: ProcessStarted) -> None:
    PROCESSES.set(1)


def _begun(_: WorkBegun) -> None:
    BUSY.set(1)


def _ended_work(_: WorkEnded) -> None:
    BUSY.set(0)


_LISTENERS: Mapping[type, tuple[Callable[[Any], None], ...]] = {
    JobMoved: (_moved, _ended),
    JobWillTryAgain: (_will_try_again,),
    ProviderCalled: (_called,),
    AttemptMade: (_attempted,),
    CircuitLookedUp: (_looked_up,),
    CostReserved: (_reserved,),
    Swept: (_swept,),
    MessagesSent: (_sent,),
    ProcessStarted: (_started,),
    WorkBegun: (_begun,),
    WorkEnded: (_ended_work,),
}


def count_events() -> None:
    """Count from now on what happens in this process, and in those that it forks."""
    for kind, listeners in _LISTENERS.items():
        for listener in listeners:
            subscribe(kind, listener)
