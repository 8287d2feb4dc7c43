"""Closed controls do the same as open ones, by flips."""

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate
from qiskit.circuit.library import HGate, RYGate, XGate
from qiskit.quantum_info import Operator

from compiler.synthesis.controls import closed_controls


@pytest.mark.parametrize("ctrl_state", range(8))
@pytest.mark.parametrize("base", [XGate(), RYGate(0.3), HGate()], ids=lambda gate: gate.name)
def test_every_control_state(base, ctrl_state):
    circuit = QuantumCircuit(5)
    circuit.append(base.control(3, ctrl_state=ctrl_state, annotated=False), [4, 0, 3, 1])
    closed = closed_controls(circuit)
    assert Operator(closed) == Operator(circuit)
    controlled = [i.operation for i in closed.data if isinstance(i.operation, ControlledGate)]
    assert [gate.ctrl_state for gate in controlled] == [7]
    assert closed.count_ops().get("x", 0) == 2 * (3 - ctrl_state.bit_count())
