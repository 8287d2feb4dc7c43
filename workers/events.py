"""Events of jobs, circuits and providers, sent to the listeners in this process.

The sender does not know its listeners, and a failure of a listener does not reach it.
"""

import logging
from collections.abc import Callable

from attrs import frozen
from billiard.exceptions import SoftTimeLimitExceeded

from workers.jobs.states import Queue, State

LOG = logging.getLogger("stichwerk.events")


@frozen
class JobMoved:
    """A job has gone from one state to another, which is committed.

    Args:
        backend: its spec.
        left: where it was.
        entered: where it is.
        seconds: that it was in the state it left.
        lifetime_seconds: since it was submitted, if it has ended for the first time; else None.
    """

    backend: str
    left: State
    entered: State
    seconds: float
    lifetime_seconds: float | None = None


@frozen
class JobWillTryAgain:
    """A job has had a failure that is retried.

    Args:
        backend: its spec.
        state: of the job.
    """

    backend: str
    state: State


@frozen
class CostReserved:
    """The highest possible cost of a job was reserved.

    Args:
        backend: the job's.
        cost_microusd: in millionths of US dollars.
    """

    backend: str
    cost_microusd: int


@frozen
class ProviderCalled:
    """A provider was called.

    Args:
        provider: its name.
        call: its name.
        outcome: `ok`, `refused`, `unavailable` or `error`.
        seconds: that it took.
    """

    provider: str
    call: str
    outcome: str
    seconds: float


@frozen
class AttemptMade:
    """An attempt of a portfolio has gone through a stage.

    Args:
        stage: `lower`, `refine` or `verify`.
        pipeline: of the attempt.
        seconds: that the stage took.
    """

    stage: str
    pipeline: str
    seconds: float


@frozen
class CircuitLookedUp:
    """A job's circuit was looked for among the compiled ones.

    Args:
        found: whether it was there.
    """

    found: bool


@frozen
class Swept:
    """A sweeper has looked for jobs that are due.

    Args:
        away: whether the database or the broker was away.
    """

    away: bool


@frozen
class MessagesSent:
    """A sweeper has sent messages that were missing.

    Args:
        queue: where to.
        messages: how many.
    """

    queue: Queue
    messages: int


@frozen
class ProcessStarted:
    """This process takes jobs from now on."""


@frozen
class WorkBegun:
    """This process is busy with a job."""


@frozen
class WorkEnded:
    """This process is busy no more, however that ended."""


Listener = Callable[[object], None]

_listeners: dict[Listener, None] = {}
_failed: set[Listener] = set()


def subscribe(listener: Listener) -> None:
    """Let a listener hear every event in this process and those it forks, once each."""
    _listeners[listener] = None


def publish(event: object) -> None:
    """Send an event to all listeners; the first failure of each is logged, and goes no further.

    Raises:
        billiard.exceptions.SoftTimeLimitExceeded: if the sender's time is up meanwhile.
    """
    for listener in tuple(_listeners):
        try:
            listener(event)
        except SoftTimeLimitExceeded:
            # It is meant for the sender, and comes at any moment.
            raise
        except Exception:  # a job is worth more than who hears of it
            if listener not in _failed:
                _failed.add(listener)
                LOG.exception("%s missed a %s", listener.__qualname__, type(event).__name__)
