"""One qutrit on two qubits: the phase of the illegal level is free, and two CX always suffice."""

from collections.abc import Iterator
from itertools import product
from math import atan2, pi

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit.library import CXGate
from qiskit.synthesis import TwoQubitBasisDecomposer

from compiler.circuits.matrices import Matrix
from compiler.circuits.tolerances import NUMERICAL_ZERO

PHASES = 24
"""Multiples of π/12 that are tried besides where an entry is 0."""

_FLIP = np.array([[0, 0, 0, -1], [0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0]], np.complex128)
"""Y ⊗ Y."""
_SWAP = np.eye(4)[[0, 2, 1, 3]]


@frozen
class Completion:
    """A matrix on two qubits with the required action on three words.

    Args:
        cx_gates: number of CX gates.
        swapped: whether the qubits are exchanged after it.
        matrix: the matrix before that exchange.
    """

    cx_gates: int
    swapped: bool
    matrix: Matrix


def completed(wanted: Matrix) -> Completion:
    """Return a completion of a unitary on words 0, 1 and 2 that takes few CX: two at most.

    All of them are wanted ⊕ e^{iφ}. With U such a matrix, two CX suffice where
    tr(U Y⊗Y Uᵀ Y⊗Y)/√det U is real, which it is for one φ at least: `balancing_phase`. For some
    φ fewer suffice, perhaps with the qubits in the other order.

    References:
        Shende, Bullock and Markov, Recognizing small-circuit structure in two-qubit operators,
        2004.
    """
    from compiler.circuits.cx_cost import cx_cost

    best: Completion | None = None
    for swapped, phase in _candidates(wanted):
        unitary = _whole(wanted, phase)
        unitary = _SWAP @ unitary if swapped else unitary
        gates = cx_cost(unitary)
        if best is None or gates < best.cx_gates:
            best = Completion(gates, swapped, unitary)
        if not gates:
            break
    assert best is not None
    return best


def drawn(completion: Completion) -> QuantumCircuit:
    """Return the circuit of a completion on two qubits."""
    decomposer = TwoQubitBasisDecomposer(CXGate(), euler_basis="U")
    circuit = decomposer(completion.matrix, _num_basis_uses=completion.cx_gates)
    if completion.swapped:
        circuit.swap(0, 1)
    return circuit


def balancing_phase(wanted: Matrix) -> float:
    """Return the φ for which two CX suffice without an exchange of qubits.

    The trace is α + β e^{iφ} and the root of the determinant e^{i(φ+δ)/2}, so that their ratio
    is real where a cos φ/2 + b sin φ/2 vanishes.
    """
    without = _trace(_whole(wanted, None))
    beyond = _trace(_whole(wanted, 0.0)) - without
    turn = np.exp(-0.5j * np.angle(np.linalg.det(wanted)))
    without, beyond = without * turn, beyond * turn
    return 2 * atan2(without.imag + beyond.imag, without.real - beyond.real)


def _candidates(wanted: Matrix) -> Iterator[tuple[bool, float]]:
    """Yield whether qubits are exchanged, and the phase.

    Where no entry is 0, nothing is gained beyond the two CX that the balancing phase grants.
    """
    yield False, balancing_phase(wanted)
    if np.abs(wanted).min() < NUMERICAL_ZERO:
        yield from product((False, True), (place * 2 * pi / PHASES for place in range(PHASES)))


def _whole(wanted: Matrix, phase: float | None) -> Matrix:
    unitary = np.zeros((4, 4), np.complex128)
    unitary[:3, :3] = wanted
    unitary[3, 3] = 0 if phase is None else np.exp(1j * phase)
    return unitary


def _trace(unitary: Matrix) -> complex:
    return complex(np.trace(unitary @ _FLIP @ unitary.T @ _FLIP))
