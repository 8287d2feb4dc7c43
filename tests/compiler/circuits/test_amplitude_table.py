"""Fingerprints of basis states: equal ones must never stand for different states."""

from math import sqrt

import numpy as np
import pytest
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from compiler.circuits import branches
from compiler.circuits.amplitude_table import AmplitudeTable
from compiler.errors import VerificationError
from compiler.verification.program import compared, outcome_distribution, program_state
from compiler.verification.simulation.exact import branched_state
from tests.compiler.verification.simulation.states import assert_same_up_to_phase, dense

WIDE = 66


def colliding(marks):
    """Return places of which the marks cancel out, by Gaussian elimination over GF(2)."""
    basis = {}
    for place, mark in enumerate(map(int, marks)):
        left, members = mark, {place}
        while left:
            if (top := left.bit_length()) not in basis:
                basis[top] = left, members
                break
            left, members = left ^ basis[top][0], members ^ basis[top][1]
        else:
            return sorted(members)
    raise AssertionError("the marks are independent")


@pytest.fixture
def collision():
    """Qubits of a wide circuit whose marks cancel out, and one that is not among them."""
    marks = AmplitudeTable.of(np.zeros((1, WIDE), dtype=bool), 1).marks
    chain = colliding(marks)
    assert not np.bitwise_xor.reduce(marks[chain])
    return chain, next(qubit for qubit in range(WIDE) if qubit not in chain)


def entangled(chain, last):
    """Return a circuit that is all 0 or all 1 on some qubits, and reads two of them."""
    circuit = QuantumCircuit(WIDE, 2)
    circuit.h(chain[0])
    for a, b in zip(chain, [*chain[1:], last], strict=True):
        circuit.cx(a, b)
    circuit.measure([chain[0], last], [0, 1])
    return circuit


def test_states_whose_fingerprints_collide_are_told_apart(collision):
    chain, last = collision
    program = entangled(chain, last)
    found = outcome_distribution(program, program_state(program))
    assert found == pytest.approx({0b00: 0.5, 0b11: 0.5})


def test_a_circuit_that_only_looks_right_by_its_fingerprints_is_refused(collision):
    chain, last = collision
    program = entangled(chain, last)
    wrong = QuantumCircuit(WIDE, 2)
    wrong.h(last)
    wrong.measure([chain[0], last], [0, 1])
    with pytest.raises(VerificationError):
        compared(program, program_state(program), wrong, tuple(range(WIDE)))


def test_gates_after_a_collision_see_both_states(collision):
    chain, last = collision
    circuit = entangled(chain, last).remove_final_measurements(inplace=False)
    circuit.h(last)
    circuit.cz(last, chain[0])
    state = branched_state(circuit)
    row = {(bool(bits[last]), bool(bits[chain[0]])): a for bits, a in
           zip(state.bits, state.amplitudes, strict=True)}  # fmt: skip
    assert all(bits[chain].all() or not bits[chain].any() for bits in state.bits)
    phase = row[False, False] / abs(row[False, False])
    wanted = {(False, False): 0.5, (True, False): 0.5, (False, True): 0.5, (True, True): 0.5}
    assert {key: a / phase for key, a in row.items()} == pytest.approx(wanted)


@pytest.mark.parametrize("seed", range(6))
def test_fingerprints_that_tell_nothing_change_no_state(monkeypatch, seed):
    class Blind(AmplitudeTable):
        @classmethod
        def of(cls, start, max_amplitudes):
            table = AmplitudeTable.of(start, max_amplitudes)
            return evolve(table, marks=0 * table.marks, keys=0 * table.keys)

    monkeypatch.setattr(branches, "AmplitudeTable", Blind)
    random = np.random.default_rng(seed)
    circuit = QuantumCircuit(5)
    for _ in range(30):
        a, b = map(int, random.permutation(5)[:2])
        circuit.ry(float(random.choice([0.3, np.pi / 2, np.pi])), a)
        circuit.rz(float(random.normal()), b)
        circuit.cx(a, b)
    state = branched_state(circuit)
    assert_same_up_to_phase(dense(state, 5), Statevector(circuit).data)


HADAMARD = np.array([[1, 1], [1, -1]], dtype=complex) * sqrt(1 / 2)


def test_runs_whose_fingerprints_agree_do_not_mix():
    table = AmplitudeTable.of(np.zeros((2, 3), dtype=bool), 8)
    table = evolve(table, keys=0 * table.keys)
    frames = np.stack([HADAMARD, HADAMARD @ np.diag([1, -1]) @ HADAMARD @ HADAMARD])
    table.turn([0], frames)
    assert sorted(table.run_of) == [0, 0, 1, 1]
    twice = table.copy()
    basis, good = table.straighten(0) or pytest.fail("every row has its partner")
    assert good.all()
    assert sorted(table.run_of) == [0, 1]
    np.testing.assert_allclose(np.abs(table.amplitudes), 1)
    for run, column in enumerate(frames[:, :, 0]):
        np.testing.assert_allclose(np.sort(np.abs(basis[run] @ column)), [0, 1], atol=1e-12)
    twice.turn([0], frames.conj().mT.copy())
    assert sorted(twice.run_of) == [0, 1]
    np.testing.assert_allclose(twice.amplitudes, 1)
    assert not twice.bits(range(3)).any()


def test_runs_that_one_basis_does_not_fit_keep_their_rows():
    table = AmplitudeTable.of(np.zeros((3, 3), dtype=bool), 16)
    table.turn([0], HADAMARD[None])
    table.turn([1], np.stack([np.eye(2), HADAMARD, HADAMARD]).astype(complex))
    angles = np.array([[1, 1], [1, 1j]])
    table.times_where(0, 1, angles)  # entangles the runs in which both qubits are open
    basis, good = table.straighten(0) or pytest.fail("the first run is a product")
    assert good.tolist() == [True, False, False]
    assert np.bincount(table.run_of).tolist() == [1, 4, 4]
    table.turn([0], np.where(good[:, None, None], basis.conj().mT, np.eye(2)).copy())
    table.times_where(0, 1, angles.conj())
    table.turn([0], HADAMARD[None])
    table.turn([1], np.stack([np.eye(2), HADAMARD, HADAMARD]).astype(complex))
    assert sorted(table.run_of) == [0, 1, 2]
    assert not table.bits(range(3)).any()
    np.testing.assert_allclose(table.amplitudes, 1)
