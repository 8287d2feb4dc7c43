"""The protocol between jobs and backends."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import Any

from attrs import frozen
from qiskit import QuantumCircuit

from backends.errors import BackendError, ResultError
from compiler.dynamic.needs import Need
from compiler.native_digest import native_digest
from compiler.scores.run_comparison import CalibratedError
from compiler.words.run_options import PLAIN, RunOptions


class JobState(StrEnum):
    """State of a job at its provider."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@frozen
class JobStatus:
    """A provider's status of a job.

    Args:
        state: of the job.
        queue_position: jobs before it and itself, 1 if it is next; None if unknown.
        detail: the provider's reason for a failure, or nothing.
    """

    state: JobState
    queue_position: int | None = None
    detail: str = ""


@frozen
class Charge:
    """A provider's charge of a job.

    Args:
        usd: None if it reports only time, and time has no price.
        seconds: of its machine; None if unknown.
    """

    usd: Decimal | None
    seconds: float | None


@frozen
class Calibration:
    """A provider's error rates of a device, for the instructions of a circuit.

    Args:
        at: time of the calibration in the provider's form; empty if unknown.
        errors: of the circuit's instructions.
    """

    at: str
    errors: tuple[CalibratedError, ...]


NO_ACCOUNT = "no account"
"""Status of a device that is known without an account."""


@frozen
class AccountDevice:
    """Device that an account can run jobs on.

    Args:
        backend: spec, such as `ibm:boston`.
        family: of its processor, such as `Heron r3`; empty if unknown.
        qubits: None if unknown.
        queue: jobs that wait for it; None if unknown.
        status: in the provider's words, such as `online`, or `NO_ACCOUNT`.
    """

    backend: str
    family: str
    qubits: int | None
    queue: int | None
    status: str


@frozen(eq=False)
class CircuitJob:
    """A native circuit to be run.

    Args:
        circuit: native gates on physical qubits, with measurements, resets and branches as
            far as the backend supports them.
        target: spec of the target it was lowered to.
        shots: how often, at least 1.
        seed: for simulators; machines ignore it.
        forgetful: whether measuring every qubit at each barrier changes no result, so that a
            simulator may do so.
        run_options: further options; the circuit has `noise` times its two-qubit gates already.
    """

    circuit: QuantumCircuit
    target: str
    shots: int
    seed: int
    forgetful: bool = False
    run_options: RunOptions = PLAIN

    @cached_property
    def digest(self) -> str:
        """Return the digest of this circuit; see `native_digest`."""
        return native_digest(self.circuit)


class Backend(ABC):
    """Something that runs circuits: a simulator in this process, or a provider's machine."""

    @abstractmethod
    def default_target(self) -> str:
        """Return the spec of the target that circuits for this backend are lowered to."""

    @abstractmethod
    def accepts(self, target: str) -> bool:
        """Return whether circuits lowered to the target of this spec can run here."""

    def supports(self) -> frozenset[Need]:
        """Return its capabilities besides gates and final measurements; none by default."""
        return frozenset()

    def min_shots(self) -> int:
        """Return the fewest shots of one job."""
        return 1

    def max_shots(self) -> int | None:
        """Return the most shots of one job; None if there is no limit of its own."""
        return None

    def treatments(self) -> frozenset[str]:
        """Return its methods against noise; none by default."""
        return frozenset()

    def reads_with_errors(self) -> bool:
        """Return whether qubits are read with the errors of the target's calibration."""
        return True

    def calibration(self, job: CircuitJob) -> Calibration | None:
        """Return the errors that the device has now where a circuit meets them.

        None if there is no device, if its errors never change, or if its provider does not tell
        them in a form that is known here.
        """
        return None


class LocalBackend(Backend):
    """Runs circuits on this machine, free of charge, the same way each time.

    Jobs of the queue run in another process: a backend must be one that can be pickled.
    """

    @abstractmethod
    def run(self, job: CircuitJob) -> Mapping[int, int]:
        """Return the shots by outcome.

        Outcomes are integers whose bit i is the circuit's classical bit i.

        Raises:
            BackendError: if the circuit cannot be run.
            MemoryError: if there is not enough memory for it.
        """

    def check_memory(self, job: CircuitJob, most_bytes: int) -> None:
        """Refuse a circuit that is known to need more memory than there is.

        Raises:
            BackendError: with the size that would fit.
        """

    def default_target(self) -> str:
        """Return a fully coupled target of the program's size."""
        return "all"

    def accepts(self, target: str) -> bool:
        """Accept every target: an ideal simulator knows no couplings."""
        return True

    def reads_with_errors(self) -> bool:
        """Return False: simulators are perfect unless they say otherwise."""
        return False


