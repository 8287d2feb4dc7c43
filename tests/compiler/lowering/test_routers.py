"""Routers: lines, ladders, mirrors, and the sweep."""

from itertools import pairwise

import numpy as np
import pytest
from attrs import evolve
from qiskit import QuantumCircuit

from compiler.circuits.matrices import with_qubits_swapped
from compiler.errors import NothingToGainError, TargetError
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.figures import figures
from compiler.lowering.mirror.problem import _dependencies, _dependencies_of_runs
from compiler.lowering.mirror.router import mirror
from compiler.lowering.mirror.source import Source
from compiler.lowering.paths.router import paths
from compiler.lowering.sweep.lines import long_line, with_sides
from compiler.lowering.sweep.sabre_sweep import laddered, sabre_sweep
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec
from compiler.verification.equivalence import verdict_by_rotations, verify_equivalent
from compiler.verification.operator_proofs.played_parts import matched, parts_of
from tests.compiler.lowering.drafts import assert_does_the_same, random_gates

TORINO = target_from_spec("heavy-hex:torino")
SETTING = Setting(TORINO, any_input=True, quick=True)


def source_of(circuit: QuantumCircuit) -> Source:
    return Source.in_blocks(Draft.of(circuit), SETTING)


@pytest.mark.parametrize("qubits", [5, 8])
def test_a_fourier_transform_takes_two_cx_for_each_phase_and_each_wire(qubits):
    circuit = circuit_from_spec(f"qft:{qubits}", 0)
    draft = laddered(source_of(circuit), SETTING)
    assert draft.circuit.num_nonlocal_gates() <= qubits**2 + qubits - 4
    assert_does_the_same(circuit, draft, TORINO)


def test_a_wide_fourier_transform_is_proven_on_any_input():
    circuit = circuit_from_spec("qft:24", 0)
    draft = sabre_sweep.run(Draft.of(circuit), SETTING)
    assert draft.circuit.num_nonlocal_gates() <= 24**2 + 24 - 4
    verdict = verify_equivalent(circuit, draft, TORINO)
    assert verdict.verified == "exact"
    assert "rotations" in verdict.detail


def fourier_transform(qubits: int) -> QuantumCircuit:
    circuit = QuantumCircuit(qubits)
    for low in reversed(range(qubits)):
        circuit.h(low)
        for high in reversed(range(low)):
            circuit.cp(np.pi / 2 ** (low - high), low, high)
    return circuit


@pytest.mark.parametrize("qubits", [50, pytest.param(100, marks=pytest.mark.full)])
def test_phases_as_small_as_rounding_do_not_hide_a_ladder_or_its_proof(qubits):
    circuit = fourier_transform(qubits)
    draft = laddered(source_of(circuit), SETTING)
    assert draft.circuit.num_nonlocal_gates() < qubits**2 + qubits - 4
    assert verdict_by_rotations(circuit, draft).verified == "exact"
    wrong = next(
        place
        for place, item in enumerate(draft.circuit.data)
        if item.name == "rz" and 1e-6 < abs(item.operation.params[0]) < 1e-5
    )
    del draft.circuit.data[wrong]
    assert verdict_by_rotations(circuit, draft).verified == "unverified"


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


@pytest.mark.parametrize("spec", ["heavy-hex:torino", "star:7:iqm"])
@pytest.mark.parametrize(
    ("step", "make"),
    [(mirror, commuting_gates), *((step, random_gates) for step in (mirror, sabre_sweep, paths))],
)
def test_random_circuits(step, make, spec):
    circuit, target = make(6, 15, 1), target_from_spec(spec)
    circuit.ccx(3, 1, 5)
    circuit.swap(0, 2)
    draft = step.run(Draft.of(circuit), Setting(target, seed=3, budget=6))
    assert_does_the_same(circuit, draft, target)


def test_paths_keep_barriers_and_where_qubits_are_at_them():
    circuit = random_gates(8, 30, 1)
    circuit.barrier()
    circuit.compose(random_gates(8, 30, 2), inplace=True)
    draft = paths.run(Draft.of(circuit), SETTING)
    _, places = parts_of(draft)
    assert matched(circuit, draft.circuit, places) == [True, True]


def two_qubit_gates(draft):
    return draft.circuit.num_nonlocal_gates()


def test_a_circuit_without_two_qubit_gates_has_a_layout():
    circuit = QuantumCircuit(3)
    circuit.h(1)
    assert_does_the_same(circuit, sabre_sweep.run(Draft.of(circuit), SETTING), TORINO)


def test_circuits_that_do_not_fit_are_refused():
    with pytest.raises(TargetError, match="6 qubits do not fit on 5"):
        sabre_sweep.run(Draft.of(random_gates(6, 9, 0)), Setting(target_from_spec("heavy-hex:5")))


def test_a_chain_longer_than_any_line_takes_in_what_lies_beside_it():
    circuit = circuit_from_spec("heisenberg:100", 0)
    neighbours = source_of(circuit).device.neighbours
    line = long_line(neighbours)
    row = with_sides(line, neighbours, 100).tolist()
    assert len(line) < 100 == len(set(row))
    assert [qubit for qubit in row if qubit in line] == line.tolist()
    assert all(
        set(row[place : place + 3]) & set(neighbours[qubit].tolist())
        for place, qubit in enumerate(row[:-1])
    )


def test_a_quick_attempt_ends_where_another_result_is_far_better():
    circuit = random_gates(6, 40, 0)
    routed = sabre_sweep.run(Draft.of(circuit), evolve(SETTING, only_gains=True))
    hopeless = evolve(SETTING, only_gains=True, least=two_qubit_gates(routed) / 2)
    with pytest.raises(NothingToGainError):
        sabre_sweep.run(Draft.of(circuit), hopeless)


def test_a_quick_attempt_for_depth_takes_the_shallowest_route():
    circuit = random_gates(8, 60, 1)
    depths = [
        figures(sabre_sweep.run(Draft.of(circuit), setting).circuit, TORINO).two_qubit_depth
        for setting in (SETTING, evolve(SETTING, objective="two_qubit_depth"))
    ]
    assert depths[1] < depths[0]


@pytest.mark.parametrize("make", [random_gates, commuting_gates])
def test_dependencies_of_runs_imply_all_dependencies(make):
    gates = source_of(make(6, 40, 0)).gates
    wires = np.sort(gates.wires, axis=1)
    turned = np.array([turned_by(*pair) for pair in zip(gates.wires, gates.unitaries, strict=True)])
    every = closure(_dependencies(wires, turned), len(wires))
    assert (closure(_dependencies_of_runs(wires, turned, 6), len(wires)) == every).all()


def turned_by(wires, unitary):
    return unitary if wires[0] < wires[1] else with_qubits_swapped(unitary)


def closure(pairs, size):
    needs = np.eye(size, dtype=bool)
    needs[tuple(pairs.T)] = True
    for middle in range(size):
        needs |= np.outer(needs[:, middle], needs[middle])
    return needs
