"""Quantum volume's model circuits."""

from qiskit import QuantumCircuit
from qiskit.circuit.library import quantum_volume

from compiler.public_circuits.public_circuit import public_circuit


@public_circuit("quantum-volume")
def model_circuit(qubits: int, seed: int) -> QuantumCircuit:
    """Quantum volume model circuit, as deep as it is wide.

    In each of n layers the qubits are paired at random and every pair gets a Haar-random
    two-qubit gate, of three CX each.

    References:
        Cross, Bishop, Sheldon, Nation and Gambetta, arXiv:1811.12926.
    """
    circuit: QuantumCircuit = quantum_volume(qubits, seed=seed)
    return circuit.decompose("unitary")
