"""Variational circuits, and time evolution."""

from math import pi

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit.library import efficient_su2, real_amplitudes

from compiler.public_circuits.public_circuit import WIDEST, public_circuit

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
    return ansatz.assign_parameters(angles.tolist())


STEPS = 5
ANGLE = 0.2


@public_circuit("heisenberg", range(5, WIDEST + 1))
def heisenberg(qubits: int, seed: int) -> QuantumCircuit:
    """Heisenberg chain by five Trotter steps, from the Néel state |…0101⟩.

    A step is exp(−iθ(X⊗X + Y⊗Y + Z⊗Z)/2) with θ = 0.2 on all pairs of neighbours, first those
    (0, 1), (2, 3), …, then (1, 2), (3, 4), …; nothing is random.
    """
    circuit = QuantumCircuit(qubits)
    circuit.x(range(0, qubits, 2))
    for _ in range(STEPS):
        for first in (0, 1):
            for a in range(first, qubits - 1, 2):
                circuit.rxx(ANGLE, a, a + 1)
                circuit.ryy(ANGLE, a, a + 1)
                circuit.rzz(ANGLE, a, a + 1)
    return circuit


ROUNDS = 2
DEGREE = 3


@public_circuit("qaoa", range(6, WIDEST + 1, 2))
def qaoa(qubits: int, seed: int) -> QuantumCircuit:
    """QAOA for MaxCut on a random 3-regular graph, two rounds.

    A round is exp(−iγ Z⊗Z/2) on every edge and RX(2β) on every qubit, both angles random from
    [0, 2π). The graph joins shuffled half-edges in pairs, again until it is simple.
    """
    random = np.random.default_rng(seed)
    edges = _regular_graph(qubits, random)
    circuit = QuantumCircuit(qubits)
    circuit.h(range(qubits))
    for gamma, beta in random.uniform(0, 2 * pi, (ROUNDS, 2)).tolist():
        for a, b in edges:
            circuit.rzz(gamma, a, b)
        circuit.rx(2 * beta, range(qubits))
    return circuit


def _regular_graph(nodes: int, random: np.random.Generator) -> list[tuple[int, int]]:
    while True:
        halves = random.permutation(np.repeat(np.arange(nodes), DEGREE)).reshape(-1, 2)
        edges = {(min(a, b), max(a, b)) for a, b in halves.tolist() if a != b}
        if len(edges) == DEGREE * nodes // 2:
            return sorted(edges)
