"""Equivalence block by block: stretches, condensed circuits, and normal forms."""

from math import pi

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit, transpile
from qiskit.circuit.library import UnitaryGate
from qiskit.quantum_info import Operator, random_unitary

from compiler.circuits.amplitude_table import AmplitudeTable
from compiler.circuits.branches import Branches
from compiler.circuits.gate_steps import steps_of
from compiler.errors import StateTooLargeError
from compiler.lowering import Draft
from compiler.lowering.draft import Setting
from compiler.lowering.pipeline import pipelines
from compiler.lowering.qiskit_level_3 import level_3
from compiler.public_circuits import circuit_from_spec
from compiler.synthesis.operator import example_of
from compiler.synthesis.segments import WITHIN, cuts, segments
from compiler.targets import target_from_spec
from compiler.verification.block_matching import verdict_by_blocks
from compiler.verification.equivalence import verdict_by_rotations, verdict_by_structure
from compiler.verification.layouts import undo_layout
from compiler.verification.operator_proofs.condensing import Condensed
from compiler.verification.operator_proofs.played_parts import parts_of, stretches_of

TORINO = target_from_spec("heavy-hex:torino")


def lowered(program: QuantumCircuit) -> Draft:
    """Return what our own router makes of a circuit."""
    made = pipelines["sweep"].lower(program, Setting(TORINO, any_input=True, budget=4))
    return Draft(made.circuit, made.initial_layout, made.final_layout)


def ising(qubits: int, steps: int) -> QuantumCircuit:
    chance, program = np.random.default_rng(0), QuantumCircuit(qubits)
    for angle in chance.uniform(0.1, 1.4, steps):
        for first in (0, 1):
            for a in range(first, qubits - 1, 2):
                program.rzz(float(angle), a, a + 1)
        program.rx(float(angle) / 2, range(qubits))
    return program


def random_blocks(qubits: int, blocks: int, seed: int) -> QuantumCircuit:
    """Return unitaries on random pairs, which have no angles that could be recognised."""
    chance, program = np.random.default_rng(seed), QuantumCircuit(qubits)
    for number in range(blocks):
        pair = chance.choice(qubits, 2, replace=False).tolist()
        program.append(UnitaryGate(random_unitary(4, seed=1000 * seed + number)), pair)
    return program


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(ising(100, 2), marks=pytest.mark.full),
        pytest.param(random_blocks(30, 60, seed=1), marks=pytest.mark.full),
        circuit_from_spec("qft:30", 0),
        circuit_from_spec("qaoa:30", 0),
    ],
    ids=["ising", "unitaries", "qft", "qaoa"],
)
def test_wide_circuits_of_our_router_are_proven(program):
    draft = lowered(program)
    assert verdict_by_structure(program, draft).verified == "exact"
    a, b, *rest = draft.final_layout
    assert verdict_by_structure(program, evolve(draft, final_layout=(b, a, *rest))).verified == (
        "unverified"
    )


@pytest.mark.parametrize("spec", ["qft:16", "random-cx:6"])
def test_circuits_of_qiskit_are_proven(spec):
    program = circuit_from_spec(spec, 0)
    draft = level_3(program, TORINO, 0, any_input=True)
    assert verdict_by_blocks(program, draft).verified == "exact"


@given(st.integers(0, 10**6))
def test_only_what_does_the_same_is_called_exact(seed):
    chance = np.random.default_rng(seed)
    program = QuantumCircuit(5)
    for _ in range(12):
        a, b = chance.choice(5, 2, replace=False).tolist()
        match int(chance.integers(5)):
            case 0:
                program.cp(float(chance.uniform(0, pi)), a, b)
            case 1:
                program.rzz(float(chance.uniform(0, pi)), a, b)
            case 2:
                program.swap(a, b)
            case 3:
                program.cx(a, b)
            case _:
                program.ry(float(chance.uniform(0, pi)), a)
    draft = level_3(program, target_from_spec("star:5"), 0, any_input=True)
    right = Operator(program)
    for place in range(0, len(draft.circuit.data), 7):
        broken = draft.circuit.copy()
        if chance.integers(2):
            del broken.data[place]
        else:
            broken.data.insert(place, broken.data[int(chance.integers(len(broken.data)))])
        if verdict_by_blocks(program, evolve(draft, circuit=broken)).verified == "exact":
            undone = undo_layout(broken, draft.initial_layout, draft.final_layout)
            assert Operator(undone).equiv(right)


def test_a_qubit_beside_must_end_as_it_began():
    program = QuantumCircuit(2)
    program.cz(0, 1)
    native = QuantumCircuit(3)
    native.cz(0, 1)
    assert verdict_by_blocks(program, Draft(native, (0, 1), (0, 1))).verified == "exact"
    native.x(2)
    assert verdict_by_blocks(program, Draft(native, (0, 1), (0, 1))).verified == "unverified"


