"""What a benchmark circuit is: a name, a size and a seed that say every gate."""

from collections.abc import Callable
from typing import TypeVar

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.errors import InputError
from compiler.registry import Registry

Build = Callable[[int, int], QuantumCircuit]
"""Takes the number of qubits and a seed; returns standard gates on at most three qubits."""


@frozen
class PublicCircuit:
    """A family of circuits.

    Args:
        build: makes the circuit on a number of qubits, random choices by a seed.
        sizes: the numbers of qubits that it comes in.
        summary: one line for lists.
    """

    build: Build
    sizes: range
    summary: str


public_circuits: Registry[PublicCircuit] = Registry("benchmark", "compiler.public_circuits")

B = TypeVar("B", bound=Build)


def public_circuit(name: str, sizes: range = range(5, 31)) -> Callable[[B], B]:
    """Return a decorator that files a builder under `name`; its docstring begins with a summary.

    Args:
        name: what specs call it.
        sizes: the numbers of qubits that it comes in.
    """
    file = public_circuits.register(name)

    def decorate(build: B) -> B:
        file(PublicCircuit(build, sizes, (build.__doc__ or "").splitlines()[0]))
        return build

    return decorate


def circuit_from_spec(spec: str, seed: int) -> QuantumCircuit:
    """Return the circuit that a spec such as `qft:10` names, without measurements.

    Args:
        spec: `name:qubits`.
        seed: of whatever is random in it; the same seed gives the same gates.

    Raises:
        UnknownNameError: if there is no such benchmark.
        InputError: if the spec has no size, or one that the benchmark does not come in.
    """
    name, _, size = spec.partition(":")
    chosen = public_circuits[name]
    sizes = chosen.sizes
    number = int(size) if size.isascii() and size.isdigit() and len(size) < 10 else 0
    if number not in sizes:
        step = f" in steps of {sizes.step}" if sizes.step > 1 else ""
        raise InputError(
            f"benchmark '{spec}': write {name}:N with N from {sizes[0]} to {sizes[-1]}{step}"
        )
    circuit = chosen.build(number, seed)
    circuit.name = spec
    return circuit
