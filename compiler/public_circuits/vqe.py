"""Ansätze of the variational quantum eigensolver."""

from math import pi

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit.library import efficient_su2, real_amplitudes

from compiler.public_circuits.public_circuit import public_circuit

REPETITIONS = 3


@public_circuit("vqe-linear")
def vqe_linear(qubits: int, seed: int) -> QuantumCircuit:
    """Ansatz `efficient_su2`, CX between neighbours, three repetitions, random angles."""
    return _bound(efficient_su2(qubits, entanglement="linear", reps=REPETITIONS), seed)


@public_circuit("vqe-full")
def vqe_full(qubits: int, seed: int) -> QuantumCircuit:
    """Ansatz `real_amplitudes`, CX between all pairs, three repetitions, random angles."""
    return _bound(real_amplitudes(qubits, entanglement="full", reps=REPETITIONS), seed)


def _bound(ansatz: QuantumCircuit, seed: int) -> QuantumCircuit:
    angles = np.random.default_rng(seed).uniform(0, 2 * pi, ansatz.num_parameters)
    circuit: QuantumCircuit = ansatz.assign_parameters(angles.tolist())
    return circuit
