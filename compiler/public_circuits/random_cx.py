"""Random CX between random one-qubit gates."""

from math import pi

import numpy as np
from qiskit import QuantumCircuit

from compiler.public_circuits.public_circuit import WIDEST, public_circuit

GATES = 200
MANY_GATES = 1000


@public_circuit("random-cx")
def random_cx(qubits: int, seed: int) -> QuantumCircuit:
    """Two hundred CX on random pairs, random one-qubit gates before each.

    200 times: an ordered pair of qubits, uniformly (control first); a gate u(θ, φ, λ) on the
    control and one on the target, all angles uniform in [0, 2π); then CX. All draws come in that
    order from NumPy's `default_rng(seed)`: `choice(qubits, 2, replace=False)`, then
    `uniform(0, 2π, (2, 3))`.
    """
    return _random_cx(qubits, GATES, seed)


@public_circuit("random-cx-1000", range(5, WIDEST + 1))
def many_random_cx(qubits: int, seed: int) -> QuantumCircuit:
    """A thousand CX on random pairs, random one-qubit gates before each, as in `random-cx`."""
    return _random_cx(qubits, MANY_GATES, seed)


def _random_cx(qubits: int, gates: int, seed: int) -> QuantumCircuit:
    random = np.random.default_rng(seed)
    circuit = QuantumCircuit(qubits)
    for _ in range(gates):
        pair = random.choice(qubits, 2, replace=False).tolist()
        for qubit, angles in zip(pair, random.uniform(0, 2 * pi, (2, 3)).tolist(), strict=True):
            circuit.u(*angles, qubit)
        circuit.cx(*pair)
    return circuit
