"""Context of a stage; stored circuits, and simulating them in any process or a sandbox."""

from collections.abc import Callable, Mapping
from functools import cache
from time import monotonic

from attrs import field, frozen
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from backends import Backend, BackendError, CircuitJob, LocalBackend, backend_from_spec
from backends.noise_methods import amplified
from compiler.compilation.listener import Each
from compiler.dynamic.pieces import is_dynamic
from compiler.errors import StichwerkError
from compiler.formats.circuit_files import read_qpy
from compiler.targets.device import carried
from compiler.words.run_options import PLAIN, RunOptions
from workers.attributes import build
from workers.jobs.journal import died, found_abandoned, lived, storable
from workers.queue.leases import Lease, LeaseLostError
from workers.records.tables import Job
from workers.sandbox import sandbox
from workers.settings import PREFIX, Settings


@frozen
class StoredCircuit:
    """A native circuit as it is stored, and how it is run.

    Args:
        native: the circuit, as QPY.
        name: of the program, for messages.
        target: spec of the target it was lowered to.
        shots: number of shots.
        seed: for simulators.
        sampled: whether its proof is by samples; see `CircuitJob.forgetful`.
        run_options: further options.
    """

    native: bytes
    name: str
    target: str = field(converter=carried)
    shots: int
    seed: int
    sampled: bool = False
    run_options: RunOptions = PLAIN

    @property
    def circuit_job(self) -> CircuitJob:
        """The circuit, read and amplified, as backends run it."""
        circuit = read_qpy(self.native, self.name)
        return CircuitJob(
            amplified(circuit, self.run_options.noise),
            self.target,
            self.shots,
            self.seed,
            forgetful=self.sampled and not is_dynamic(circuit),
            run_options=self.run_options,
        )


def simulate(backend: LocalBackend, stored: StoredCircuit, most_bytes: int) -> Mapping[int, int]:
    """Return the shots by outcome.

    Args:
        backend: a simulator.
        stored: the circuit.
        most_bytes: memory for it.

    Raises:
        BackendError: if the circuit cannot be run, or is known to need more memory than there is.
    """
    job = stored.circuit_job
    backend.check_memory(job, most_bytes)
    return backend.run(job)


class TookTooLongError(StichwerkError):
    """A job's circuit takes longer than it may.

    Args:
        seconds: that it may take.
    """

    def __init__(self, seconds: int) -> None:
        super().__init__(
            f"compiling and proving exceed {seconds} s; use --method fast, or increase "
            "STICHWERK_COMPILE_SECONDS"
        )


@frozen(eq=False)
class StageContext:
    """A job in the hands of a worker.

    Args:
        session: of the job; it does not expire rows on commit.
        job: the only copy that may be changed, for as long as the lease is held.
        lease: of the job.
        settings: of the queue.
        each: makes a compilation's calls; None for a sandbox.
        progress: receives a line now and then.
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
        """The job's backend."""
        return shared_backend(self.job.backend)

    def roll_back(self) -> None:
        """Discard uncommitted changes, and read the row again.

        Its version is then the current one, which would no longer show that another worker has
        taken the job over meanwhile, because the database's clock went ahead, say.

        Raises:
            LeaseLostError: if another worker has.
        """
        self.session.rollback()
        if self.job.lease_owner != self.lease.owner:
            raise LeaseLostError("another worker has taken over, or the job has ended")

    def circuit_job(self) -> CircuitJob:
        """Return the compiled circuit and how it is to be run."""
        return stored_circuit(self.job).circuit_job

    def tell(self, line: str) -> None:
        """Report progress, and stop work that is void or takes too long.

        Raises:
            LeaseLostError: if another worker has the job now, or it was cancelled.
            TookTooLongError: if it takes longer than it may, and a library has swallowed the
                exception of the time limit.
        """
        self.lease.require()
        if monotonic() - self._begun > self.settings.compile_seconds:
            raise TookTooLongError(self.settings.compile_seconds)
        self.progress(line)
        self.lease.show(storable(line))


def stored_circuit(job: Job) -> StoredCircuit:
    """Return the compiled circuit of a job and how it is to be run."""
    chosen = job.compiled.chosen
    native, sampled = chosen.native or b"", chosen.verified == "sampled"
    return build(StoredCircuit, job, native=native, name=job.program, sampled=sampled)


@cache
def shared_backend(spec: str) -> Backend:
    """Return a backend, the same one for each of this process's jobs."""
    return backend_from_spec(spec)


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
