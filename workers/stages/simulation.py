"""Simulating a job's circuit: in a sandbox, for as long as anybody wants the result."""

from collections.abc import Callable, Mapping
from time import monotonic

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from backends import BackendError, LocalBackend
from workers.jobs.journal import died, found_abandoned, lived
from workers.queue.leases import LeaseLostError
from workers.records.tables import Job
from workers.sandbox import sandbox
from workers.settings import PREFIX
from workers.stages.context import StageContext, simulate, stored_circuit

LOOK_SECONDS = 1.0
"""Between two looks whether a job has been cancelled."""


def simulated(
    context: StageContext, backend: LocalBackend, *, again: bool
) -> Mapping[int, int] | None:
    """Run a job's circuit on a simulator.

    Args:
        context: the job, which is running.
        backend: the simulator.
        again: whether it was already in the state of running.

    Returns:
        the shots by outcome; None if it has killed a process, which is recorded.

    Raises:
        BackendError: if the simulator refuses it, or it takes too much memory or time.
            LeaseLostError: if the job was cancelled or taken over.
    """
    job, set_ = context.job, context.settings
    if again and found_abandoned(context.session, job, set_):
        return None
    stored, limit = stored_circuit(job), sandbox.most_bytes(set_)
    # A transaction that is open meanwhile would be taken for one that has been forgotten.
    context.session.commit()
    try:
        counts = sandbox.shared_sandbox().call(
            simulate,
            backend,
            stored,
            limit,
            most_bytes=limit,
            seconds=set_.simulation_seconds,
            attend=attendant(context),
        )
    except sandbox.OverdueError:
        raise BackendError(
            f"backend '{job.backend}': the simulation exceeds {set_.simulation_seconds} s; use "
            f"fewer shots, or increase {PREFIX}SIMULATION_SECONDS"
        ) from None
    except sandbox.TooMuchMemoryError as error:
        raise BackendError(
            f"backend '{job.backend}': {error}; use fewer qubits or another backend, or allow more"
        ) from error
    except sandbox.CallDiedError as error:
        if job.order_digest is None:
            raise BackendError(f"backend '{job.backend}': {error}") from error
        context.lease.require()
        died(context.session, job, set_, f"simulating it on '{job.backend}': {error}")
        return None
    lived(context.session, job)
    return counts


def attendant(context: StageContext) -> Callable[[], None]:
    """Return a function that raises `LeaseLostError` once the job was cancelled or taken over."""
    engine = context.session.get_bind().engine
    looked = monotonic()

    def attend() -> None:
        nonlocal looked
        context.lease.require()
        if monotonic() - looked < LOOK_SECONDS:
            return
        looked = monotonic()
        try:
            with engine.connect() as connection:
                version = connection.scalar(select(Job.version).where(Job.id == context.job.id))
        except SQLAlchemyError:
            # The lease tells how long the database may be away.
            return
        if version != context.job.version:
            raise LeaseLostError("another process has changed the job")

    return attend
