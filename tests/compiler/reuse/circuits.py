"""Circuits whose narrowest width is known, and random ones that leave something to be saved."""

from collections.abc import Sequence

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, QuantumRegister


def bernstein_vazirani(secret: Sequence[int]) -> QuantumCircuit:
    """Return a circuit that reads a secret through one qubit; two qubits do for it."""
    last = len(secret)
    circuit = QuantumCircuit(last + 1, last, name="bernstein-vazirani")
    circuit.x(last)
    circuit.h(range(last + 1))
    for qubit in range(last):
        if secret[qubit]:
            circuit.cx(qubit, last)
    circuit.h(range(last))
    circuit.measure(range(last), range(last))
    return circuit


def ghz(qubits: int) -> QuantumCircuit:
    """Return a ladder of CX, for which two qubits do."""
    circuit = QuantumCircuit(qubits, qubits, name="ghz")
    circuit.h(0)
    for qubit in range(qubits - 1):
        circuit.cx(qubit, qubit + 1)
    circuit.measure(range(qubits), range(qubits))
    return circuit


def qaoa_ring(qubits: int) -> QuantumCircuit:
    """Return one layer of QAOA on a ring, for which three qubits do."""
    circuit = QuantumCircuit(qubits, qubits, name="qaoa-ring")
    circuit.h(range(qubits))
    for qubit in range(qubits):
        circuit.rzz(0.7, qubit, (qubit + 1) % qubits)
    circuit.rx(0.9, range(qubits))
    circuit.measure(range(qubits), range(qubits))
    return circuit


def random_sparse(seed: int, qubits: int = 5, gates: int = 8) -> QuantumCircuit:
    """Return few gates on many qubits, most of them measured, with some resets and conditions."""
    rng = np.random.default_rng(seed)
    register = ClassicalRegister(qubits, "c")
    circuit = QuantumCircuit(QuantumRegister(qubits, "q"), register, name=f"sparse-{seed}")
    for _ in range(gates):
        a, b = rng.permutation(qubits)[:2].tolist()
        match rng.integers(9):
            case 0 | 1:
                circuit.cx(a, b)
            case 2:
                circuit.rzz(float(rng.uniform(-3, 3)), a, b)
            case 3:
                circuit.crx(float(rng.uniform(-3, 3)), a, b)
            case 4 | 5:
                circuit.u(*rng.uniform(-3, 3, 3).tolist(), a)
            case 6:
                circuit.u(*rng.uniform(-3, 3, 3).tolist(), a)
                circuit.measure(a, register[a])
                with circuit.if_test((register[a], 1)):
                    circuit.x(b)
            case 7:
                circuit.h(a)
                circuit.barrier()
            case 8:
                circuit.ry(float(rng.uniform(-3, 3)), a)
                circuit.reset(a)
    for qubit in range(qubits):
        if rng.integers(5):
            circuit.measure(qubit, register[qubit])
    return circuit