def test_a_qubit_may_go_where_nothing_is():
    program = QuantumCircuit(2)
    program.cz(0, 1)
    native = QuantumCircuit(3)
    native.cz(0, 1)
    native.cx(1, 2)
    native.cx(2, 1)
    assert verdict_by_blocks(program, Draft(native, (0, 1), (0, 2))).verified == "exact"
    assert verdict_by_blocks(program, Draft(native, (0, 1), (0, 1))).verified == "unverified"


def test_gates_that_do_not_commute_may_not_change_places():
    program = QuantumCircuit(3)
    program.rzz(0.3, 0, 1)
    program.rxx(0.4, 1, 2)
    other = QuantumCircuit(3)
    other.rxx(0.4, 1, 2)
    other.rzz(0.3, 0, 1)
    places = (0, 1, 2)
    assert verdict_by_blocks(program, Draft(other, places, places)).verified == "unverified"
    assert verdict_by_blocks(program, Draft(program, places, places)).verified == "exact"
    commuting, turned = QuantumCircuit(3), QuantumCircuit(3)
    for circuit, order in ((commuting, (0, 1)), (turned, (1, 0))):
        for first in order:
            circuit.rzz(0.3, first, first + 1)
    assert verdict_by_blocks(commuting, Draft(turned, places, places)).verified == "exact"


DEAL = example_of("list: 2 of 4 known cards")


def lowered_stretches(*labels):
    """Return a circuit whose qubits change places before each barrier."""
    circuit = QuantumCircuit(DEAL.num_qubits)
    order = list(range(circuit.num_qubits))
    for label in labels:
        circuit.cx(order[0], order[1])
        order = order[1:] + order[:1]
        circuit.barrier(order, label=label)
    return circuit


def program():
    """Return two deals with a barrier after each."""
    circuit = QuantumCircuit(DEAL.num_qubits)
    for _ in range(2):
        circuit.append(DEAL, range(circuit.num_qubits))
        circuit.barrier()
    return circuit


def test_every_barrier_says_where_all_qubits_are():
    ends = list(range(DEAL.num_qubits))
    parts, places = parts_of(lowered_stretches(None, WITHIN), DEAL.num_qubits, (ends, ends))
    assert len(parts) == 3
    assert [list(place)[:2] for place in places] == [[0, 1], [1, 2], [2, 3], [0, 1]]


def test_barriers_within_an_operator_cut_it_into_parts():
    circuit = lowered_stretches(WITHIN, None, None)
    ends = range(DEAL.num_qubits)
    within = list(cuts(circuit, circuit.num_qubits))
    assert within == [True, False, False]
    stretches = stretches_of(program(), circuit, ends, ends, within)
    assert [len(stretch.parts) for stretch in stretches] == [2, 1, 1]
    assert [stretch.operator for stretch in stretches] == [DEAL, DEAL, None]
    assert stretches[0].places[-1] == stretches[1].places[0]


@pytest.mark.parametrize("within", [[False, False], [True, True, False], [False, False, False]])
def test_other_barriers_than_were_there_are_no_proof(within):
    ends = range(DEAL.num_qubits)
    with pytest.raises(StateTooLargeError, match="are lost"):
        stretches_of(program(), lowered_stretches(WITHIN, None, None), ends, ends, within)


def test_segments_are_all_that_is_between_barriers():
    circuit = lowered_stretches(None, WITHIN)
    circuit.barrier(0)
    circuit.x(0)
    circuit.global_phase = 1
    found = segments(circuit, circuit.num_qubits)
    assert [dict(segment.count_ops()) for segment in found] == [
        {"cx": 1}, {"cx": 1}, {"barrier": 1, "x": 1},
    ]  # fmt: skip
    assert [segment.global_phase for segment in found] == [1, 0, 0]


QUBITS = 6


def lowered_toy(circuit, seed=0):
    basis = ["cz", "rz", "sx", "x"] if seed % 2 else ["cx", "u"]
    return transpile(
        circuit, basis_gates=basis, optimization_level=seed % 3 + 1, seed_transpiler=seed,
        qubits_initially_zero=False,
    )  # fmt: skip


def inputs(count, seed=0):
    return np.random.default_rng(seed).random((count, QUBITS)) < 0.5


def off(circuit, starts, columns):
    """Return by how much an amplitude is off at most, up to a phase that all have in common."""
    # Qiskit is the reference; its bit order is ours.
    expected = Operator(circuit).data[:, starts @ (1 << np.arange(QUBITS))].T
    overlap = np.vdot(expected.ravel(), columns.ravel())
    return np.abs(columns - expected * overlap / abs(overlap)).max()


