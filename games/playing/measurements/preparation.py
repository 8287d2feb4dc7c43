"""Circuits that prepare a known state of few qubits."""

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit, transpile
from qiskit.circuit.library import StatePreparation

ROUNDING = 1e-9


def preparation(amplitudes: NDArray[np.complex128]) -> QuantumCircuit:
    """Return a circuit that makes a state from |0…0⟩, up to a phase.

    Qubits that are entangled with nothing get a gate of their own; m others take at most
    2^m − m − 1 CX.

    Args:
        amplitudes: 2^n of them, of norm 1; bit q of the index is qubit q.

    References:
        Iten et al., Quantum circuits for isometries, 2016, section V.
    """
    qubits = len(amplitudes).bit_length() - 1
    circuit = QuantumCircuit(qubits)
    left = list(range(qubits))
    for qubit in range(qubits):
        tensor = np.moveaxis(
            amplitudes.reshape((2,) * len(left)), len(left) - 1 - left.index(qubit), 0
        ).reshape(2, -1)
        of_qubit, weights, of_rest = np.linalg.svd(tensor, full_matrices=False)
        if len(weights) > 1 and weights[1] > ROUNDING:
            continue
        _turn(circuit, qubit, of_qubit[:, 0])
        amplitudes = of_rest[0]
        left.remove(qubit)
    if left:
        entangled = QuantumCircuit(len(left))
        entangled.append(
            StatePreparation(amplitudes / np.linalg.norm(amplitudes)), entangled.qubits
        )
        circuit.compose(transpile(entangled, basis_gates=["u", "cx"]), left, inplace=True)
    return circuit


def _turn(circuit: QuantumCircuit, qubit: int, state: NDArray[np.complex128]) -> None:
    zero, one = complex(state[0]), complex(state[1])
    if abs(one) < ROUNDING:
        return
    if abs(zero) < ROUNDING:
        circuit.x(qubit)
        return
    angle = 2 * float(np.arctan2(abs(one), abs(zero)))
    circuit.u(angle, float(np.angle(one) - np.angle(zero)), 0, qubit)
