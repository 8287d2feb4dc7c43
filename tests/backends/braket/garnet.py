"""Circuits on Garnet's qubits, for tests."""

from math import pi

from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, QuantumRegister

from backends import CircuitJob

PLACES = (0, 1, 3)
"""Qubits of Garnet's larger group, the first of which is coupled to both others."""


def native(circuit: QuantumCircuit, places=PLACES) -> QuantumCircuit:
    """Return a circuit on some of Garnet's qubits."""
    wide = QuantumCircuit(QuantumRegister(20, "q"), *circuit.cregs, name=circuit.name)
    return wide.compose(circuit, places[: circuit.num_qubits], wide.clbits)


def job(circuit: QuantumCircuit, shots: int = 1000) -> CircuitJob:
    return CircuitJob(circuit, "iqm:garnet", shots, seed=1)


def started(qubits: int = 2, bits: int = 2) -> QuantumCircuit:
    circuit = QuantumCircuit(QuantumRegister(qubits, "q"), ClassicalRegister(bits, "c"))
    circuit.r(1.1, 0.3, 0)
    return circuit


def steered() -> QuantumCircuit:
    circuit = started()
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.r(pi, 0.0, 1)
    circuit.measure(1, 1)
    return circuit


def machine_circuit() -> QuantumCircuit:
    circuit = QuantumCircuit(20, 3)
    circuit.r(pi, 0.25, 4)
    circuit.barrier()
    circuit.cz(1, 4)
    circuit.measure([4, 1], [0, 2])
    return circuit
