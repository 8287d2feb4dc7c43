"""Random CX between random Clifford and T gates."""

import numpy as np
from qiskit import QuantumCircuit

from compiler.public_circuits.public_circuit import public_circuit
from compiler.public_circuits.random_cx import GATES

NAMES = ("h", "s", "sdg", "t", "tdg", "x")


@public_circuit("random-clifford-t")
def random_clifford_t(qubits: int, seed: int) -> QuantumCircuit:
    """Two hundred CX on random pairs, a random gate on each qubit before each.

    200 times: an ordered pair of qubits, uniformly (control first); one of h, s, sdg, t, tdg, x
    on the control and one on the target; then CX. All draws come in that order from NumPy's
    `default_rng(seed)`: `choice(qubits, 2, replace=False)`, then `integers(6, size=2)`.
    """
    random = np.random.default_rng(seed)
    circuit = QuantumCircuit(qubits)
    for _ in range(GATES):
        pair = random.choice(qubits, 2, replace=False).tolist()
        for qubit, kind in zip(pair, random.integers(len(NAMES), size=2).tolist(), strict=True):
            getattr(circuit, NAMES[kind])(qubit)
        circuit.cx(*pair)
    return circuit
