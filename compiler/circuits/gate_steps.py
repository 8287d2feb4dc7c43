"""Circuits as the few kinds of gates that are simulated on many basis states at once."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, CircuitInstruction, ControlledGate, Delay, Operation
from qiskit.circuit.exceptions import CircuitError
from qiskit.circuit.library import CXGate, CZGate
from qiskit.exceptions import QiskitError

from compiler.circuits.matrices import Matrix
from compiler.errors import StateTooLargeError

Q = TypeVar("Q")
"""A qubit, or its number."""


@frozen
class Step:
    """A gate as the simulation sees it.

    Args:
        kind: `u` for a one-qubit matrix, `cx`, `cz`, `zz` for exp(iφ Z⊗Z), or `barrier`.
        qubits: that it acts on; the control first.
        matrix: of a one-qubit gate.
        angle: φ of `zz`.
    """

    kind: str
    qubits: tuple[int, ...] = ()
    matrix: Matrix | None = None
    angle: float = 0.0


def steps_of(circuit: QuantumCircuit) -> list[Step]:
    """Return a circuit's gates and full-width barriers; definitions are taken apart.

    Raises:
        StateTooLargeError: if a gate cannot be taken apart into CX, CZ and one-qubit gates.
    """
    return list(_steps(circuit, range(circuit.num_qubits)))


def _steps(circuit: QuantumCircuit, places: Sequence[int]) -> Iterator[Step]:
    index = {qubit: places[i] for i, qubit in enumerate(circuit.qubits)}
    for item in circuit.data:
        yield from steps_of_gate(item, [index[qubit] for qubit in item.qubits])


def steps_of_gate(item: CircuitInstruction, qubits: Sequence[int]) -> Iterator[Step]:
    """Yield the steps of one gate on some qubits; none for a delay.

    Raises:
        StateTooLargeError: as `steps_of` does.
    """
    gate = item.operation
    if isinstance(gate, Barrier):
        yield Step("barrier", tuple(qubits))
    elif isinstance(gate, CXGate | CZGate) and gate.ctrl_state == 1:
        yield Step(gate.name, tuple(qubits))
    elif len(qubits) == 1 and (matrix := matrix_of(gate)) is not None:
        yield Step("u", tuple(qubits), matrix)
    elif gate.definition is not None:
        yield from _steps(gate.definition, qubits)
    elif not isinstance(gate, Delay):
        raise StateTooLargeError(f"gate '{gate.name}' cannot be simulated exactly")


def matrix_of(gate: Operation) -> Matrix | None:
    """Return a gate's matrix, the first qubit being the low bit of its index, if it has one."""
    try:
        return np.asarray(gate.to_matrix(), dtype=complex)
    except (AttributeError, CircuitError, QiskitError, TypeError):
        return None


def zero_controls(gate: ControlledGate, qubits: Sequence[Q]) -> list[Q]:
    """Return the controls that must be 0 for a gate to act, of the qubits that it is on."""
    controls = qubits[: gate.num_ctrl_qubits]
    return [qubit for i, qubit in enumerate(controls) if not gate.ctrl_state >> i & 1]
