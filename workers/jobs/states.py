"""Kinds of jobs, their states, and the transitions between these."""

from collections.abc import Mapping
from enum import StrEnum


class JobKind(StrEnum):
    """Kinds of jobs: a circuit that is run, or a parent job, whose child jobs are run."""

    CIRCUIT = "circuit"
    ESTIMATION = "estimation"
    TRAINING = "training"
    BATCH = "batch"


class State(StrEnum):
    """The stages of a job."""

    QUEUED = "queued"
    """Waits to be compiled, or for another job that compiles the same circuit."""
    COMPILING = "compiling"
    VERIFYING = "verifying"
    SUBMITTING = "submitting"
    """Its circuit is ready; the provider may or may not have heard of it."""
    AT_PROVIDER = "at_provider"
    """The provider has accepted it, and it waits there."""
    RUNNING = "running"
    SCORING = "scoring"
    """Its raw result is here."""
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


FINAL = frozenset({State.DONE, State.FAILED, State.CANCELLED})

UNCOMPILED = (State.QUEUED, State.COMPILING, State.VERIFYING)

OPEN = tuple(state for state in State if state not in FINAL)

ON_THE_WAY: Mapping[State, frozenset[State]] = {
    State.QUEUED: frozenset({State.COMPILING, State.SUBMITTING}),
    State.COMPILING: frozenset({State.VERIFYING, State.SUBMITTING}),
    State.VERIFYING: frozenset({State.SUBMITTING}),
    State.SUBMITTING: frozenset({State.AT_PROVIDER, State.RUNNING, State.QUEUED}),
    State.AT_PROVIDER: frozenset({State.RUNNING, State.SCORING}),
    State.RUNNING: frozenset({State.SCORING}),
    State.SCORING: frozenset({State.DONE}),
}
"""The next stage of each stage without a failure. From each of these a job can also fail or be
cancelled. A job goes back to the queue if its circuit is compiled for an old calibration."""

PROVIDER_STATES = frozenset(ON_THE_WAY) - {State.SCORING}
"""States in which a provider that was asked for a job may have it, and has not ended it. In the
first ones, if the job's row is older than the question, out of a backup."""

AGAIN: Mapping[State, frozenset[State]] = {
    State.DONE: frozenset({State.SCORING}),
    State.FAILED: frozenset({State.QUEUED, State.SUBMITTING, State.AT_PROVIDER, State.SCORING}),
    State.CANCELLED: frozenset({State.QUEUED, State.SUBMITTING, State.AT_PROVIDER, State.SCORING}),
}
"""The state in which an ended job continues on request."""


def may_follow(state: State, following: State) -> bool:
    """Return whether a job may go from one state to another."""
    if state in FINAL:
        return following in AGAIN[state]
    return following in ON_THE_WAY[state] or following in (State.FAILED, State.CANCELLED)


class Queue(StrEnum):
    """Queues of workers."""

    COMPILE = "compile"
    """Work for a processor: compiling, proving, simulating."""
    SUBMIT = "submit"
    POLL = "poll"
    SCORE = "score"


def queue_of(state: State, *, local: bool) -> Queue | None:
    """Return the queue of a state's work, None if the job has ended.

    Args:
        state: where the job is.
        local: whether its backend runs in the worker itself.
    """
    if state in FINAL:
        return None
    if state is State.SCORING:
        return Queue.SCORE
    if local or state in UNCOMPILED:
        return Queue.COMPILE
    return Queue.SUBMIT if state is State.SUBMITTING else Queue.POLL
