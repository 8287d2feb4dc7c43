"""Pauli rotations prove circuits of any width, and nothing that is wrong."""

import pytest
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator

from compiler.lowering import Draft
from compiler.lowering.qiskit_level_3 import level_3
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec
from compiler.verification.equivalence import verdict_by_rotations
from compiler.verification.layouts import undo_layout
from tests.compiler.verification.test_block_matching import ising

TORINO = target_from_spec("heavy-hex:torino")


@pytest.mark.parametrize(
    "spec", ["qft:8", "qaoa:20", "random-clifford-t:10", "adder:10", "grover:5"]
)
def test_routed_circuits_are_proven(spec):
    program = circuit_from_spec(spec, 0)
    assert verdict_by_rotations(program, level_3(program, TORINO, 0)).verified == "exact"


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


def test_what_is_left_on_an_ancilla_is_noticed():
    program = QuantumCircuit(1)
    for left, verified in ((False, "exact"), (True, "unverified")):
        circuit = QuantumCircuit(2)
        circuit.cz(0, 1)
        if left:
            circuit.x(1)
        assert verdict_by_rotations(program, Draft(circuit, (0,), (0,))).verified == verified


def test_a_gate_synthesised_anew_is_the_same():
    program, other = QuantumCircuit(1), QuantumCircuit(1)
    program.h(0)
    program.rz(0.3, 0)
    program.rx(0.7, 0)
    program.rz(1.1, 0)
    other.unitary(Operator(program).data, [0])
    other = other.decompose()
    assert verdict_by_rotations(program, Draft.of(other)).verified == "exact"
