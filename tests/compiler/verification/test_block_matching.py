"""Equivalence block by block: stretches, condensed circuits, and normal forms."""

from math import pi

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit, transpile
from qiskit.quantum_info import Operator

from compiler.circuits.branches import Branches
from compiler.circuits.gate_steps import steps_of
from compiler.lowering import Draft
from compiler.lowering.draft import Setting
from compiler.lowering.pipeline import pipelines
from compiler.lowering.qiskit_level_3 import level_3
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec
from compiler.verification.block_matching import brought_together, verdict_by_blocks
from compiler.verification.equivalence import verdict_by_rotations, verdict_by_structure
from compiler.verification.layouts import undo_layout
from compiler.verification.operator_proofs.condensing import Condensed
from compiler.verification.two_qubit_blocks import Blocks

TORINO = target_from_spec("heavy-hex:torino")


def lowered(program: QuantumCircuit) -> Draft:
    """Return what our own router makes of a circuit."""
    made = pipelines["sweep"].lower(program, Setting(TORINO, any_input=True, budget=4))
    return Draft(made.circuit, made.initial_layout, made.final_layout)


@pytest.mark.parametrize("spec", ["qft:30", pytest.param("qaoa:30", marks=pytest.mark.full)])
def test_wide_circuits_of_our_router_are_proven(spec):
    program = circuit_from_spec(spec, 0)
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
            undone = undo_layout(evolve(draft, circuit=broken))
            assert Operator(undone).equiv(right)


def unitary_of(blocks: Blocks) -> Operator:
    circuit = QuantumCircuit(len(blocks.ends))
    for pair, unitary in zip(blocks.pairs, blocks.unitaries, strict=True):
        circuit.unitary(unitary, pair)
    for wire, end in enumerate(blocks.ends):
        circuit.unitary(end, [wire])
    return Operator(circuit)


@given(st.integers(0, 10**6))
def test_blocks_that_are_brought_together_do_the_same(seed):
    chance = np.random.default_rng(seed)
    program = QuantumCircuit(4)
    for _ in range(24):
        a, b = chance.choice(4, 2, replace=False).tolist()
        program.cx(a, b)
        if chance.integers(2):
            program.rz(0.3 + chance.integers(3), b)
        if chance.integers(2):
            program.sx(b)
    blocks = Blocks.of(program)
    together = brought_together(blocks)
    assert len(together.pairs) <= len(blocks.pairs)
    assert np.allclose(unitary_of(together).data, unitary_of(blocks).data, atol=1e-9)


def test_blocks_are_brought_together_past_what_commutes_with_both_as_one():
    """Neither CX commutes with the RZX in between, but the two of them do, as one RZZ."""
    program, other = QuantumCircuit(3), QuantumCircuit(3)
    for circuit, first in ((program, True), (other, False)):
        for now in (first, not first):
            if now:
                circuit.cx(0, 1)
                circuit.rz(0.4, 1)
                circuit.cx(0, 1)
            else:
                circuit.rzz(0.3, 1, 2)
    program.cx(0, 1)
    other.cx(0, 1)
    places = (0, 1, 2)
    assert verdict_by_blocks(program, Draft(other, places, places)).verified == "exact"


@pytest.mark.parametrize(("zero", "proven"), [((), False), ((0,), False), ((2,), True)])
def test_states_move_to_qubits_in_0_in_two_cx(zero, proven):
    program, native = QuantumCircuit(3), QuantumCircuit(3)
    for circuit, last in ((program, (0, 2)), (native, (2, 0))):
        circuit.cx(0, 1)
        if circuit is native:
            circuit.cx(0, 2)
            circuit.cx(2, 0)
        circuit.h(last[1])
        circuit.cry(0.3, *last)
    verdict = verdict_by_blocks(program, Draft(native, (0, 1, 2), (2, 1, 0)), zero)
    assert (verdict.verified == "exact") == proven


def test_a_qubit_beside_must_end_as_it_began():
    program = QuantumCircuit(2)
    program.cz(0, 1)
    native = QuantumCircuit(3)
    native.cz(0, 1)
    assert verdict_by_blocks(program, Draft(native, (0, 1), (0, 1))).verified == "exact"
    native.x(2)
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


@pytest.mark.parametrize("seed", range(4))
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


@pytest.mark.parametrize("spec", ["qft:8", "qaoa:12", "random-clifford-t:6"])
def test_routed_circuits_are_proven(spec):
    program = circuit_from_spec(spec, 0)
    assert verdict_by_rotations(program, level_3(program, TORINO, 0)).verified == "exact"


@pytest.mark.parametrize("step", [160, pytest.param(40, marks=pytest.mark.full)])
def test_only_harmless_faults_are_called_exact(step):
    program = circuit_from_spec("random-clifford-t:5", 0)
    draft = level_3(program, target_from_spec("star:5"), 0)
    right = Operator(undo_layout(draft))
    for place in range(0, len(draft.circuit.data), step):
        broken = draft.circuit.copy()
        del broken.data[place]
        made = evolve(draft, circuit=broken)
        if verdict_by_rotations(program, made).verified == "exact":
            harmless = Operator(undo_layout(made))
            assert harmless.equiv(right)
