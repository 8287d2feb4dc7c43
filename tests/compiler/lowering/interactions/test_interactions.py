"""Circuits as interactions: exact rebuilds, commutation, merging."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Operator

from compiler.errors import LoweringError
from compiler.lowering.interactions.interactions import interactions_of
from compiler.lowering.interactions.merging import merged
from compiler.lowering.interactions.order import commute, direct_predecessors

QUARTER = np.pi / 4


def assert_same(first, second):
    np.testing.assert_allclose(Operator(first).data, Operator(second).data, atol=1e-7)


def random_order(predecessors, seed):
    """Return a random order that keeps every interaction behind its predecessors."""
    rng = np.random.default_rng(seed)
    left, order = list(range(len(predecessors))), []
    while left:
        ready = [i for i in left if not set(np.flatnonzero(predecessors[i])) & set(left)]
        order.append(int(rng.choice(ready)))
        left.remove(order[-1])
    return order


@given(st.integers(2, 5), st.integers(0, 10_000))
def test_rebuilds_exactly_in_any_order_and_merged(qubits, seed):
    circuit = random_circuit(qubits, 8, max_operands=2, seed=seed)
    found = interactions_of(circuit)
    fewer = merged(found)
    assert len(fewer) <= len(found)
    assert_same(found.circuit(), circuit)
    for product in (found, fewer):
        order = random_order(direct_predecessors(product), seed)
        assert_same(product.circuit([i] for i in order), circuit)


@given(st.integers(0, 10_000))
def test_commutation_is_that_of_the_unitaries(seed):
    rng = np.random.default_rng(seed)
    circuit = QuantumCircuit(3)
    for wires in ((0, 1), rng.permutation(3)[:2]):
        for wire in wires:
            circuit.append(circuit_gate(rng.integers(4)), [int(wire)])
        circuit.cx(*map(int, wires))
    found = interactions_of(circuit)
    first, second = (Operator(gate(found, i)).data for i in range(2))
    agreed = np.allclose(first @ second, second @ first)
    assert agreed == commute(found.pairs[0], found.axes[0], found.pairs[1], found.axes[1])


def circuit_gate(index):
    from qiskit.circuit.library import HGate, IGate, SXGate, TGate

    return (IGate(), HGate(), SXGate(), TGate())[index]


def gate(interactions, i):
    """Return one interaction as a circuit without the ends."""
    alone = QuantumCircuit(len(interactions.ends))
    low, high = map(int, interactions.pairs[i])
    alone.unitary(interactions.matrix([i], low), [low, high])
    return alone


def test_two_cx_of_a_phase_become_one_interaction():
    circuit = QuantumCircuit(3)
    circuit.cx(0, 1)
    circuit.cz(0, 2)
    circuit.rz(0.7, 1)
    circuit.cx(0, 1)
    fewer = merged(interactions_of(circuit))
    np.testing.assert_allclose(sorted(fewer.angles), [0.35, QUARTER], atol=1e-9)
    assert_same(fewer.circuit(), circuit)


def test_equal_pairs_vanish_past_what_commutes():
    circuit = QuantumCircuit(4)
    for wire in (1, 2, 3, 1):
        circuit.cz(0, wire)
    fewer = merged(interactions_of(circuit))
    np.testing.assert_array_equal(fewer.pairs, [[0, 2], [0, 3]])
    assert_same(fewer.circuit(), circuit)


def test_wide_gates_are_refused():
    circuit = QuantumCircuit(3)
    circuit.ccx(0, 1, 2)
    with pytest.raises(LoweringError, match="'ccx' on 3 qubits"):
        interactions_of(circuit)


def test_empty():
    found = merged(interactions_of(QuantumCircuit(2)))
    assert len(found) == 0
    assert_same(found.circuit(), QuantumCircuit(2))
