"""Windows on three qubits: same state, same couplings, fewer two-qubit gates."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import CZGate
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Operator, Statevector

from compiler.lowering.draft import Draft, Setting
from compiler.lowering.state_peephole.blocks import blocks_of, circuit_of
from compiler.lowering.state_peephole.template import fitted, starts
from compiler.lowering.state_peephole.three_qubit import (
    logical_window,
    state_window,
)
from compiler.lowering.state_peephole.window_search import WindowSearch, templates
from compiler.lowering.state_peephole.windows import windows
from compiler.targets import target_from_spec

from ..toys import fidelity, pairs_of, routed, two_qubit_gates


def test_windows_with_as_many_gates_do_the_same_on_other_pairs():
    circuit = routed("lean", "cheapest", "star:17")[0].circuit
    search = WindowSearch(None, 1 << 10, 100)
    # Few windows are tried at a time, at random.
    swept = (search.swept(circuit, alike=True) for _ in range(50))
    other = next(found for found in swept if found is not circuit)
    assert two_qubit_gates(other) == two_qubit_gates(circuit)
    assert pairs_of(other) - pairs_of(circuit)
    assert fidelity(circuit, other) == pytest.approx(1, abs=1e-9)


def test_before_routing_any_pairs_may_meet():
    # Toffoli gates on a line of qubits whose middle one is done with: all three may meet.
    circuit = QuantumCircuit(4)
    circuit.h([0, 1, 2])
    for a, b in ((0, 1), (1, 2), (0, 1), (1, 2), (0, 1), (2, 3)):
        circuit.cx(a, b)
    draft, setting = Draft.of(circuit), Setting(target_from_spec("star:5"))
    found = logical_window.run(draft, setting).circuit
    assert Statevector(circuit).equiv(Statevector(found))
    assert two_qubit_gates(found) < two_qubit_gates(circuit)


def test_without_budget_nothing_changes():
    circuit = random_circuit(5, 6, max_operands=2, seed=1)
    draft = Draft.of(circuit)
    setting = Setting(target_from_spec("all:5"), budget=0)
    assert state_window.run(draft, setting) is draft


def test_a_window_may_be_moved_behind_what_it_does_not_depend_on():
    circuit = QuantumCircuit(4)
    circuit.cx(0, 1)
    circuit.cx(2, 3)
    circuit.cx(1, 2)
    circuit.cx(0, 1)
    circuit.cx(0, 3)
    blocks = blocks_of(circuit)
    (largest, *_) = windows(blocks)
    assert largest.qubits == (0, 1, 2)
    assert largest.places == (0, 2, 3)
    assert largest.before == (1,)
    assert [block.qubits for block in blocks][largest.before[0]] == (2, 3)


def test_blocks_make_up_the_circuit():
    circuit = random_circuit(4, 10, max_operands=3, seed=4)
    circuit.barrier(1, 2)
    circuit.cx(1, 2)
    again = circuit_of(blocks_of(circuit), circuit)
    again.data = [item for item in again.data if item.operation.name != "barrier"]
    assert Operator(again).equiv(Operator(circuit))


def test_a_template_is_found_again():
    pairs = ((0, 1), (1, 2), (0, 1))
    hidden, columns = starts(3, 3, 6, 3)[0], np.eye(8, dtype=complex)[:, :3]
    circuit = QuantumCircuit(3)
    order = [q for pair in pairs for q in pair] + [0, 1, 2]
    for place, (gate, qubit) in enumerate(zip(hidden, order, strict=True)):
        circuit.unitary(gate, [qubit])
        if place in (1, 3, 5):
            circuit.append(CZGate(), [order[place - 1], qubit])
    goal = Operator(circuit).data @ columns
    assert fitted(columns, goal, pairs, starts(3, 3, 6, 3)[1:]) is not None
    assert fitted(columns, goal, pairs[:1], starts(1, 3, 6, 1)) is None


def test_templates_have_no_pair_thrice_in_a_row():
    line = ((0, 1), (1, 2))
    assert len(templates(line, 2)) == 4
    assert len(templates(line, 3)) == 6
    assert templates((), 2) == ()
