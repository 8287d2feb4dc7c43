"""Every change of a job's state: checked, counted, dated, and committed at once."""

from datetime import timedelta
from random import uniform

from sqlalchemy.orm import Session

from compiler.errors import StichwerkError
from workers.logs import log_move
from workers.metrics.recording import ended, moved, will_try_again
from workers.records import Event, Job, now
from workers.redaction import redacted
from workers.settings import Settings
from workers.states import FINAL, State, may_follow


class TransitionError(StichwerkError):
    """A job cannot go from its state to the one it was to go to."""


def move(session: Session, job: Job, state: State, detail: str = "") -> None:
    """Change a job's state and commit, with whatever else has been changed in the session.

    Args:
        session: the one that the job belongs to.
        job: as it was read; if anybody has changed it since, nothing is committed.
        state: where it goes.
        detail: what is worth knowing of it, kept with the event.

    Raises:
        TransitionError: if the state does not follow.
        sqlalchemy.orm.exc.StaleDataError: if somebody else has changed the job.
    """
    if not may_follow(State(job.state), state):
        raise TransitionError(f"job {job.id} is {job.state} and cannot become {state}")
    note(session, job, state, detail)
    left, since, first_end = State(job.state), job.state_since, job.finished_at is None
    backend, created = job.backend, job.created_at
    job.state, job.state_since, job.failures = state, now(), 0
    if state in FINAL:
        job.finished_at, job.due_at = job.state_since, None
    elif job.due_at is not None:
        job.due_at = now()
    entered = job.state_since
    session.commit()
    log_move(job.id, backend, left, state, redacted(detail))
    moved(backend, left, state, (entered - since).total_seconds())
    if state in FINAL and first_end:
        ended(backend, state, (entered - created).total_seconds())


def note(session: Session, job: Job, state: str, detail: str) -> None:
    """Add an event, which the next commit keeps."""
    session.add(Event(job=job, state=state, detail=redacted(detail)))


def fail(session: Session, job: Job, reason: str) -> None:
    """Let a job have failed, for a reason that a user can act on."""
    job.error = redacted(reason)
    move(session, job, State.FAILED, reason)


def wait(session: Session, job: Job, seconds: float) -> None:
    """Let a job be looked at again after a pause; one that nobody queued stays as it is."""
    if job.due_at is not None:
        job.due_at = now() + timedelta(seconds=seconds)
    session.commit()


def back_off(
    session: Session, job: Job, set_: Settings, reason: str, least: float | None = None
) -> None:
    """Count a failure that may pass, and wait twice as long as last time; at last, fail."""
    job.failures += 1
    if job.failures >= set_.most_failures:
        fail(session, job, f"{reason} ({job.failures} times in a row while {job.state})")
        return
    note(session, job, job.state, f"will try again: {reason}")
    backend, state = job.backend, State(job.state)
    pause = min(set_.backoff_most_seconds, set_.backoff_seconds * 2 ** (job.failures - 1))
    # Half of it is random, so that what failed together does not come back together.
    wait(session, job, max(least or 0.0, pause * uniform(0.5, 1.0)))
    will_try_again(backend, state)
