"""The mirror router, proven on small lattices and on a real device, beside Qiskit."""

import numpy as np
import pytest
from qiskit import QuantumCircuit

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.mirror.router import mirror
from compiler.lowering.qiskit_level_3 import qiskit_level_3
from compiler.targets import target_from_spec

from ..routed_drafts import assert_does_the_same, random_gates

TORINO = target_from_spec("heavy-hex:torino")


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


def test_circuits_without_two_qubit_gates():
    circuit = QuantumCircuit(3, global_phase=0.5)
    circuit.h(1)
    draft = mirror.run(Draft.of(circuit), Setting(TORINO, budget=4))
    assert_does_the_same(circuit, draft, TORINO)
    assert draft.circuit.num_nonlocal_gates() == 0


def gates_beside_qiskit(circuit, budget):
    """Return our two-qubit gates and the least of five seeds of Qiskit's level 3."""
    ours = mirror.run(Draft.of(circuit), Setting(TORINO, budget=budget))
    theirs = [qiskit_level_3.run(Draft.of(circuit), Setting(TORINO, seed=s)) for s in range(5)]
    assert_does_the_same(circuit, ours, TORINO)
    return ours.circuit.num_nonlocal_gates(), min(
        draft.circuit.num_nonlocal_gates() for draft in theirs
    )


def test_swaps_beside_gates_and_idle_qubits_are_made_use_of():
    ours, theirs = gates_beside_qiskit(random_gates(7, 60, 1), 50)
    assert ours <= 0.92 * theirs
