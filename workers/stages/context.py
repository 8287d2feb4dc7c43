"""What a stage works with."""

from collections.abc import Callable
from functools import cache
from time import monotonic

from attrs import field, frozen
from sqlalchemy.orm import Session

from backends import Backend, CircuitJob, backend_from_spec
from compiler.compilation.listener import Each
from compiler.errors import StichwerkError
from workers.jobs.journal import storable
from workers.queue.leases import Lease, LeaseLostError
from workers.records.tables import Job
from workers.settings import Settings
from workers.stages.simulator_call import StoredCircuit


class TookTooLongError(StichwerkError):
    """A job's circuit takes longer than it may.

    Args:
        seconds: that it may take.
    """

    def __init__(self, seconds: int) -> None:
        super().__init__(
            f"it takes longer than {seconds} s to compile, prove or simulate; take --method fast, "
            "or let it have more STICHWERK_COMPILE_SECONDS"
        )


@frozen(eq=False)
class StageContext:
    """A job that somebody works on.

    Args:
        session: where it was read; it does not expire what it has committed.
        job: the only copy that may be changed, for as long as the lease is held.
        lease: the right to do so.
        settings: of the queue.
        each: makes a compilation's calls; None for a sandbox.
        progress: hears a line now and then.
    """

    session: Session
    job: Job
    lease: Lease
    settings: Settings
    each: Each | None
    progress: Callable[[str], None]
    _begun: float = field(factory=monotonic, init=False)

    @property
    def backend(self) -> Backend:
        """Where the job runs."""
        return shared_backend(self.job.backend)

    def roll_back(self) -> None:
        """Forget what was not committed, and read the row as it is now.

        Its version is then that of now, too: it would no longer tell that somebody has taken the
        job over meanwhile, because the database's clock went ahead, say.

        Raises:
            LeaseLostError: if somebody has.
        """
        self.session.rollback()
        if self.job.lease_owner != self.lease.owner:
            raise LeaseLostError("another worker has taken over, or the job has ended")

    def circuit_job(self) -> CircuitJob:
        """Return the compiled circuit and how it is to be run."""
        return stored_circuit(self.job).circuit_job

    def tell(self, line: str) -> None:
        """Report progress, and stop what has become void or takes too long.

        Raises:
            LeaseLostError: if somebody else has the job now, or it was cancelled.
            TookTooLongError: if it takes longer than it may, and a library has swallowed the
                exception that told so.
        """
        self.lease.require()
        if monotonic() - self._begun > self.settings.compile_seconds:
            raise TookTooLongError(self.settings.compile_seconds)
        self.progress(line)
        self.lease.show(storable(line))


def stored_circuit(job: Job) -> StoredCircuit:
    """Return the compiled circuit of a job and how it is to be run."""
    chosen = job.compiled.chosen
    return StoredCircuit(
        chosen.native or b"",
        job.program,
        job.target,
        job.shots,
        job.seed,
        chosen.verified == "sampled",
        job.run_options,
    )


@cache
def shared_backend(spec: str) -> Backend:
    """Return a backend, the same one for each of this process's jobs."""
    return backend_from_spec(spec)
