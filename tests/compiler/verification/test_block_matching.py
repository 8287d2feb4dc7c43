"""Two-qubit blocks prove circuits of any width, and nothing that is wrong."""

from math import pi

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.circuit.library import UnitaryGate
from qiskit.quantum_info import Operator, random_unitary

from compiler.lowering import Draft
from compiler.lowering.draft import Setting
from compiler.lowering.pipeline import pipelines
from compiler.lowering.qiskit_level_3 import level_3
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec
from compiler.verification.blocks.block_matching import verdict_by_blocks
from compiler.verification.equivalence import verdict_by_structure
from compiler.verification.layouts import undo_layout

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
        random_blocks(30, 60, seed=1),
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


@settings(max_examples=25, deadline=None)
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
