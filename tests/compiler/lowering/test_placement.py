"""Placement: embeddings, interactions, and the search."""

from itertools import permutations
from math import exp, prod

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from qiskit import ClassicalRegister, QuantumCircuit, transpile
from qiskit.circuit.library import CZGate, Measure, SXGate
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Operator, SuperOp, average_gate_fidelity
from qiskit.transpiler import InstructionProperties, PassManager, QubitProperties, Target
from qiskit.transpiler.passes import ALAPScheduleAnalysis, PadDelay
from qiskit_aer.noise import thermal_relaxation_error

from compiler.compilation import Options, compile
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.figures import figures, idle_fidelity, idle_seconds, operations_of
from compiler.lowering.interactions.interactions import direct_predecessors, interactions_of, merged
from compiler.lowering.mirror.source import Source
from compiler.lowering.placement import placement, places_differ
from compiler.lowering.qiskit_level_3 import qiskit_level_3
from compiler.lowering.sweep.embeddings import embedded_route
from compiler.lowering.sweep.sabre_sweep import sabre_sweep, searched
from compiler.program import Program
from compiler.public_circuits import circuit_from_spec
from compiler.public_circuits.qubikos import known_routing
from compiler.targets import target_from_spec
from compiler.verification.equivalence import verify_equivalent
from tests.compiler.lowering.drafts import assert_does_the_same, random_gates

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


def test_who_waits_lies_where_states_live_long():
    short, long = QubitProperties(t1=1e-6, t2=1e-6), QubitProperties(t1=1e-3, t2=1e-3)
    target = ring([0.01] * 6, [0] * 6)
    target.qubit_properties = [short, short, long, short, long, short]
    for pair in target["cz"]:
        target.update_instruction_properties(
            "cz", pair, InstructionProperties(error=0.01, duration=1e-7)
        )
    # The first qubit waits in the middle, and the last one at the end.
    placed = placement.run(line([(0, 1), (1, 2), (0, 1)], 6), Setting(target))
    assert sorted(placed.initial_layout[::2]) == [2, 4]
    damped = 1 / 2 + exp(-1e-4) / 3 + exp(-1e-4) / 6
    expected = 0.99**3 * damped**2
    assert figures(placed.circuit, target).expected_fidelity == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(3))
def test_waiting_is_that_of_the_latest_schedule(seed):
    circuit = transpile(random_circuit(8, 6, 2, measure=True, seed=seed), target=TORINO)
    schedule = PassManager([ALAPScheduleAnalysis(target=TORINO), PadDelay(target=TORINO)])
    padded, waits = schedule.run(circuit), np.zeros(TORINO.num_qubits)
    started = set()
    for item in padded.data:
        places = {padded.find_bit(qubit).index for qubit in item.qubits}
        if item.name != "delay":
            started |= places
        elif places <= started:
            waits[[*places]] += item.operation.duration * TORINO.dt
    assert idle_seconds(operations_of(circuit), TORINO) == pytest.approx(waits, abs=1e-15)


def test_idle_fidelity_is_that_of_thermal_relaxation():
    target = Target(
        num_qubits=2, qubit_properties=[QubitProperties(t1=3e-5, t2=2e-5), QubitProperties()]
    )
    channel = thermal_relaxation_error(3e-5, 2e-5, 4e-6)
    expected = [average_gate_fidelity(SuperOp(channel)), 1]
    assert idle_fidelity(4e-6, target) == pytest.approx(expected)


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


def with_measurements(draft):
    circuit = draft.circuit.copy()
    circuit.add_register(ClassicalRegister(len(draft.final_layout)))
    circuit.measure(draft.final_layout, range(len(draft.final_layout)))
    return circuit


def fidelity(draft, target):
    return figures(with_measurements(draft), target).expected_fidelity


@pytest.mark.parametrize("device", ["torino", "marrakesh"])
@pytest.mark.parametrize("qubits", [6, 9])
def test_random_circuits_are_placed_no_worse(device, qubits):
    target = target_from_spec(f"heavy-hex:{device}")
    circuit = random_gates(qubits, 14, 2)
    draft = qiskit_level_3.run(Draft.of(circuit), Setting(target, seed=1))
    placed = placement.run(draft, Setting(target))
    assert_does_the_same(circuit, placed, target)
    assert placed.circuit.count_ops() == draft.circuit.count_ops()
    assert fidelity(placed, target) >= fidelity(draft, target)


COUPLING = TORINO.build_coupling_map()


def source_of(circuit, **settings):
    setting = Setting(TORINO, any_input=True, **settings)
    return Source.in_blocks(Draft.of(circuit), setting), setting


@pytest.mark.parametrize(("swaps", "seed"), [(5, 1), pytest.param(10, 0, marks=pytest.mark.full)])
def test_swaps_are_the_fewest(swaps, seed):
    source, setting = source_of(known_routing(COUPLING, swaps, seed).circuit)
    routed, is_short = embedded_route(source)
    assert routed.swaps == swaps
    assert is_short
    (routed,) = searched(source, setting)
    assert routed.swaps == swaps


def test_what_is_routed_does_the_same_on_any_input():
    circuit = known_routing(COUPLING, 3, 4).circuit
    draft = sabre_sweep.run(Draft.of(circuit), Setting(TORINO, any_input=True))
    assert draft.circuit.num_nonlocal_gates() <= circuit.count_ops()["cx"] + 3 * 3
    verify_equivalent(circuit, draft, TORINO)


def assert_same(first, second):
    np.testing.assert_allclose(Operator(first).data, Operator(second).data, atol=1e-7)


def random_order(predecessors, seed):
    """Return a random order that keeps every interaction behind its predecessors."""
    rng = np.random.default_rng(seed)
    left, order = list(range(len(predecessors))), []
    while left:
        ready = [i for i in left if not set(np.flatnonzero(predecessors[i])) & set(left)]
        order.append(int(rng.choice(ready)))
        left.remove(order[-1])
    return order


def rebuilt(product, order):
    circuit = QuantumCircuit(len(product.ends))
    for i in order:
        pair = product.pairs[i].tolist()
        circuit.unitary(product.matrix([i], pair[0]), pair)
    for wire, end in enumerate(product.ends):
        circuit.unitary(end, wire)
    return circuit


@given(st.integers(2, 5), st.integers(0, 10_000))
def test_rebuilds_exactly_in_any_order_and_merged(qubits, seed):
    circuit = random_circuit(qubits, 8, max_operands=2, seed=seed)
    found = interactions_of(circuit)
    fewer = merged(found)
    assert len(fewer) <= len(found)
    for product in (found, fewer):
        order = random_order(direct_predecessors(product), seed)
        assert_same(rebuilt(product, order), circuit)


@pytest.mark.parametrize(
    ("objective", "all_placed"), [("two_qubit_gates", False), ("expected_fidelity", True)]
)
def test_the_method_fast_places_all_candidates_only_where_that_decides(objective, all_placed):
    program = Program.of_circuit(circuit_from_spec("qft:5", 0))
    compiled = compile(program, "heavy-hex:torino", Options(objective=objective))
    placed = [
        candidate
        for candidate in compiled.candidates
        if any(step.name == "placement" for step in candidate.steps)
    ]
    assert compiled.chosen in placed
    assert (len(placed) == len(compiled.candidates)) == all_placed
