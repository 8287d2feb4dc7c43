"""Phases on all pairs of wires along a line, without a swap."""

import pytest
from qiskit import QuantumCircuit

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.line.ladder import ladder_of
from compiler.lowering.mirror.source import Source
from compiler.lowering.sweep.rivals import laddered
from compiler.lowering.sweep.sabre_sweep import sabre_sweep
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec
from compiler.verification.equivalence import verify_equivalent

from ..routed_drafts import assert_does_the_same

TORINO = target_from_spec("heavy-hex:torino")
SETTING = Setting(TORINO, any_input=True, quick=True)


def source_of(circuit: QuantumCircuit) -> Source:
    return Source.in_blocks(Draft.of(circuit), SETTING)


def phases(qubits: int, names: list[int]) -> QuantumCircuit:
    """Return phases between all qubits, about axes of their own, then one gate on each."""
    circuit = QuantumCircuit(qubits)
    circuit.u(0.3, 0.2, 0.1, range(qubits))
    for a in range(qubits):
        for b in range(a):
            circuit.cp(0.1 * (a + 1) * (b + 1), names[a], names[b])
    circuit.u(0.5, 0.7, 0.9, range(qubits))
    return circuit


@pytest.mark.parametrize("qubits", [5, 8, 11])
def test_a_fourier_transform_takes_two_cx_for_each_phase_and_each_wire(qubits):
    circuit = circuit_from_spec(f"qft:{qubits}", 0)
    draft = laddered(source_of(circuit), SETTING)
    assert draft.circuit.num_nonlocal_gates() <= qubits**2 + qubits - 4
    assert_does_the_same(circuit, draft, TORINO)


@pytest.mark.parametrize("names", [[0, 1, 2, 3, 4], [3, 0, 4, 1, 2]])
@pytest.mark.parametrize("inverse", [False, True])
def test_what_comes_first_may_have_any_name(names, inverse):
    transform = circuit_from_spec("qft:5", 0)
    circuit = QuantumCircuit(5)
    circuit.compose(transform.inverse() if inverse else transform, names, inplace=True)
    draft = laddered(source_of(circuit), SETTING)
    assert draft.circuit.num_nonlocal_gates() <= 5**2 + 5 - 4
    assert_does_the_same(circuit, draft, TORINO)


@pytest.mark.parametrize("names", [[0, 1, 2, 3, 4, 5], [5, 2, 0, 1, 4, 3]])
def test_phases_that_all_commute_are_a_ladder(names):
    circuit = phases(6, names)
    draft = laddered(source_of(circuit), SETTING)
    assert draft.circuit.num_nonlocal_gates() <= 6**2 + 6 - 4
    assert_does_the_same(circuit, draft, TORINO)


def test_what_meets_twice_or_turns_on_a_third_axis_is_no_ladder():
    twice = QuantumCircuit(3)
    for angle in (0.1, 0.2):
        twice.rzz(angle, 0, 1)
        twice.rxx(angle, 1, 2)
    assert ladder_of(source_of(twice).gates) is None
    third = QuantumCircuit(4)
    for other in (0, 2, 3):
        third.rzz(0.1, other, 1)
        third.rx(0.4, 1)
    assert ladder_of(source_of(third).gates) is None
    swap_like = QuantumCircuit(2)
    swap_like.iswap(0, 1)
    assert ladder_of(source_of(swap_like).gates) is None


def test_a_circle_of_wires_that_wait_for_each_other_is_no_ladder():
    circuit = QuantumCircuit(3)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        circuit.cp(0.3, a, b)
        circuit.h(a)
        circuit.h(b)
    assert ladder_of(source_of(circuit).gates) is None


def test_a_wide_fourier_transform_is_proven_on_any_input():
    circuit = circuit_from_spec("qft:24", 0)
    draft = sabre_sweep.run(Draft.of(circuit), SETTING)
    assert draft.circuit.num_nonlocal_gates() <= 24**2 + 24 - 4
    verdict = verify_equivalent(circuit, draft, TORINO)
    assert verdict.verified == "exact"
    assert "rotations" in verdict.detail
