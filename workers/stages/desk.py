"""What a stage works with."""

from collections.abc import Callable
from concurrent.futures import Executor
from functools import cache

from attrs import frozen
from sqlalchemy.orm import Session

from backends import Backend, CircuitJob, backend_from_spec
from compiler.circuit_files import read_qpy
from workers.leases import Lease
from workers.records import Job
from workers.settings import Settings


@frozen(eq=False)
class Desk:
    """A job that somebody works on.

    Args:
        session: where it was read; it does not expire what it has committed.
        job: the only copy that may be changed, for as long as the lease is held.
        lease: the right to do so.
        settings: of the queue.
        pool: processes that make a compilation's attempts, None for this one.
        progress: hears a line now and then.
    """

    session: Session
    job: Job
    lease: Lease
    settings: Settings
    pool: Executor | None
    progress: Callable[[str], None]

    @property
    def backend(self) -> Backend:
        """Where the job runs."""
        return shared_backend(self.job.backend)

    def circuit_job(self) -> CircuitJob:
        """Return the compiled circuit and how it is to be run."""
        chosen = self.job.compiled.chosen
        return CircuitJob(
            read_qpy(chosen.native or b"", self.job.program),
            self.job.target,
            self.job.shots,
            self.job.seed,
            forgetful=chosen.verified == "sampled",
        )

    def tell(self, line: str) -> None:
        """Report progress, and stop what has become void.

        Raises:
            LeaseLostError: if somebody else has the job now, or it was cancelled.
        """
        self.lease.require()
        self.progress(line)


@cache
def shared_backend(spec: str) -> Backend:
    """Return a backend, the same one for each of this process's jobs."""
    return backend_from_spec(spec)
