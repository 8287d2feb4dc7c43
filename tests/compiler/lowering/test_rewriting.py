"""Rewritten circuits prepare the same state, and routed ones keep their target's gates."""

from functools import partial

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Statevector

from compiler.lowering.dont_care.controls import without_idle_controls
from compiler.lowering.dont_care.dont_care import dont_care, simplified
from compiler.lowering.dont_care.shared_controls import with_shared_controls
from compiler.lowering.operators.lazy_copies import without_idle_copies
from compiler.lowering.state_peephole.three_qubit import PATIENCE, state_window, window_rewritten
from compiler.lowering.state_peephole.two_qubit import rewritten, state_peephole
from tests.compiler.lowering.toys import fidelity, pairs_of, routed, two_qubit_gates

COPYING = ("x", "z", "h", "s", "cx", "cx", "cx", "cx", "cz", "ccx")


def operands(seed, most=4, qubits=6):
    return random_circuit(qubits, 8, max_operands=1 + seed % most, seed=seed)


def copies(seed):
    """Return a circuit with many CX, so that qubits are copied, moved and erased."""
    random = np.random.default_rng(seed)
    circuit = QuantumCircuit(int(random.integers(3, 7)))
    for name in random.choice(COPYING, 30).tolist():
        width = len(name) if name in ("cx", "cz", "ccx") else 1
        getattr(circuit, name)(*random.permutation(circuit.num_qubits)[:width].tolist())
    return circuit


def copies_in_use(seed):
    """Return random gates, among them some on copies, odd ones, and copies of several qubits."""
    circuit = QuantumCircuit(7)
    circuit.compose(random_circuit(4, 3, max_operands=2, seed=seed), inplace=True)
    circuit.cx([0, 1, 0], [4, 5, 6])
    circuit.x(6)
    circuit.compose(random_circuit(7, 6, max_operands=3, seed=seed), inplace=True)
    return circuit


@pytest.mark.parametrize(
    ("rewrite", "build", "seeds"),
    [
        (without_idle_controls, operands, 24),
        (simplified, operands, 24),
        (with_shared_controls, copies_in_use, 24),
        (without_idle_copies, copies, 60),
        (partial(rewritten, amplitudes=1 << 10), partial(operands, qubits=5), 12),
    ],
)
def test_random_circuits_keep_their_state(rewrite, build, seeds):
    for seed in range(seeds):
        circuit = build(seed)
        found = rewrite(circuit)
        assert Statevector(circuit).equiv(Statevector(found))
        if all(len(item.qubits) < 3 for item in circuit.data):
            assert two_qubit_gates(found) <= two_qubit_gates(circuit)


@pytest.mark.parametrize("patience", [0, PATIENCE])
@pytest.mark.parametrize("seed", range(4))
def test_windows_keep_the_state_and_the_pairs(seed, patience):
    circuit = random_circuit(5, 4, max_operands=2, seed=seed)
    coupled = frozenset((a, b) for pair in pairs_of(circuit) for a in pair for b in pair if a != b)
    found = window_rewritten(circuit, coupled, 20, patience)
    assert Statevector(circuit).equiv(Statevector(found))
    assert two_qubit_gates(found) <= two_qubit_gates(circuit)
    assert pairs_of(found) <= pairs_of(circuit)


@pytest.mark.parametrize(
    ("step", "encoding", "method", "spec", "saved"),
    [
        (state_window, "lean", "cheapest", "star:17", 3),
        (state_window, "lean", "cheapest", "heavy-hex:torino", 3),
        (state_window, "paper", "cheapest", "star:17", 3),
        (state_peephole, "lean", "cheapest", "star:17", 1),
        (state_peephole, "lean", "cheapest", "heavy-hex:torino", 1),
        (state_peephole, "paper", "cheapest", "star:17", 2),
        (state_peephole, "paper", "cheapest", "heavy-hex:torino", 3),
        (dont_care, "paper", "cheapest", "star:17", 0),
        pytest.param(dont_care, "paper", "literal", "star:17", 50, marks=pytest.mark.full),
    ],
)
def test_routed_toys_save_gates_and_stay_native(step, encoding, method, spec, saved):
    draft, setting = routed(encoding, method, spec)
    result = step.run(draft, setting)
    assert step.run(draft, setting).circuit == result.circuit
    assert two_qubit_gates(draft.circuit) - two_qubit_gates(result.circuit) >= saved
    assert fidelity(draft.circuit, result.circuit) == pytest.approx(1, abs=1e-9)
    assert result.final_layout == draft.final_layout
    for item in result.circuit.data:
        places = tuple(result.circuit.find_bit(qubit).index for qubit in item.qubits)
        assert setting.target.instruction_supported(item.operation.name, places)
