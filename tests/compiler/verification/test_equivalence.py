"""Equivalence on all inputs: right circuits pass, circuits right from |0…0⟩ only do not."""

import numpy as np
import pytest
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from compiler.errors import VerificationError
from compiler.lowering import Draft
from compiler.lowering.qiskit_level_3 import level_3
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec
from compiler.verification.equivalence import random_product, verify_equivalent

STAR = "star:6"


def routed(program, spec=STAR, seed=0):
    return level_3(program, target_from_spec(spec), seed)


@pytest.fixture
def program():
    return circuit_from_spec("random-cx:6", 0)


@pytest.fixture
def draft(program):
    return routed(program)


@pytest.mark.parametrize("seed", range(3))
def test_a_routed_circuit_is_equivalent(program, draft, seed):
    verdict = verify_equivalent(program, draft, target_from_spec(STAR), seed)
    assert verdict.verified == "exact"


@pytest.mark.parametrize("place", [0, 57, -1])
def test_a_missing_gate_is_noticed(program, draft, place):
    broken = draft.circuit.copy()
    del broken.data[place]
    with pytest.raises(VerificationError, match="the distance to the original is"):
        verify_equivalent(program, evolve(draft, circuit=broken), target_from_spec(STAR))


@pytest.mark.parametrize("layout", ["initial_layout", "final_layout"])
def test_a_wrong_layout_is_noticed(program, draft, layout):
    a, b, *others = getattr(draft, layout)
    wrong = evolve(draft, **{layout: (b, a, *others)})
    with pytest.raises(VerificationError, match="distance"):
        verify_equivalent(program, wrong, target_from_spec(STAR))


def test_a_move_is_no_swap():
    target = target_from_spec("resonator:2")
    swaps = QuantumCircuit(3)
    for qubit in (0, 1, 0):
        swaps.append(target.operation_from_name("move"), [qubit, 2])
    with pytest.raises(VerificationError, match="while the resonator holds the state of 0"):
        verify_equivalent(QuantumCircuit(2), Draft(swaps, (0, 1), (1, 0)), target)


@pytest.mark.parametrize("layout", [(), (0, 0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 6), tuple(range(7))])
def test_a_layout_must_place_every_qubit_once(program, draft, layout):
    with pytest.raises(VerificationError, match="does not place every qubit once"):
        verify_equivalent(program, evolve(draft, final_layout=layout), target_from_spec(STAR))


def test_what_is_right_from_zero_only_is_refuted():
    program = QuantumCircuit(2)
    program.cx(0, 1)
    program.x(0)
    shortened = QuantumCircuit(2)
    shortened.x(0)
    target = target_from_spec("star:2")
    assert Statevector(program) == Statevector(shortened)
    with pytest.raises(VerificationError, match="distance"):
        verify_equivalent(program, Draft.of(shortened), target)
    assert verify_equivalent(program, Draft.of(program), target).verified == "exact"


@pytest.mark.parametrize(
    ("spec", "how"), [("ghz:26", "block by block"), ("adder:26", "Pauli rotations")]
)
def test_what_is_too_wide_for_a_state_is_compared_by_structure(spec, how):
    program = circuit_from_spec(spec, 0)
    verdict = verify_equivalent(program, routed(program, "star:26"), target_from_spec("star:26"))
    assert verdict.verified == "exact"
    assert how in verdict.detail


def test_product_states_lie_all_around_the_equator():
    states = [Statevector.from_int(0, 2).evolve(gate).data for gate in random_product(4000, 1)]
    heights = np.array([abs(state[0]) ** 2 for state in states])
    longitudes = np.array([np.angle(state[1] / state[0]) % (2 * np.pi) for state in states])
    for values in (3 * heights - 1, longitudes / (2 * np.pi)):
        assert abs(np.histogram(values, bins=8, range=(0, 1))[0] - 500).max() < 100
