"""Benchmark circuits: a name, a size and a seed that define every gate."""

from collections.abc import Callable, Iterable
from math import pi
from typing import TypeVar

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit

from compiler.arguments import checked
from compiler.errors import InputError
from compiler.registry import Registry

Build = Callable[[int, int], QuantumCircuit]
"""Takes the number of qubits and a seed; returns standard gates on at most three qubits."""

Read = Callable[[str, int], QuantumCircuit]
"""Takes the part of a spec after the name, and a seed; returns standard gates likewise."""


@frozen
class PublicCircuit:
    """A family of circuits.

    Args:
        read: makes the circuit that a spec says, random choices by a seed.
        smallest: a spec of the fewest qubits.
        summary: one line for lists.
    """

    read: Read
    smallest: str
    summary: str


WIDEST = 133
"""Qubits of the widest circuits: those of the widest device with a snapshot that is compared on."""

public_circuits: Registry[PublicCircuit] = Registry("benchmark", "compiler.public_circuits")

B = TypeVar("B", bound=Build)
R = TypeVar("R", bound=Read)


def described_circuit(name: str, smallest: str) -> Callable[[R], R]:
    """Return a decorator that files a reader under `name`; its docstring begins with a summary.

    Args:
        name: in specs.
        smallest: a spec of the fewest qubits.
    """
    file = public_circuits.register(name)

    def decorate(read: R) -> R:
        file(PublicCircuit(read, smallest, (read.__doc__ or "").splitlines()[0]))
        return read

    return decorate


def public_circuit(name: str, sizes: range = range(5, 31)) -> Callable[[B], B]:
    """Return a decorator that files a builder for specs `name:qubits`; see `described_circuit`.

    Args:
        name: in specs.
        sizes: the possible numbers of qubits.
    """
    file = described_circuit(name, f"{name}:{sizes[0]}")

    def decorate(build: B) -> B:
        def read(size: str, seed: int) -> QuantumCircuit:
            number = int(size) if size.isascii() and size.isdigit() and len(size) < 10 else 0
            if number not in sizes:
                step = f" in steps of {sizes.step}" if sizes.step > 1 else ""
                raise InputError(
                    f"benchmark '{name}{':' * bool(size)}{size}': "
                    f"write {name}:N with N from {sizes[0]} to {sizes[-1]}{step}"
                )
            return build(number, seed)

        read.__doc__ = build.__doc__
        file(read)
        return build

    return decorate


def append_random_cx(
    circuit: QuantumCircuit, pair: Iterable[int], random: np.random.Generator
) -> None:
    """Append u(θ, φ, λ) of uniform angles in [0, 2π) on both qubits of a pair, and then CX."""
    for qubit, angles in zip(pair, random.uniform(0, 2 * pi, (2, 3)).tolist(), strict=True):
        circuit.u(*angles, qubit)
    circuit.cx(*pair)


@checked
def circuit_from_spec(spec: str, seed: int = 0) -> QuantumCircuit:
    """Return the circuit that a spec such as `qft:10` names, without measurements.

    Args:
        spec: `name:qubits`, or another description after the name.
        seed: of random choices beyond the spec; the same gives the same gates.

    Raises:
        UnknownNameError: if there is no such benchmark.
        InputError: if the spec has no size, or one that the benchmark does not come in.
    """
    name, _, remaining = spec.partition(":")
    circuit = public_circuits[name].read(remaining, seed)
    circuit.name = spec
    return circuit
