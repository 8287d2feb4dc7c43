"""Re-placement by calibration, beside every embedding and beside Qiskit's choice."""

from itertools import permutations
from math import prod

import pytest
from attrs import evolve
from qiskit import ClassicalRegister, QuantumCircuit
from qiskit.circuit.library import CZGate, Measure, SXGate
from qiskit.converters import circuit_to_dag
from qiskit.transpiler import InstructionProperties, Layout, Target
from qiskit.transpiler.passes import VF2PostLayout

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.figures import figures
from compiler.lowering.placement.placement import placement, places_differ
from compiler.lowering.qiskit_level_3 import qiskit_level_3
from compiler.targets import target_from_spec

from ..routed_drafts import assert_does_the_same, random_gates

TORINO = target_from_spec("heavy-hex:torino")


def ring(errors, readout):
    """Return a ring of qubits with the given errors of its couplers, one direction each."""
    size = len(errors)
    target = Target(num_qubits=size)
    pairs = {(q, (q + 1) % size): InstructionProperties(error=e) for q, e in enumerate(errors)}
    target.add_instruction(CZGate(), pairs)
    target.add_instruction(SXGate(), {(q,): InstructionProperties(error=0) for q in range(size)})
    reading = {(q,): InstructionProperties(error=e) for q, e in enumerate(readout)}
    target.add_instruction(Measure(), reading)
    return target


def line(gates, qubits):
    """Return a draft with CZ on pairs of the first qubits, all logical qubits in order."""
    circuit = QuantumCircuit(qubits)
    for pair in gates:
        circuit.cz(*pair)
    places = tuple(range(1 + max(q for pair in gates for q in pair)))
    return Draft(circuit, places, places)


def test_gates_go_to_the_best_couplers_that_have_their_direction():
    target = ring([0.3, 0.2, 0.01, 0.1, 0.02], [0] * 5)
    draft = line([(0, 1), (1, 2), (1, 2)], 5)
    placed = placement.run(draft, Setting(target))
    assert placed.initial_layout == placed.final_layout == (3, 4, 0)
    best = max(
        prod((1 - target["cz"][pair].error) ** n for pair, n in (((a, b), 1), ((b, c), 2)))
        for a, b, c in permutations(range(5), 3)
        if (a, b) in target["cz"] and (b, c) in target["cz"]
    )
    assert figures(placed.circuit, target).expected_fidelity == pytest.approx(best)


def test_only_what_is_measured_is_read():
    target = ring([0.01] * 5, [0.5, 0.1, 0.4, 0.2, 0.3])
    draft = line([(0, 1)], 5)
    everything = placement.run(draft, Setting(target))
    second = placement.run(evolve(draft, measured=frozenset({1})), Setting(target))
    assert everything.final_layout == (3, 4)
    assert second.final_layout == (0, 1)


def test_without_calibration_the_draft_stays():
    target = target_from_spec("heavy-hex:9")
    draft = qiskit_level_3.run(Draft.of(random_gates(4, 6, 0)), Setting(target))
    assert placement.run(draft, Setting(target)) is draft
    assert not places_differ(target)
    assert not places_differ(target_from_spec("all:3"))


def test_a_draft_in_the_best_place_stays():
    draft = qiskit_level_3.run(Draft.of(random_gates(5, 10, 0)), Setting(TORINO))
    placed = placement.run(draft, Setting(TORINO))
    assert placement.run(placed, Setting(TORINO)) is placed


def with_measurements(draft):
    circuit = draft.circuit.copy()
    circuit.add_register(ClassicalRegister(len(draft.final_layout)))
    circuit.measure(draft.final_layout, range(len(draft.final_layout)))
    return circuit


def fidelity(draft, target):
    return figures(with_measurements(draft), target).expected_fidelity


def qiskits_choice(draft, target):
    """Return the expected fidelity where Qiskit would place a draft."""
    circuit = with_measurements(draft)
    search = VF2PostLayout(target=target, seed=0, strict_direction=False)
    search.property_set["layout"] = Layout.from_qubit_list(circuit.qubits)
    search.run(circuit_to_dag(circuit))
    layout = search.property_set["post_layout"]
    if layout is None:
        return fidelity(draft, target)
    moved = QuantumCircuit(target.num_qubits, circuit.num_clbits)
    for item in circuit.data:
        clbits = [circuit.find_bit(bit).index for bit in item.clbits]
        moved.append(item.operation, [layout[qubit] for qubit in item.qubits], clbits)
    return figures(moved, target).expected_fidelity


@pytest.mark.parametrize("device", ["torino", "marrakesh"])
@pytest.mark.parametrize("qubits", [6, 9])
def test_random_circuits_beside_qiskit(device, qubits):
    target = target_from_spec(f"heavy-hex:{device}")
    circuit = random_gates(qubits, 14, 2)
    draft = qiskit_level_3.run(Draft.of(circuit), Setting(target, seed=1))
    placed = placement.run(draft, Setting(target))
    assert_does_the_same(circuit, placed, target)
    assert placed.circuit.count_ops() == draft.circuit.count_ops()
    assert fidelity(placed, target) >= fidelity(draft, target)
    assert fidelity(placed, target) >= qiskits_choice(draft, target) - 1e-9


def test_parts_without_gates_between_them():
    circuit = QuantumCircuit(5)
    circuit.cx(0, 1)
    circuit.cx(2, 3)
    draft = qiskit_level_3.run(Draft.of(circuit), Setting(TORINO, seed=1))
    placed = placement.run(draft, Setting(TORINO))
    assert_does_the_same(circuit, placed, TORINO)
    assert fidelity(placed, TORINO) >= qiskits_choice(draft, TORINO) - 1e-9
