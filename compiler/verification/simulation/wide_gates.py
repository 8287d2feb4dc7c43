"""Circuits as gates with any number of controls, and the one-qubit gates between these."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, ControlledGate, Delay, Instruction
from qiskit.circuit.library import PhaseGate, RYGate, SwapGate, XGate, ZGate
from qiskit.synthesis import OneQubitEulerDecomposer

from compiler.circuits.gate_steps import matrix_of
from compiler.circuits.matrices import Matrix
from compiler.circuits.tolerances import SAME
from compiler.errors import StateTooLargeError

_CONTROLLED = frozenset({XGate, ZGate, PhaseGate, RYGate, SwapGate})
_ANGLES = OneQubitEulerDecomposer("U3")


@frozen(eq=False)
class Turn:
    """A one-qubit gate.

    Args:
        matrix: shape (2, 2).
        angles: θ, φ and λ of the U gate that it is, up to a phase.
        permutes: whether it keeps basis states basis states.
    """

    matrix: Matrix
    angles: tuple[float, float, float]
    permutes: bool

    @classmethod
    def of(cls, matrix: Matrix) -> "Turn":
        """Return the gate of a matrix."""
        theta, phi, lam = (float(angle) for angle in _ANGLES.angles(matrix))
        smaller = min(abs(matrix[0, 0]), abs(matrix[0, 1]))
        return cls(matrix, (theta, phi, lam), bool(smaller < SAME))

    def size_after(self, state: Iterable[tuple[int, complex]], qubit: int) -> int:
        """Return how many amplitudes a state would have if this gate were applied to it."""
        (zero_zero, zero_one), (one_zero, one_one) = self.matrix.tolist()
        mask = 1 << qubit
        halves: tuple[dict[int, complex], dict[int, complex]] = {}, {}
        for key, amplitude in state:
            halves[key >> qubit & 1][key & ~mask] = amplitude
        zeros, ones = halves
        size = 0
        for key in zeros.keys() | ones.keys():
            zero, one = zeros.get(key, 0), ones.get(key, 0)
            size += abs(zero_zero * zero + zero_one * one) > SAME
            size += abs(one_zero * zero + one_one * one) > SAME
        return size


@frozen(eq=False)
class WideGates:
    """A circuit as the engine plays it: its wider gates, and what is turned before and between.

    Args:
        first: the one-qubit gates before every wider gate, by qubit.
        wider: each with its qubits and the one-qubit gates that follow it.
    """

    first: Mapping[int, Turn]
    wider: Sequence[tuple[Instruction, list[int], Mapping[int, Turn]]]

    @classmethod
    def of(cls, circuit: QuantumCircuit) -> "WideGates":
        """Take a circuit apart, and merge neighbouring one-qubit gates."""
        first: dict[int, Matrix] = {}
        wider: list[tuple[Instruction, list[int], dict[int, Matrix]]] = []
        following: dict[int, dict[int, Matrix]] = {}
        for gate, qubits in _primitives(circuit, range(circuit.num_qubits)):
            if isinstance(gate, np.ndarray):
                run = following.get(qubits[0], first)
                run[qubits[0]] = gate @ run.get(qubits[0], np.eye(2, dtype=complex))
            else:
                wider.append((gate, qubits, {}))
                following.update(dict.fromkeys(qubits, wider[-1][2]))
        return cls(_turns(first), [(gate, qubits, _turns(run)) for gate, qubits, run in wider])


def _turns(run: Mapping[int, Matrix]) -> dict[int, Turn]:
    return {qubit: Turn.of(matrix) for qubit, matrix in run.items()}


def is_wide(circuit: QuantumCircuit) -> bool:
    """Tell whether a circuit has gates on three or more qubits that are simulated as they are."""
    places = range(circuit.num_qubits)
    return any(len(qubits) > 2 for _, qubits in _primitives(circuit, places))


Primitive = tuple[Matrix | Instruction, list[int]]
"""A one-qubit matrix, or one of the wider gates that the engine knows; and its qubits."""


def _primitives(circuit: QuantumCircuit, qubits: Sequence[int]) -> Iterator[Primitive]:
    index = {qubit: qubits[i] for i, qubit in enumerate(circuit.qubits)}
    for item in circuit.data:
        gate, places = item.operation, [index[qubit] for qubit in item.qubits]
        if isinstance(gate, Barrier | Delay):
            continue
        if len(places) == 1 and (matrix := matrix_of(gate)) is not None:
            yield matrix, places
        elif _is_known(gate):
            yield gate, places
        elif gate.definition is not None:
            yield from _primitives(gate.definition, places)
        else:
            raise StateTooLargeError(f"gate '{gate.name}' cannot be simulated exactly")


def _is_known(gate: Instruction) -> bool:
    """Tell whether the engine has a gate; a class says what a gate is, a name does not."""
    if isinstance(gate, ControlledGate):
        return gate.base_gate.base_class in _CONTROLLED
    return isinstance(gate, SwapGate)
