"""Blocks rewritten for the state that reaches them: same state, fewer two-qubit gates."""

import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.passes import ALL
from compiler.lowering.state_peephole.two_qubit import rewritten, state_peephole
from compiler.targets import target_from_spec

from ..toys import fidelity, routed, two_qubit_gates


def test_literal_toy():
    draft, setting = routed("paper", "literal", "all:17")
    result = state_peephole.run(draft, setting)
    assert two_qubit_gates(result.circuit) < 0.65 * two_qubit_gates(draft.circuit)
    assert fidelity(draft.circuit, result.circuit) == pytest.approx(1, abs=1e-9)


def test_nothing_to_gain_is_the_same_draft():
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.cx(1, 2)
    draft = Draft.of(circuit)
    setting = Setting(target_from_spec("all:3"))
    assert state_peephole.run(draft, setting) is draft
    empty = Draft.of(QuantumCircuit(2))
    assert state_peephole.run(empty, setting) is empty
    assert state_peephole.preserves == ALL
    assert state_peephole.from_zero


def test_constants_and_supports():
    circuit = QuantumCircuit(3)
    circuit.cx(0, 1)  # Its control is |0⟩.
    circuit.ry(0.3, 1)
    circuit.cry(1.1, 1, 2)  # A rotation controlled onto |0⟩ is one CX.
    circuit.swap(0, 1)
    result = rewritten(circuit, 1 << 10)
    assert Statevector(circuit).equiv(Statevector(result))
    assert two_qubit_gates(result) == 2
    assert result.count_ops()["cx"] == 1
    assert result.count_ops()["swap"] == 1


def test_barriers_end_blocks_and_stay():
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.barrier()
    circuit.cx(0, 1)
    assert rewritten(circuit, 1 << 10).count_ops() == circuit.count_ops()
    circuit.cx(0, 1)
    result = rewritten(circuit, 1 << 10)
    assert result.count_ops()["cx"] == 1
    assert [item.operation.name for item in result.data].count("barrier") == 1
    assert Statevector(circuit).equiv(Statevector(result))


def test_wide_gates_are_simulated_and_kept():
    circuit = QuantumCircuit(5)
    circuit.h([0, 1])
    circuit.mcx([0, 1, 2], 3, ctrl_state=3)
    circuit.ccx(0, 2, 4)
    circuit.cx(2, 4)
    circuit.cx(3, 0)
    result = rewritten(circuit, 1 << 10)
    assert Statevector(circuit).equiv(Statevector(result))
    assert "ccx" in result.count_ops()
    assert "cx" in result.count_ops()
    assert two_qubit_gates(result) == 1


def test_too_large_a_state_is_only_followed_in_clusters():
    circuit = QuantumCircuit(4)
    for control, target in [(0, 1), (2, 3)]:
        circuit.h(control)
        circuit.cx(control, target)
    circuit.barrier()
    circuit.cz(0, 1)  # A Z where both are equal.
    result = rewritten(circuit, amplitudes=4)
    assert result.count_ops()["cx"] == 2
    assert "cz" not in result.count_ops()
    assert Statevector(circuit).equiv(Statevector(result))
    assert rewritten(circuit, amplitudes=2) is circuit
