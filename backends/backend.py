"""The protocol between jobs and whatever runs circuits."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import StrEnum
from typing import TypeVar

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.errors import InputError, StichwerkError
from compiler.registry import Registry


class BackendError(StichwerkError):
    """A provider refused or failed a job."""


class JobState(StrEnum):
    """Where a job is at its provider."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@frozen(eq=False)
class CircuitJob:
    """A native circuit to be run.

    Args:
        circuit: native gates on physical qubits, with final measurements.
        target: spec of the target it was lowered to.
        shots: how often, at least 1.
        seed: for simulators; machines ignore it.
        forgetful: whether measuring every qubit at each barrier changes no result, so that a
            simulator may do so.
    """

    circuit: QuantumCircuit
    target: str
    shots: int
    seed: int
    forgetful: bool = False


class Backend(ABC):
    """Runs circuits. A job is submitted under a key of the caller's and at most once per key."""

    @abstractmethod
    def default_target(self) -> str:
        """Return the spec of the target that circuits for this backend are lowered to."""

    @abstractmethod
    def accepts(self, target: str) -> bool:
        """Tell whether circuits lowered to the target of this spec can run here."""

    def reads_with_errors(self) -> bool:
        """Tell whether qubits are read with the errors of the target's calibration."""
        return True

    @abstractmethod
    def estimated_cost_usd(self, job: CircuitJob) -> Decimal:
        """Return what the job will cost, before it is submitted."""

    @abstractmethod
    def submit(self, job: CircuitJob, key: str) -> str:
        """Hand a job over and return the provider's id of it.

        Raises:
            BackendError: if the provider refuses the job.
        """

    @abstractmethod
    def find(self, key: str) -> str | None:
        """Return the provider's id of the job submitted under `key`, or None."""

    @abstractmethod
    def state(self, provider_id: str) -> JobState:
        """Return where a job is."""

    @abstractmethod
    def counts(self, provider_id: str) -> Mapping[int, int]:
        """Return the shots by outcome of a job that is done.

        Outcomes are integers whose bit i is the circuit's classical bit i.

        Raises:
            BackendError: if the job failed or is not done.
        """

    @abstractmethod
    def cancel(self, provider_id: str) -> None:
        """Ask the provider to stop a job."""


@frozen
class BackendFamily:
    """A kind of backend: `build` takes what follows the colon in its spec, `""` if nothing does."""

    build: Callable[[str], Backend]
    summary: str


backends: Registry[BackendFamily] = Registry("backend")

F = TypeVar("F", bound=Callable[[str], Backend])


def backend(name: str, summary: str) -> Callable[[F], F]:
    """Return a decorator that files a builder of backends, a class or a function."""
    file = backends.register(name)

    def decorate(build: F) -> F:
        file(BackendFamily(build, summary))
        return build

    return decorate


def backend_from_spec(spec: str) -> Backend:
    """Return the backend that a spec names.

    Raises:
        UnknownNameError: if there is no such backend.
        InputError: if what follows the colon is not known to it.
    """
    name, _, argument = spec.partition(":")
    return backends[name].build(argument)


def refuse_argument(name: str, argument: str) -> None:
    """Refuse what follows the colon.

    Raises:
        InputError: if anything does.
    """
    if argument:
        raise InputError(f"backend '{name}:{argument}': '{name}' takes nothing after the colon")
