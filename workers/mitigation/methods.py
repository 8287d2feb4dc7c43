"""What can be asked for, and which further runs that takes."""

from collections.abc import Sequence

from attrs import evolve
from qiskit import QuantumCircuit

from backends import Backend
from backends.noise_methods import twirls
from compiler.dynamic.pieces import is_dynamic
from compiler.errors import InputError
from compiler.near_misses import meant
from compiler.words.run_options import AMPLIFYING, DECOUPLING, PLAIN, TWIRLING, RunOptions

METHODS = (DECOUPLING, TWIRLING, AMPLIFYING)
FACTORS = (3, 5)
"""How often each two-qubit gate is made for zero-noise extrapolation, besides once."""


def methods_from_text(text: str) -> tuple[str, ...]:
    """Return the methods that a text names, separated by commas, in the order of `METHODS`.

    Raises:
        InputError: if it names another.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in METHODS:
            raise InputError(f"mitigation '{name}': unknown; {meant(name, METHODS)}")
    return tuple(name for name in METHODS if name in names)


def treatments_of(methods: Sequence[str]) -> tuple[RunOptions, ...]:
    """Return the runs that methods take, the plain one first."""
    quiet = RunOptions(DECOUPLING in methods, TWIRLING in methods)
    once = () if quiet == PLAIN else (quiet,)
    louder = (evolve(quiet, noise=n) for n in FACTORS) if AMPLIFYING in methods else ()
    return (PLAIN, *once, *louder)


def check_methods(
    spec: str, backend: Backend, methods: Sequence[str], circuit: QuantumCircuit, shots: int
) -> None:
    """Refuse what a backend cannot do, or not to a program.

    Args:
        spec: of the backend, for messages.
        backend: where it is to run.
        methods: that are asked for.
        circuit: of the program, compiled or not.
        shots: of each run.

    Raises:
        InputError: saying what is not possible.
    """
    can = backend.treatments()
    for name in methods:
        if name not in can:
            listed = [method for method in METHODS if method in can]
            hint = f"it takes {', '.join(listed)}" if listed else "it takes none"
            raise InputError(f"mitigation '{name}': backend '{spec}' does not take it; {hint}")
    if is_dynamic(circuit):
        raise InputError(
            f"mitigation '{methods[0]}': the program measures on the way, and waits for what it "
            "measured; only circuits that measure at their end are mitigated"
        )
    if TWIRLING in methods:
        twirls(shots)
