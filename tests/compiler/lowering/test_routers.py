"""Routers: lines, ladders, mirrors, and the sweep."""

from itertools import pairwise

import numpy as np
import pytest
from attrs import evolve
from qiskit import QuantumCircuit

from compiler.errors import NothingToGainError, TargetError
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.figures import figures
from compiler.lowering.mirror.router import mirror
from compiler.lowering.mirror.routes import RoutingInstance
from compiler.lowering.mirror.source import Routed, Source, best_of
from compiler.lowering.qiskit_level_3 import level_3
from compiler.lowering.sweep.lines import is_dense, ladder_of, long_line, swap_network, with_sides
from compiler.lowering.sweep.sabre_sweep import laddered, sabre_sweep, swept
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec
from compiler.verification.equivalence import verify_equivalent
from tests.compiler.lowering.drafts import assert_does_the_same, random_gates

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


@pytest.mark.parametrize(
    ("spec", "least"), [("heavy-hex:torino", 80), ("heavy-hex:21", 10), ("iqm:garnet", 18)]
)
def test_a_long_line_has_coupled_qubits_once_each(spec, least):
    target = target_from_spec(spec)
    source = Source.in_blocks(Draft.of(chain(4)), Setting(target))
    neighbours = RoutingInstance.of(source, Setting(target)).device.neighbours
    line = long_line(neighbours).tolist()
    assert len(line) == len(set(line)) >= least
    assert all(b in neighbours[a] for a, b in pairwise(line))


def chain(qubits: int, seed: int | None = None) -> QuantumCircuit:
    """Return a chain, perhaps with its qubits named at random."""
    names = np.arange(qubits) if seed is None else np.random.default_rng(seed).permutation(qubits)
    circuit = QuantumCircuit(qubits)
    for angle in (0.3, 0.4):
        for a, b in pairwise(names.tolist()):
            circuit.rzz(angle, a, b)
        circuit.rx(0.7, range(qubits))
    return circuit


def test_a_chain_needs_no_swap_whatever_its_qubits_are_called():
    circuit = chain(60, seed=1)
    draft = sabre_sweep.run(Draft.of(circuit), Setting(TORINO, any_input=True, budget=2))
    assert draft.circuit.num_nonlocal_gates() <= 2 * 2 * 59


def routed_by_network(circuit: QuantumCircuit, spec: str) -> Draft | None:
    """Return what a swap network along a line makes of a circuit."""
    setting = Setting(target_from_spec(spec), any_input=True)
    source = Source.in_blocks(Draft.of(circuit), setting)
    instance = RoutingInstance.of(source, setting)
    line = long_line(instance.device.neighbours)[: circuit.num_qubits]
    assert is_dense(source.gates)
    steps = swap_network(instance.ways[0], line)
    if steps is None:
        return None
    steps[:, 1:] = instance.qubits[steps[:, 1:]]
    return Routed(source, steps, instance.qubits[line]).written(setting.target)


@pytest.mark.parametrize("qubits", [5, 9])
def test_a_fourier_transform_takes_one_cx_more_for_each_phase(qubits):
    circuit = circuit_from_spec(f"qft:{qubits}", 0)
    draft = routed_by_network(circuit, "heavy-hex:torino")
    assert_does_the_same(circuit, draft, TORINO)
    assert draft.circuit.num_nonlocal_gates() <= 3 * qubits * (qubits - 1) // 2


def test_a_chain_longer_than_any_line_takes_in_what_lies_beside_it():
    circuit = circuit_from_spec("heisenberg:100", 0)
    setting = Setting(TORINO, any_input=True, quick=True)
    source = Source.in_blocks(Draft.of(circuit), setting)
    neighbours = RoutingInstance.of(source, setting).device.neighbours
    line = long_line(neighbours)
    row = with_sides(line, neighbours, 100).tolist()
    assert len(line) < 100 == len(set(row))
    assert [qubit for qubit in row if qubit in line] == line.tolist()
    assert all(
        set(row[place : place + 3]) & set(neighbours[qubit].tolist())
        for place, qubit in enumerate(row[:-1])
    )
    assert with_sides(line, neighbours, 5).tolist() == line[:5].tolist()


def commuting_gates(qubits, gates, seed):
    """Return CX and controlled phases on random pairs, many of which commute, and a few √X."""
    rng = np.random.default_rng(seed)
    circuit = QuantumCircuit(qubits)
    for _ in range(gates):
        a, b = (int(q) for q in rng.choice(qubits, 2, replace=False))
        circuit.cp(0.7, a, b) if rng.random() < 0.3 else circuit.cx(a, b)
        if rng.random() < 0.2:
            circuit.sx(a)
    return circuit


