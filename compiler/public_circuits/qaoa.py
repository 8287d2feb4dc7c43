"""The quantum approximate optimisation algorithm for MaxCut."""

from math import pi

import numpy as np
from qiskit import QuantumCircuit

from compiler.public_circuits.public_circuit import WIDEST, public_circuit

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
