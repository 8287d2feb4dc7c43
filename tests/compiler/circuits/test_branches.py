"""Tables of amplitudes, and branches of a state."""

from math import pi, sqrt

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.circuit.library import UnitaryGate
from qiskit.quantum_info import Statevector, random_unitary

from compiler.circuits import branches
from compiler.circuits.amplitude_table import AmplitudeTable
from compiler.circuits.branches import Branches
from compiler.circuits.gate_steps import steps_of
from compiler.errors import StateTooLargeError, VerificationError
from compiler.lowering.methods import lower_operators
from compiler.lowering.qiskit_level_3 import level_3
from compiler.measurement import final_measurements
from compiler.targets import target_from_spec
from compiler.verification.program import compared, outcome_distribution, program_state
from compiler.verification.simulation.blocks import merged
from compiler.verification.simulation.exact import branched_state, exact_state, played_in_order
from compiler.verification.simulation.sparse import SparseState, simulate
from games import encoded, named_game
from tests.compiler.verification.test_simulation import ANGLES, assert_same_up_to_phase, dense

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


@st.composite
def circuits(draw):
    """Up to 60 gates on two to eight qubits, some of them as wide as programs have them."""
    qubits = draw(st.integers(2, 8))
    circuit = QuantumCircuit(qubits)
    for _ in range(draw(st.integers(1, 60))):
        order = draw(st.permutations(range(qubits)))
        kinds = ["h", "ry", "rz", "x", "cx", "cz", "cx", "cz", "ch", "swap", "ccx", "barrier"]
        match draw(st.sampled_from(kinds)):
            case "ry" | "rz" as name:
                getattr(circuit, name)(draw(ANGLES), order[0])
            case "h" | "x" as name:
                getattr(circuit, name)(order[0])
            case "ccx" if qubits > 2:
                circuit.ccx(*order[:3])
            case "barrier":
                circuit.barrier()
            case "ccx":
                circuit.t(order[0])
            case name:
                getattr(circuit, name)(*order[:2])
    return circuit


def in_order_written(circuit, starts):
    """Return the branches of a circuit that begins in several basis states side by side."""
    qubits = range(circuit.num_qubits)
    branches = Branches(np.array([[s >> q & 1 for q in qubits] for s in starts], dtype=bool))
    branches.play(steps_of(circuit))
    branches.settle()
    return branches


@given(circuit=circuits(), data=st.data())
def test_random_circuits_agree_with_qiskit(circuit, data):
    qubits = circuit.num_qubits
    initial = data.draw(st.integers(0, (1 << qubits) - 1))
    wanted = Statevector.from_int(initial, 1 << qubits).evolve(circuit).data
    assert_same_up_to_phase(dense(branched_state(circuit, initial), qubits), wanted)
    assert_same_up_to_phase(dense(simulate(circuit, initial), qubits), wanted)
    if not initial:
        assert_same_up_to_phase(dense(exact_state(circuit), qubits), wanted)


@given(circuit=circuits(), data=st.data())
def test_runs_side_by_side_do_not_mix(circuit, data):
    """Each run has the amplitudes that it would have alone; runs may begin alike."""
    qubits = circuit.num_qubits
    starts = data.draw(st.lists(st.integers(0, (1 << qubits) - 1), min_size=1, max_size=6))
    branches = in_order_written(circuit, starts)
    for run, start in enumerate(starts):
        rows = branches.table.run_of == run
        state = SparseState(
            branches.table.bits(range(qubits))[rows], branches.table.amplitudes[rows]
        )
        wanted = Statevector.from_int(start, 1 << qubits).evolve(circuit).data
        assert_same_up_to_phase(dense(state, qubits), wanted)


@given(circuit=circuits(), data=st.data())
def test_merged_blocks_do_the_same_under_other_names(circuit, data):
    """Swaps vanish into names; what is merged and is no phase stays as it was."""
    qubits = circuit.num_qubits
    pair = data.draw(st.permutations(range(qubits)))[:2]
    for name in data.draw(st.lists(st.sampled_from(["swap", "cx", "iswap", "cz"]), max_size=4)):
        getattr(circuit, name)(*pair)
        circuit.ry(data.draw(ANGLES), pair[0])
    steps = [step for step in steps_of(circuit) if step.kind != "barrier"]
    short, place = merged(steps, qubits)
    assert sum(s.kind != "u" for s in short) <= sum(s.kind != "u" for s in steps)
    branches = Branches(np.zeros((1, qubits), dtype=bool))
    branches.play(short)
    branches.settle()
    table = branches.table
    found = dense(SparseState(table.bits(place), table.amplitudes), qubits)
    assert_same_up_to_phase(found, Statevector(circuit).data)


