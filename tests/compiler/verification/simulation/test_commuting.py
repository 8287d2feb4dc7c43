"""Circuits simulated in an order in which gates that commute have changed places."""

from math import pi

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector, random_unitary

from compiler.circuits.gate_steps import steps_of
from compiler.circuits.matrices import SWAP
from compiler.errors import StateTooLargeError
from compiler.verification.simulation.blocks import as_turn
from compiler.verification.simulation.exact import branched_state, commuted_state, exact_state
from compiler.verification.simulation.rotations import rotations_of, runs_of
from tests.compiler.verification.simulation.states import assert_same_up_to_phase, dense


def random_circuit(qubits, gates, seed):
    """Gates of every kind, many of which commute, swaps, and swaps with the gates beside them."""
    random, circuit = np.random.default_rng(seed), QuantumCircuit(qubits)
    for _ in range(gates):
        a, b = (int(q) for q in random.permutation(qubits)[:2])
        match int(random.integers(6)):
            case 0:
                circuit.u(*random.random(3) * pi, a)
            case 1:
                circuit.cx(a, b)
            case 2:
                circuit.cz(a, b)
            case 3:
                circuit.rzz(float(random.random()), a, b)
            case 4:
                circuit.swap(a, b)
            case _:
                # A swap that a peephole has made short: the same where one of the two is |0⟩.
                circuit.cx(a, b)
                circuit.cx(b, a)
    return circuit


@pytest.mark.parametrize("seed", range(12))
def test_states_are_what_they_are(seed):
    circuit = random_circuit(6, 40, seed)
    assert_same_up_to_phase(dense(commuted_state(circuit), 6), Statevector(circuit).data)


def gadgets(count):
    """Pairs that are entangled and freed again, and meet one qubit while they are.

    All first meetings come before all second ones, which commute with them.
    """
    circuit = QuantumCircuit(2 * count + 1)
    circuit.h(0)
    for one in range(count):
        a, b = 2 * one + 1, 2 * one + 2
        circuit.h(a)
        circuit.cx(a, b)
        circuit.cz(0, a)
    for one in range(count):
        a, b = 2 * one + 1, 2 * one + 2
        circuit.cz(0, b)
        circuit.cx(a, b)
        circuit.h(a)
    return circuit


def test_what_commutes_is_played_pair_by_pair():
    circuit = gadgets(10)
    with pytest.raises(StateTooLargeError):
        branched_state(circuit, max_amplitudes=64)
    state = commuted_state(circuit, max_amplitudes=64)
    assert state.bits.sum(axis=0).tolist() == [1, *[0] * 20]
    assert np.abs(state.amplitudes) == pytest.approx([0.5**0.5] * 2)
    assert len(exact_state(circuit, max_amplitudes=64).amplitudes) == 2


def test_runs_hold_what_commutes():
    circuit = QuantumCircuit(3)
    circuit.cx(0, 1)
    circuit.cz(0, 2)
    circuit.z(0)
    circuit.cx(0, 2)
    circuit.h(0)
    circuit.cz(0, 1)
    rotations, last = rotations_of(steps_of(circuit), 3)
    assert [one.qubits for one in rotations] == [(0, 1), (0, 2), (0, 2), (0, 1)]
    assert runs_of(rotations, 3) == [[[0, 1, 2], [3]], [[0], [3]], [[1], [2]]]
    assert [step.kind for step in last] == ["u"] * 3


def of_two(low, high):
    return np.kron(high, low)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("fresh", [0, 1])
def test_a_fresh_qubit_is_turned_whatever_a_block_does_elsewhere(seed, fresh):
    random = np.random.default_rng(seed)
    local = [random_unitary(2, seed=100 * seed + i).data for i in range(6)]
    phases = np.array([1, -1, -1, 1])
    angle = (0.0, pi / 4, float(random.random()))[seed % 3]
    before, here = local[4], np.outer(local[4][:, 0], local[4][:, 0].conj())
    block = of_two(*local[:2]) @ np.diag(np.exp(1j * angle * phases)) @ of_two(*local[2:4])
    both = (here, np.eye(2)), (np.eye(2) - here, local[5])
    block = block @ sum(of_two(*pair[:: 1 - 2 * fresh]) for pair in both)
    steps = as_turn((4, 2), block, fresh, before)
    assert steps is not None
    assert sum(step.kind == "zz" for step in steps) == (angle > 0)
    made = np.eye(4, dtype=complex)
    for step in steps:
        if step.kind == "zz":
            made = np.diag(np.exp(1j * step.angle * phases)) @ made
        else:
            pair = (step.matrix, np.eye(2))
            made = of_two(*pair[:: 1 if step.qubits == (4,) else -1]) @ made
    inputs = of_two(*(before[:, :1], np.eye(2))[:: 1 - 2 * fresh])
    assert abs(np.vdot(block @ inputs, made @ inputs)) == pytest.approx(2)


def test_a_block_that_does_more_is_no_turn():
    assert as_turn((0, 1), random_unitary(4, seed=1).data, 0, np.eye(2, dtype=complex)) is None
    assert as_turn((0, 1), SWAP, 0, np.eye(2, dtype=complex)) is None
