"""Lines of coupled qubits, and circuits that are routed along them."""

from itertools import pairwise

import numpy as np
import pytest
from qiskit import QuantumCircuit

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.line.long_lines import long_line, with_sides
from compiler.lowering.line.network import is_dense, swap_network
from compiler.lowering.mirror.routes import RoutingInstance
from compiler.lowering.mirror.source import Routed, Source
from compiler.lowering.sweep.sabre_sweep import sabre_sweep
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec

from ..routed_drafts import assert_does_the_same

TORINO = target_from_spec("heavy-hex:torino")


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


def test_layers_in_which_all_meet_follow_each_other():
    circuit = QuantumCircuit(6)
    for angle in (0.3, 0.4, 0.5):
        for a in range(6):
            for b in range(a):
                circuit.rzz(angle * (a + 1), a, b)
        circuit.rx(0.7, range(6))
    draft = routed_by_network(circuit, "heavy-hex:torino")
    assert_does_the_same(circuit, draft, TORINO)
    assert draft.circuit.num_nonlocal_gates() <= 3 * 4 * 15


def test_wires_that_wait_for_each_other_pass():
    circuit = QuantumCircuit(3)
    for a, b in ((0, 2), (0, 1), (1, 2)):
        circuit.rxx(0.3, a, b)
        circuit.rz(0.2, range(3))
    draft = routed_by_network(circuit, "heavy-hex:torino")
    assert_does_the_same(circuit, draft, TORINO)


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