@given(circuit=circuits())
def test_the_best_order_has_every_gate_once_and_changes_nothing(circuit):
    qubits = circuit.num_qubits
    steps = [step for step in steps_of(circuit) if step.kind != "barrier"]
    order = played_in_order(Branches(np.zeros((1, qubits), dtype=bool)), steps)
    assert sorted(map(id, order)) == sorted(map(id, steps))
    for qubit in range(qubits):
        on_it = [step for step in steps if qubit in step.qubits]
        assert [step for step in order if qubit in step.qubits] == on_it


def test_samples_follow_the_amplitudes():
    circuit = QuantumCircuit(70)
    circuit.ry(2 * np.arcsin(sqrt(1 / 4)), 0)
    circuit.cx(0, 69)
    branches = Branches(np.zeros((20_000, 70), dtype=bool))
    branches.play(steps_of(circuit))
    found = branches.sample(np.random.default_rng(1))
    assert found.shape == (20_000, 70)
    assert (found[:, 0] == found[:, 69]).all()
    assert not found[:, 1:69].any()
    # The standard deviation is 61.
    assert abs(int(found[:, 0].sum()) - 5000) < 250
    assert len(branches.table.amplitudes) == 20_000


def test_measuring_early_keeps_what_agrees():
    """One of three qubits: the others follow, and amplitudes are normalised."""
    circuit = QuantumCircuit(3)
    circuit.ry(2 * np.arcsin(sqrt(1 / 4)), 0)
    circuit.cx(0, 1)
    circuit.h(2)
    branches = Branches(np.zeros((4000, 3), dtype=bool))
    branches.play(steps_of(circuit))
    branches.measure([0], np.random.default_rng(3))
    branches.settle()
    first, second, third = branches.table.bits(range(3)).T
    assert (first == second).all()
    assert len(branches.table.amplitudes) == 8000
    assert np.abs(branches.table.amplitudes) == pytest.approx(sqrt(1 / 2))
    # The standard deviation is 27.
    assert abs(len(set(branches.table.run_of[first])) - 1000) < 110
    assert third.sum() == 4000


def swaps(gadgets):
    """Swaps of pairs under one control, laid out gate by gate as a transpiler does."""
    circuit = QuantumCircuit(1 + 2 * gadgets)
    circuit.h(0)
    pairs = [(1 + 2 * i, 2 + 2 * i) for i in range(gadgets)]
    for a, b in pairs:
        circuit.x(a)
        circuit.ry(pi / 2, [a, b])
        circuit.cz(a, b)
    for a, b in pairs:
        for qubit in (a, b):
            circuit.ry(-pi / 4, qubit)
            circuit.cz(0, qubit)
            circuit.ry(pi / 4, qubit)
    for a, b in reversed(pairs):
        circuit.cz(a, b)
        circuit.ry(-pi / 2, [a, b])
    return circuit


def test_gadgets_are_finished_one_after_the_other():
    """In the order written each of them doubles the state before the first one is done."""
    circuit = swaps(24)
    state = branched_state(circuit, max_amplitudes=32)
    values = {sum(1 << i for i in np.flatnonzero(row)) for row in state.bits}
    first, second = (sum(1 << 1 + 2 * i + s for i in range(24)) for s in (0, 1))
    assert values == {first, second | 1}
    assert np.abs(state.amplitudes) == pytest.approx([sqrt(1 / 2)] * 2)
    start = np.zeros((1, circuit.num_qubits), dtype=bool)
    with pytest.raises(StateTooLargeError, match="the state has more than 4096 amplitudes"):
        Branches(start, max_amplitudes=4096).play(steps_of(circuit))


@pytest.mark.parametrize(
    "target", [pytest.param("star:59", marks=pytest.mark.full), "heavy-hex:torino"]
)
def test_routed_circuits_stay_small(target):
    gates, _ = final_measurements(encoded(named_game("skat-9"), "lists").circuit)
    lowered = level_3(lower_operators(gates, "cheapest"), target_from_spec(target), 0)
    state = branched_state(lowered.circuit, max_amplitudes=1 << 15)
    assert len(state.amplitudes) == 384


def test_bounds_are_kept():
    circuit = QuantumCircuit(8)
    for layer in range(6):
        for qubit in range(layer % 2, 7, 2):
            circuit.append(
                UnitaryGate(random_unitary(4, seed=layer * 8 + qubit)), [qubit, qubit + 1]
            )
    assert len(exact_state(circuit).amplitudes) == 256
    for engine in (branched_state, exact_state):
        with pytest.raises(StateTooLargeError, match="amplitudes"):
            engine(circuit, max_amplitudes=64)


@pytest.mark.parametrize("name", ["reset", "measure"])
def test_what_has_no_state_is_refused(name):
    circuit = QuantumCircuit(1, 1)
    getattr(circuit, name)(*([0, 0] if name == "measure" else [0]))
    with pytest.raises(StateTooLargeError, match=f"gate '{name}' cannot be simulated exactly"):
        branched_state(circuit)
