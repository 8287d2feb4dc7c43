"""Dicke states as published, from standard gates."""

from math import acos, sqrt

from qiskit import QuantumCircuit

from compiler.public_circuits.public_circuit import public_circuit


@public_circuit("dicke")
def dicke(qubits: int, seed: int) -> QuantumCircuit:
    """Dicke state with half of the qubits 1, rounded down, by Bärtschi and Eidenbenz's blocks.

    |0…0⟩ → the equal superposition of all basis states of that weight; nothing is random. A
    rotation with two controls is two Toffoli gates, as it is published, so that compilers have
    something to find.

    References:
        Bärtschi and Eidenbenz, arXiv:1904.07358, figure 2.
    """
    ones = qubits // 2
    circuit = QuantumCircuit(qubits)
    circuit.x(range(qubits - ones, qubits))
    for last in range(qubits - 1, 0, -1):
        size = last + 1
        circuit.cx(last - 1, last)
        circuit.cry(2 * acos(sqrt(1 / size)), last, last - 1)
        circuit.cx(last - 1, last)
        for weight in range(2, min(ones, last) + 1):
            target = last - weight
            circuit.cx(target, last)
            half = acos(sqrt(weight / size))
            circuit.ry(half, target)
            circuit.ccx(last, target + 1, target)
            circuit.ry(-half, target)
            circuit.ccx(last, target + 1, target)
            circuit.cx(target, last)
    return circuit
