"""Greenberger, Horne and Zeilinger's state."""

from qiskit import QuantumCircuit

from compiler.public_circuits.public_circuit import public_circuit


@public_circuit("ghz")
def ghz(qubits: int, seed: int) -> QuantumCircuit:
    """GHZ state by a ladder of CX.

    |0…0⟩ → (|0…0⟩ + |1…1⟩)/√2 in `qubits` − 1 CX; nothing is random.
    """
    circuit = QuantumCircuit(qubits)
    circuit.h(0)
    circuit.cx(range(qubits - 1), range(1, qubits))
    return circuit
