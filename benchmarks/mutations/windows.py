"""True if a fault is harmless, told by the gates around it and by nothing that proofs use."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Qubit
from qiskit.quantum_info import Operator

from benchmarks.mutations.faults import Faulty, Items
from compiler.lowering.reachable.clusters import Reachable

WIDEST = 10
"""Qubits of a window that is compared as a matrix."""

REACHED = 8
"""Qubits of a window whose states are followed."""

CLOSE = 1e-9
AMPLITUDES = 1 << 14
"""Up to which the state before a window is followed exactly; clusters of it beyond."""


def same_unitary(faulty: Faulty) -> bool:
    """Return whether the replacement is seen to be equivalent on any input."""
    windows = _linked(faulty.right, faulty.wrong)
    qubits = _qubits_of(windows)
    if len(qubits) > WIDEST:
        return False
    a, b = (_matrix(window, qubits) for window in windows)
    return _distance(a, b) <= CLOSE


def same_where_reached(right: Items, faulty: Faulty, wires: Sequence[Qubit]) -> bool:
    """Return whether the replacement is seen to be equivalent on the states from |0…0⟩.

    Args:
        right: the right circuit.
        faulty: the wrong one.
        wires: all qubits.
    """
    windows = _linked(faulty.right, faulty.wrong)
    qubits = _qubits_of(windows)
    if len(qubits) > REACHED:
        return False
    index = {qubit: i for i, qubit in enumerate(wires)}
    reached = Reachable(len(wires), AMPLITUDES)
    for item in right[: faulty.first]:
        if item.name != "barrier":
            reached.apply(item.matrix, [index[qubit] for qubit in item.qubits])
    support = reached.support([index[qubit] for qubit in qubits])
    a, b = (_matrix(window, qubits) @ support for window in windows)
    return _distance(a, b) <= CLOSE


def _linked(right: Items, wrong: Items) -> tuple[Items, Items]:
    """Return both without the gates at their ends that they have in common."""
    start = 0
    while start < min(len(right), len(wrong)) and right[start] == wrong[start]:
        start += 1
    return right[start:], wrong[start:]


def _qubits_of(windows: Sequence[Sequence[CircuitInstruction]]) -> list[Qubit]:
    return list(dict.fromkeys(q for window in windows for item in window for q in item.qubits))


def _matrix(window: Items, qubits: Sequence[Qubit]) -> NDArray[np.complex128]:
    place = {qubit: i for i, qubit in enumerate(qubits)}
    circuit = QuantumCircuit(max(1, len(qubits)))
    for item in window:
        circuit.append(item.operation, [place[qubit] for qubit in item.qubits])
    return np.asarray(Operator(circuit).data)


def _distance(a: NDArray[np.complex128], b: NDArray[np.complex128]) -> float:
    overlap = np.vdot(a, b)
    phase = overlap / abs(overlap) if abs(overlap) > 0 else 1.0
    return float(np.linalg.norm(b - phase * a, 2))
