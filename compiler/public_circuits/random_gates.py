"""Random circuits: CX between random gates, and quantum volume."""

from itertools import combinations

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit.library import quantum_volume

from compiler.public_circuits.public_circuit import WIDEST, append_random_cx, public_circuit

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
        append_random_cx(circuit, random.choice(qubits, 2, replace=False).tolist(), random)
    return circuit