class ProviderBackend(Backend):
    """Runs circuits elsewhere, perhaps for money: each job under a key of the caller's.

    A call that may have reached the provider without an answer raises `UnavailableError`; the
    caller then looks for its key before it submits again. No method repeats a submission by
    itself. Every method may raise `UnavailableError` and `CredentialsError`, and each takes
    `SECONDS_PER_CALL` at most.
    """

    @abstractmethod
    def address(self) -> str | None:
        """Return where the provider is asked if that is not its own public address."""

    @abstractmethod
    def account(self) -> str:
        """Return the identifier of the account that jobs are submitted to; no secret.

        It names the instance or region, too. The provider is asked once a connection.
        """

    @abstractmethod
    def variables(self, address: str | None, account: str | None) -> str:
        """Return the environment variables that lead a worker to an address and an account.

        Args:
            address: as `address` returned it.
            account: as `account` returned it; None if it is unknown.
        """

    def has_live_calibration(self) -> bool:
        """Return whether `description` has an account here; send no request."""
        return False

    def description(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the provider's description of the device, with today's calibration.

        By the names of the files that would hold it; see docs/devices.md. The first one counts.

        Raises:
            BackendError: if the provider describes no device in a known form.
        """
        raise BackendError("the provider describes no device in a form that is known here")

    @abstractmethod
    def least_cost_usd(self, shots: int) -> Decimal:
        """Return the lowest cost of a job of so many shots, before its circuit is known.

        Raises:
            PriceError: if no price is known.
        """

    def together(self, jobs: Sequence[CircuitJob]) -> Sequence[CircuitJob]:
        """Return the first job, and all others whose circuits fit into one provider job with it.

        Only the first by default.
        """
        return jobs[:1]

    @abstractmethod
    def estimated_cost_usd(self, jobs: Sequence[CircuitJob]) -> Decimal:
        """Return the most that one provider job of these circuits can cost, without a request.

        That is reserved. Where a provider takes a ceiling, `submit` gives it this one.

        Raises:
            PriceError: if no price is known.
        """

    def fence(self) -> str | None:
        """Open a session at the provider that one job can be submitted under; return its id.

        Once it is closed, the provider refuses submissions that are still on their way. None if
        the provider needs none, as by default, or grants none: then jobs are submitted without.
        """
        return None

    def close_fence(self, fence: str) -> None:
        """Let the provider refuse all further submissions under a fence.

        Jobs that were accepted under it are not touched, and closing it twice does no harm. When
        this returns, the provider has confirmed that the fence is closed.
        """
        raise BackendError("this provider has no fences")

    @abstractmethod
    def submit(
        self,
        jobs: Mapping[str, CircuitJob],
        key: str,
        *,
        fence: str | None = None,
        leave: Callable[[], None] = lambda: None,
    ) -> str:
        """Hand circuits over as one provider job and return the provider's id of it.

        Args:
            jobs: circuits with their shots, which `together` has found to fit, by their own keys.
            key: one of these, 32 hexadecimal digits under which the provider job is found again.
            fence: an open one that the job is submitted under.
            leave: called as the request that may cost money leaves, over a connection that is
                already open. Its exceptions stop that request, and are raised by this unchanged.

        Raises:
            CircuitsRefusedError: if some of several circuits are refused before anything is sent.
            BackendError: if the provider refuses the job.
        """

    @abstractmethod
    def find(self, key: str, since: datetime | None = None) -> Sequence[str]:
        """Return the provider's ids of the jobs submitted under `key`, the oldest first.

        Jobs that were cancelled are left out if there is another one that was not.

        Args:
            key: of the jobs.
            since: with a time zone; jobs that were created earlier may be left out.
        """

    @abstractmethod
    def status(self, provider_id: str, key: str) -> JobStatus:
        """Return the status of a job.

        Raises:
            ResultError: if the provider's job of this id carries another key.
        """

    @abstractmethod
    def raw_result(self, provider_id: str) -> bytes:
        """Return the result of a job that is done, as the provider sent it, unread.

        Raises:
            ResultError: if it has more than `RESULT_BYTES`.
        """

    def executed_program(self, provider_id: str, raw: bytes) -> bytes | None:
        """Return the programs that the provider compiled and ran; None if it does not tell.

        Args:
            provider_id: of a job that is done.
            raw: its result, which may hold the program.

        Raises:
            BackendError: if it cannot be fetched.
        """
        return None

    def is_recompiled(self, raw: bytes) -> bool:
        """Return whether the provider's own compiler was allowed to change a result's program.

        Raises:
            ResultError: if the result cannot be read.
        """
        return False

    def executed_circuit(self, program: bytes, job: CircuitJob, key: str) -> QuantumCircuit:
        """Return a job's own part of `executed_program` as a circuit, without a request.

        Its qubits are the device's, its classical bits those of the job's circuit.

        Raises:
            ResultError: if it cannot be read.
        """
        raise ResultError("the provider's program is in no form that is known here")

    @abstractmethod
    def counts(
        self, raw: bytes, job: CircuitJob, key: str, provider_id: str, *, circuits: int = 1
    ) -> Mapping[int, int]:
        """Return the shots by outcome of one circuit in a provider job's result, without a request.

        Outcomes are integers whose bit i is the circuit's classical bit i.

        Args:
            raw: of `raw_result`.
            job: that has the circuit, which is found by its key or its program.
            key: of that job.
            provider_id: of the provider job.
            circuits: in the provider job, which bound the length of its result.

        Raises:
            ResultError: if it cannot be read, or is of another job, circuit or number of shots.
        """

    @abstractmethod
    def charge(self, provider_id: str) -> Charge | None:
        """Return the provider's charge of a job; None if it has not reported it (yet).

        Raises:
            PriceError: if it reports time, whose price is unknown.
        """

    @abstractmethod
    def cancel(self, provider_id: str) -> None:
        """Ask the provider to stop a job; one that has ended already is left as it is."""


RESULT_BYTES = 64 * 2**20
"""The longest result that is fetched; 100,000 shots of 156 bits have 3 MB at IBM."""

SECONDS_PER_CALL = 60
"""Time limit of a call of a provider, its own retries included."""