@pytest.mark.parametrize("spec", ["heavy-hex:7", "heavy-hex:torino", "star:7:iqm"])
@pytest.mark.parametrize("make", [random_gates, commuting_gates])
def test_random_circuits(spec, make):
    circuit, target = make(6, 25, 1), target_from_spec(spec)
    circuit.ccx(3, 1, 5)
    circuit.swap(0, 2)
    draft = mirror.run(Draft.of(circuit), Setting(target, seed=3, budget=8))
    assert_does_the_same(circuit, draft, target)


@pytest.mark.parametrize("objective", ["two_qubit_gates", "two_qubit_depth", "expected_fidelity"])
def test_the_best_by_the_objective_is_taken_and_the_first_of_equals(objective):
    circuit = circuit_from_spec("ghz:5", 0)
    setting = Setting(TORINO, any_input=True, objective=objective)
    good = level_3(circuit, TORINO, 0)
    again = level_3(circuit, TORINO, 0)
    bad = level_3(circuit_from_spec("qft:5", 0), TORINO, 0)
    assert best_of([bad, good, again], setting) is good
    assert best_of([bad], setting) is bad


def two_qubit_gates(draft):
    return draft.circuit.num_nonlocal_gates()


@pytest.mark.parametrize("spec", ["heavy-hex:7", "heavy-hex:torino", "star:7:iqm"])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.full)])
def test_random_circuits_are_swept(spec, seed):
    circuit, target = random_gates(6, 15, seed), target_from_spec(spec)
    circuit.ccx(3, 1, 5)
    circuit.swap(0, 2)
    draft = sabre_sweep.run(Draft.of(circuit), Setting(target, seed=seed, budget=6))
    assert_does_the_same(circuit, draft, target)


@pytest.mark.full
def test_more_seeds_are_no_worse_and_a_seed_gives_the_same():
    circuit, target = random_gates(6, 15, 3), target_from_spec("heavy-hex:16")
    few, many, again = (
        sabre_sweep.run(Draft.of(circuit), Setting(target, budget=budget)) for budget in (2, 5, 5)
    )
    assert many.circuit == again.circuit
    assert (many.initial_layout, many.final_layout) == (again.initial_layout, again.final_layout)
    assert two_qubit_gates(many) <= two_qubit_gates(few)


def test_layouts_of_earlier_passes_are_kept():
    circuit, target = random_gates(5, 10, 4), target_from_spec("heavy-hex:5")
    draft = sabre_sweep.run(Draft.of(circuit), Setting(target, budget=2))
    turned = sabre_sweep.run(
        Draft(circuit, (4, 3, 2, 1, 0), (0, 2, 1, 3, 4)), Setting(target, budget=2)
    )
    assert turned.initial_layout == draft.initial_layout[::-1]
    assert turned.final_layout == tuple(draft.final_layout[q] for q in (0, 2, 1, 3, 4))


def test_circuits_that_do_not_fit_are_refused():
    with pytest.raises(TargetError, match="6 qubits do not fit on 5"):
        sabre_sweep.run(Draft.of(random_gates(6, 9, 0)), Setting(target_from_spec("heavy-hex:5")))


def test_a_quick_attempt_ends_where_another_result_is_far_better():
    circuit = random_gates(6, 40, 0)
    routed = sabre_sweep.run(Draft.of(circuit), evolve(SETTING, only_gains=True))
    hopeless = evolve(SETTING, only_gains=True, least=two_qubit_gates(routed) / 2)
    with pytest.raises(NothingToGainError):
        sabre_sweep.run(Draft.of(circuit), hopeless)
    named = sabre_sweep.run(Draft.of(circuit), evolve(hopeless, only_gains=False))
    assert two_qubit_gates(named) == two_qubit_gates(routed)


def test_a_quick_attempt_for_depth_takes_the_shallowest_route():
    circuit = random_gates(8, 60, 1)
    depths = [
        figures(sabre_sweep.run(Draft.of(circuit), setting).circuit, TORINO).two_qubit_depth
        for setting in (SETTING, evolve(SETTING, objective="two_qubit_depth"))
    ]
    assert depths[1] < depths[0]


def test_no_further_seed_is_tried_where_swaps_take_no_gate_and_would_save_none():
    target = target_from_spec("heavy-hex:7")
    chain, exchange = circuit_from_spec("ghz:5", 0), QuantumCircuit(2)
    exchange.rxx(1.5707963267948966, 0, 1)
    exchange.ryy(1.5707963267948966, 0, 1)

    def tried(circuit, **options):
        setting = Setting(target, **options)
        found = swept(Source.in_blocks(Draft.of(circuit), setting), setting, 40)
        return len(found), found[0].cost

    assert tried(chain, any_input=True) < (40, 4)
    assert tried(chain, any_input=True)[1] == 4
    assert tried(chain) == (40, 4)
    assert tried(chain, any_input=True, objective="two_qubit_depth") == (40, 4)
    assert tried(exchange, any_input=True)[0] == 40, "it is a swap and one CX"
