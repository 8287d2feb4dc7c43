"""Jobs that a command runs by itself, without a queue."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from time import sleep
from typing import Any
from uuid import uuid4

from sqlalchemy import and_, or_, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from backends import BackendError, CredentialsError, ProviderBackend, backend_from_spec
from compiler.compilation.listener import Each, each_here
from compiler.errors import InputError
from workers.clock import database_now, pause_seconds
from workers.jobs.journal import AGAIN
from workers.jobs.states import FINAL, OPEN, State
from workers.queue.worker import Worker
from workers.records.database import described as described_failure
from workers.records.tables import Compilation, Event, Job
from workers.records.tables.base import now
from workers.settings import settings
from workers.stages.at_provider.polling import ask_for_charge

LATE_CHARGES = 10
"""Charges of earlier jobs that are asked for before a job is run, at most."""


def check_account(backend: str) -> None:
    """Ask a provider whether it takes the account, before anything is compiled for it.

    Nothing is said of a provider that cannot be asked just now: the job waits for it, and says so.

    Raises:
        InputError: if there is no account, or it is not accepted.
    """
    machine = backend_from_spec(backend)
    if not isinstance(machine, ProviderBackend):
        return
    try:
        machine.find(uuid4().hex, now())
    except CredentialsError as error:
        raise InputError(str(error)) from error
    except BackendError:
        return


def run_job(
    session: Session,
    compilation: Compilation,
    backend: str,
    shots: int,
    seed: int,
    *,
    progress: Callable[[str], None] = lambda _: None,
    **columns: Any,
) -> Job:
    """Run a compiled circuit on a backend and wait for its scores.

    The job is recorded before anybody is asked to run it, and goes through the same stages as
    one that is queued.

    Args:
        session: of the records.
        compilation: of the circuit.
        backend: where it runs.
        shots: how often.
        seed: of the shots.
        progress: hears a line now and then.
        columns: further columns of the job.

    Raises:
        BackendError: if the backend refuses or fails it.
        sqlalchemy.exc.IntegrityError: if there is a job with this key.
    """
    job = Job(
        compilation=compilation,
        program=compilation.program,
        target=compilation.target,
        backend=backend,
        shots=shots,
        seed=seed,
        state=State.SUBMITTING,
        **columns,
    )
    session.add(job)
    session.commit()
    return finish_job(session, job, progress=progress)


def finish_job(
    session: Session,
    job: Job,
    *,
    progress: Callable[[str], None] = lambda _: None,
    each: Each = each_here,
) -> Job:
    """Go on with a job that is recorded, and with its child jobs, until it has ended.

    Args:
        session: of the records.
        job: wherever it was left.
        progress: hears a line now and then.
        each: makes the calls of compilations.

    Raises:
        BackendError: if the job, or its backend, fails.
        InputError: if the database fails meanwhile; the job is kept as it was.
    """
    job_id, set_ = job.id, settings()
    engine = session.get_bind().engine
    worker = Worker(engine, set_, each=each, progress=progress)
    try:
        session.commit()
        for _ in range(LATE_CHARGES):
            if not ask_for_charge(engine, set_):
                break
        last = 0
        while job.state not in FINAL:
            children = session.scalars(
                select(Job).where(Job.parent_id == job_id, Job.state.in_(OPEN)).order_by(Job.id)
            ).all()
            pauses = [_advanced(session, worker, entry) for entry in (*children, job)]
            last = _tell_events(session, job, [child.id for child in children], last, progress)
            if job.state not in FINAL:
                # A parent job waits for its child jobs.
                sleep(min(pauses[:-1] or pauses))
    except OperationalError as error:
        # To run it once more could be paid twice.
        raise InputError(
            f"{described_failure(error)}; job {job_id} is kept: resume it with "
            f"'stichwerk retry {job_id}' and a worker"
        ) from error
    if job.state != State.DONE:
        raise BackendError(job.error or f"job {job.id} was cancelled")
    return job


def _advanced(session: Session, worker: Worker, job: Job) -> float:
    """Take a job as far as it goes now, and return the seconds until it may go further."""
    set_, before = worker.settings, (job.state, job.provider_state, job.queue_position)
    # A transaction that is open meanwhile would be taken for one that has been forgotten.
    session.commit()
    worker.advance(job.id)
    session.refresh(job)
    changed = before != (job.state, job.provider_state, job.queue_position)
    if job.state in FINAL:
        return 0.0
    if job.failures and not changed:
        return pause_seconds(job.failures, set_.backoff_seconds, set_.outage_most_seconds)
    if job.asked_at is not None:
        if changed:
            worker.progress(f"job {job.id}: {described(job)}")
        since = database_now(session) - job.asked_at
        return set_.poll_seconds if since > timedelta(seconds=set_.poll_seconds) else 0.1
    # Another process may have it, perhaps one that was killed and whose lease has to run out.
    return 0.0 if changed else 0.1


def _tell_events(
    session: Session, job: Job, children: Sequence[int], last: int, progress: Callable[[str], None]
) -> int:
    """Report new events of a parent job and the reasons of waiting jobs; return the last event."""
    news = Event.detail.startswith(AGAIN)
    events = select(Event.id, Event.job_id, Event.detail).where(
        Event.job_id.in_((job.id, *children)),
        or_(news, and_(Event.job_id == job.id, Event.detail != "")) if job.is_parent else news,
        Event.id > last,
    )
    for number, of, detail in session.execute(events.order_by(Event.id)).all():
        progress(f"job {of}: {detail}")
        last = number
    return last


def described(job: Job) -> str:
    """Return where a job is, and its place in the provider's queue if that is known."""
    place = "" if job.queue_position is None else f", number {job.queue_position} in its queue"
    return f"{job.state.replace('_', ' ')}{place}"