def played(circuit, starts):
    """Return the columns of a circuit's unitary for some basis states, played as pieces."""
    condensed = Condensed.of(steps_of(circuit), starts[: len(starts) // 2])
    branches = Branches(starts)
    condensed.play(branches)
    branches.settle()
    table = branches.table
    columns = np.zeros((len(starts), 1 << QUBITS), dtype=complex)
    states = table.bits(range(QUBITS)) @ (1 << np.arange(QUBITS))
    columns[table.run_of, states] = table.amplitudes
    return condensed, columns


@pytest.mark.parametrize("seed", range(12))
def test_random_reversible_logic_with_coins_is_as_its_unitary(seed):
    random = np.random.default_rng(seed)
    circuit = QuantumCircuit(QUBITS)
    for _ in range(14):
        kind = random.integers(5)
        a, b, c = map(int, random.permutation(QUBITS)[:3])
        if kind == 0:
            circuit.ccx(a, b, c)
        elif kind == 1:
            circuit.cswap(a, b, c)
        elif kind == 2:
            circuit.cry(random.uniform(-3, 3), a, b)
        elif kind == 3:
            circuit.ch(a, b)
        else:
            circuit.u(*random.uniform(-3, 3, 3), a)
    native = lowered_toy(circuit, seed)
    starts = inputs(20, seed)
    _, columns = played(native, starts)
    assert off(native, starts, columns) < 1e-9


def test_toffoli_gates_become_renamings():
    circuit = QuantumCircuit(QUBITS)
    for place in range(QUBITS - 2):
        circuit.ccx(place, place + 1, place + 2)
    native = lowered_toy(circuit)
    condensed, _ = played(native, inputs(64))
    assert 2 * len(condensed.pieces) < native.size()
    assert all(piece.images is not None for piece in condensed.pieces)


def test_an_angle_that_is_off_is_kept():
    circuit = QuantumCircuit(QUBITS)
    circuit.ccx(0, 1, 2)
    native = lowered_toy(circuit)
    for place, item in enumerate(native.data):
        if item.name == "u":
            theta, *others = item.operation.params
            native.data[place] = item.replace(operation=type(item.operation)(theta + 1e-6, *others))
            break
    starts = inputs(32)
    _, columns = played(native, starts)
    assert off(native, starts, columns) < 1e-12
    assert off(circuit, starts, columns) > 1e-7


@given(st.integers(0, 2**32))
def test_a_table_mixes_and_renames_as_matrices_do(seed):
    random = np.random.default_rng(seed)
    table = AmplitudeTable.of(np.zeros((1, QUBITS), dtype=bool), 1 << QUBITS)
    state = np.zeros((2,) * QUBITS, dtype=complex)
    state[(0,) * QUBITS] = 1
    for _ in range(6):
        qubits = list(map(int, random.permutation(QUBITS)[: random.integers(1, 4)]))
        size = 1 << len(qubits)
        if random.random() < 0.5:
            made = random.normal(size=(2, size, size))
            matrix = np.linalg.qr(made[0] + 1j * made[1])[0]
            table.turn(qubits, matrix[None])
        else:
            images, phases = random.permutation(size), np.exp(1j * random.uniform(size=size))
            matrix = np.zeros((size, size), dtype=complex)
            matrix[images, np.arange(size)] = phases
            table.rename(qubits, images, phases)
        axes = [QUBITS - 1 - qubit for qubit in reversed(qubits)]
        moved = np.moveaxis(state, axes, range(len(qubits)))
        moved = (matrix @ moved.reshape(size, -1)).reshape(moved.shape)
        state = np.moveaxis(moved, range(len(qubits)), axes)
    found = np.zeros(1 << QUBITS, dtype=complex)
    found[table.bits(range(QUBITS)) @ (1 << np.arange(QUBITS))] = table.amplitudes
    assert np.abs(found - state.ravel()).max() < 1e-9


@pytest.mark.parametrize(
    "spec", ["qft:8", "qaoa:20", "random-clifford-t:10", "adder:10", "grover:5"]
)
def test_routed_circuits_are_proven(spec):
    program = circuit_from_spec(spec, 0)
    assert verdict_by_rotations(program, level_3(program, TORINO, 0)).verified == "exact"


@pytest.mark.full
def test_a_wide_circuit_is_proven_and_a_small_angle_is_not():
    program = ising(120, 2)
    draft = level_3(program, TORINO, 0)
    assert verdict_by_rotations(program, draft).verified == "exact"
    wrong = draft.circuit.copy()
    wrong.rz(1e-6, draft.final_layout[7])
    assert verdict_by_rotations(program, evolve(draft, circuit=wrong)).verified == "unverified"
    a, b, *rest = draft.final_layout
    swapped = evolve(draft, final_layout=(b, a, *rest))
    assert verdict_by_rotations(program, swapped).verified == "unverified"


def test_only_harmless_faults_are_called_exact():
    program = circuit_from_spec("random-clifford-t:5", 0)
    draft = level_3(program, target_from_spec("star:5"), 0)
    right = Operator(undo_layout(draft.circuit, draft.initial_layout, draft.final_layout))
    for place in range(0, len(draft.circuit.data), 40):
        broken = draft.circuit.copy()
        del broken.data[place]
        made = evolve(draft, circuit=broken)
        if verdict_by_rotations(program, made).verified == "exact":
            harmless = Operator(undo_layout(broken, made.initial_layout, made.final_layout))
            assert harmless.equiv(right)
