"""Controlled phases so slight that a compiler may take them for none."""

from itertools import combinations

from qiskit import QuantumCircuit

from compiler.public_circuits.public_circuit import public_circuit

ANGLE = 5e-5


@public_circuit("slight-phases")
def slight_phases(qubits: int, seed: int) -> QuantumCircuit:
    """Controlled phases of 5e-5 on all pairs of qubits in superposition.

    |0…0⟩ → Σ_x exp(5e-5·i·w(w − 1)/2)|x⟩/√2ⁿ where w is the number of ones in x; nothing is
    random. A Fourier transform on 48 qubits has 528 phases that are slighter.
    """
    circuit = QuantumCircuit(qubits)
    circuit.h(range(qubits))
    for a, b in combinations(range(qubits), 2):
        circuit.cp(ANGLE, a, b)
    return circuit
