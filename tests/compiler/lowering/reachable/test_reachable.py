"""Reachable patterns and supports, against dense states."""

from math import pi

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Statevector, partial_trace

from compiler.circuits.branches import Branches
from compiler.errors import StateTooLargeError
from compiler.lowering.dont_care import Patterns
from compiler.lowering.reachable.clusters import Clusters, Reachable
from compiler.lowering.state_peephole.blocks import blocks_of

QUBITS = 5
NOT = np.eye(2, dtype=complex)[::-1]
SWAPPING = np.eye(4, dtype=complex)[[0, 3, 2, 1]]
"""A CX, the control being the first qubit."""


def two_qubit_blocks(seed):
    circuit = random_circuit(QUBITS, 6, max_operands=2, seed=seed)
    return circuit, blocks_of(circuit)


def lies_in(state, qubits, basis):
    """Tell whether a reduced state's support lies in the span of orthonormal columns."""
    others = [q for q in range(QUBITS) if q not in qubits]
    density = partial_trace(state, others).data
    if qubits[0] > qubits[1]:
        density = density[np.ix_([0, 2, 1, 3], [0, 2, 1, 3])]
    return np.allclose(basis @ (basis.conj().T @ density), density, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_patterns_cover_the_state(seed):
    circuit = random_circuit(QUBITS, 6, max_operands=4, seed=seed)
    patterns = Patterns(QUBITS)
    patterns.play(circuit, range(QUBITS))
    for key, weight in Statevector(circuit).probabilities_dict().items():
        bits = [int(bit) for bit in reversed(key)]
        for a in range(QUBITS):
            for b in range(QUBITS):
                assert weight < 1e-12 or patterns.pairs[a, b, bits[a], bits[b]]


@pytest.mark.parametrize(("width", "dimensions"), [(5, 32), (3, 4), (2, 1)])
@pytest.mark.parametrize("seed", [0])
def test_clusters_cover_the_state(seed, width, dimensions):
    _, blocks = two_qubit_blocks(seed)
    clusters, state = Clusters(width, dimensions), Statevector.from_label("0" * QUBITS)
    for block in blocks:
        clusters.apply(block.matrix, block.qubits)
        state = state.evolve(QuantumCircuit(QUBITS).compose(_unitary(block), block.qubits))
        for qubits in [(0, 1), (3, 2), (4, 0)]:
            assert lies_in(state, qubits, clusters.support(qubits))


def gadgets(seed):
    """Return ANDs up to a sign, begun, undone and whole, among coins and copies of them."""
    random = np.random.default_rng(seed)
    circuit = QuantumCircuit(QUBITS)
    circuit.h([0, 1])
    for _ in range(10):
        a, b, target = random.permutation(QUBITS)[:3].tolist()
        kind = random.integers(3)
        if kind == 0:
            circuit.ry(pi / 4, target)
            circuit.cz(a, target)
            circuit.ry(random.choice([pi / 4, -pi / 4]), target)
            circuit.cx(b, target)
        elif kind == 1:
            circuit.ry(-pi / 4, target)
            circuit.cz(a, target)
            circuit.ry(-pi / 4, target)
            circuit.cx(a, b)
        else:
            circuit.ry(-pi / 4, target)
            circuit.cz(a, target)
            circuit.ry(pi / 4, target)
            circuit.cz(b, target)
            circuit.ry(-pi / 4, target)
            circuit.cz(a, target)
            circuit.ry(pi / 4, target)
    return circuit


def test_a_state_in_rotated_bases_is_exact():
    # In the last one a frame is found for a qubit that has one already.
    for seed in (0, 1, 2, 140):
        _assert_is_exact(gadgets(seed))


def _assert_is_exact(circuit):
    found, state = Branches.zero(QUBITS), Statevector.from_label("0" * QUBITS)
    for item in circuit.data:
        qubits = [circuit.find_bit(qubit).index for qubit in item.qubits]
        found.apply(item.operation.to_matrix(), qubits)
        state = state.evolve(item.operation, qubits)
    for pair in [(0, 1), (3, 2), (4, 0), (1, 4)]:
        support = found.support(pair)
        assert lies_in(state, pair, support)
        density = partial_trace(state, [q for q in range(QUBITS) if q not in pair])
        assert support.shape[1] == np.linalg.matrix_rank(density, 1e-9)


def _unitary(block):
    circuit = QuantumCircuit(len(block.qubits))
    circuit.unitary(block.matrix, range(len(block.qubits)))
    return circuit


def entangle(reached, qubits):
    """Entangle disjoint pairs of qubits, as real products of rotations would not."""
    hadamard = np.array([[1, 1], [1, -1]], dtype=complex) / np.sqrt(2)
    for first, second in qubits:
        reached.apply(hadamard, [first])
        reached.apply(SWAPPING, [first, second])


def test_too_many_amplitudes_are_refused():
    state = Branches.zero(8, 4)
    entangle(state, [(7, 1), (3, 2)])
    with pytest.raises(StateTooLargeError, match="more than 4 amplitudes"):
        entangle(state, [(5, 4)])


def test_product_states_take_no_amplitudes():
    state, rotation = Branches.zero(100, 2), np.array([[0.6, -0.8], [0.8, 0.6]], dtype=complex)
    for qubit in range(100):
        state.apply(rotation, [qubit])
    np.testing.assert_allclose(np.abs(state.support([70])), [[0.6], [0.8]])


def test_what_is_known_of_single_qubits_outlives_the_state():
    reached, rotation = Reachable(10, 2), np.array([[0.6, -0.8], [0.8, 0.6]], dtype=complex)
    reached.apply(rotation, [9])
    entangle(reached, [(0, 1)])
    assert reached.support([0, 1]).shape == (4, 1)
    entangle(reached, [(2, 3)])
    assert reached.support([0, 1]).shape == (4, 4)
    assert reached.support([2, 3]).shape == (4, 1)
    np.testing.assert_allclose(np.abs(reached.support([9])), [[0.6], [0.8]])
    assert reached.support([4]).tolist() == [[1], [0]]
    reached.forget([9])
    assert reached.support([9]).shape == (2, 2)


def test_a_state_on_many_qubits_is_exact():
    """Basis states of more than 64 qubits, some of them 1, and gates with controls."""
    state = Branches.zero(302, 4)
    for qubit in range(40):
        state.apply(NOT, [qubit])
        state.apply(SWAPPING, [qubit, 100 + qubit])
    state.apply(np.array([[1, 1], [1, -1]], dtype=complex) / np.sqrt(2), [200])
    for qubit in range(201, 299):
        state.apply(SWAPPING, [200, qubit])
    state.apply(NOT, [300], [0, 139])
    for ones in [(0, 100), (39, 139), (7, 300)]:
        np.testing.assert_allclose(np.abs(state.support(ones)), [[0], [0], [0], [1]], atol=1e-12)
    assert np.linalg.matrix_rank(state.support([200, 298])) == 2
    state.apply(NOT, [0])
    state.apply(NOT, [301], [0, 139])
    np.testing.assert_allclose(np.abs(state.support([0, 301])), [[1], [0], [0], [0]], atol=1e-12)
