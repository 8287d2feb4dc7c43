"""Circuits through a resonator: exact, and by its rules."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Statevector

from compiler.errors import TargetError, VerificationError
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.native import translated
from compiler.lowering.resonator.moves import require_moves
from compiler.lowering.resonator.scheduling import resonator_scheduling
from compiler.targets import target_from_spec
from compiler.targets.resonator import MoveGate


def lowered(circuit, qubits, budget=10):
    """Return a circuit's draft on a resonator, after checking its moves."""
    target = target_from_spec(f"resonator:{qubits}")
    draft = resonator_scheduling.run(Draft.of(circuit), Setting(target, budget=budget))
    require_moves(draft.circuit)
    return draft, target


def assert_same(circuit, native, draft):
    """Compare the states that result from a random product state."""
    wanted, found = QuantumCircuit(native.num_qubits), QuantumCircuit(native.num_qubits)
    start = QuantumCircuit(circuit.num_qubits)
    for qubit, angles in enumerate(np.random.default_rng(4).uniform(0, 6, (start.num_qubits, 3))):
        start.u(*angles, qubit)
    wanted.compose(start.compose(circuit), draft.final_layout, inplace=True)
    found.compose(start, draft.initial_layout, inplace=True)
    found.compose(native, inplace=True)
    assert abs(Statevector(wanted).inner(Statevector(found))) == pytest.approx(1, abs=1e-9)


@settings(max_examples=15)
@given(st.integers(2, 5), st.integers(0, 10_000), st.integers(0, 1))
def test_random_circuits(qubits, seed, spare):
    circuit = random_circuit(qubits, 5, max_operands=3, seed=seed)
    draft, target = lowered(circuit, qubits + spare)
    native = translated(draft.circuit, target)
    require_moves(native)
    assert set(native.count_ops()) <= {"r", "cz", "move"}
    assert_same(circuit, draft.circuit, draft)
    assert_same(circuit, native, draft)


def test_gates_that_share_an_axis_take_two_moves_together():
    circuit = QuantumCircuit(5)
    for other in (0, 1, 3, 4):
        circuit.h(other)
        circuit.cx(2, other)
    draft, _ = lowered(circuit, 5)
    assert {name: draft.circuit.count_ops()[name] for name in ("cz", "move")} == {
        "cz": 4,
        "move": 2,
    }
    assert_same(circuit, draft.circuit, draft)


def test_a_gate_on_the_moved_qubit_ends_the_run():
    circuit = QuantumCircuit(3)
    circuit.cz(0, 1)
    circuit.h([0, 1])
    circuit.cz(0, 2)
    draft, _ = lowered(circuit, 3)
    assert draft.circuit.count_ops()["move"] == 4


def test_a_phase_takes_two_gates():
    circuit = QuantumCircuit(2)
    circuit.cp(0.7, 0, 1)
    draft, _ = lowered(circuit, 2)
    assert draft.circuit.count_ops()["cz"] == draft.circuit.count_ops()["move"] == 2
    assert_same(circuit, draft.circuit, draft)


def test_searching_wider_takes_fewer_moves():
    rng = np.random.default_rng(0)
    circuit = QuantumCircuit(7)
    for _ in range(60):
        pair = [int(q) for q in rng.choice(7, 2, replace=False)]
        circuit.cx(*pair)
        circuit.t(pair[1])
    narrow, wide = (lowered(circuit, 7, budget)[0].circuit for budget in (1, 50))
    assert wide.count_ops()["cz"] == narrow.count_ops()["cz"]
    assert wide.count_ops()["move"] < narrow.count_ops()["move"]
    assert wide.num_nonlocal_gates() < 0.9 * 3 * 60


def test_nothing_between_qubits():
    circuit = QuantumCircuit(2)
    circuit.h(0)
    draft, _ = lowered(circuit, 2)
    assert draft.circuit.num_nonlocal_gates() == 0


def test_too_many_qubits():
    with pytest.raises(TargetError, match="4 qubits do not fit on the 3"):
        lowered(QuantumCircuit(4), 3)


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (["move 0", "move 1"], "holds the state of 0"),
        (["move 0"], "qubit 0 stays in the resonator"),
        (["move 0", "x 0", "move 0"], "'x' on qubit 0, whose state is in the resonator"),
        (["move 0", "cz 0", "move 0"], "'cz' on qubit 0, whose state is in the resonator"),
        (["cz 1"], "uses an empty resonator"),
        (["move 0", "x 2", "move 0"], r"'x' on \[2\] uses an empty resonator, or it alone"),
    ],
)
def test_broken_rules(steps, message):
    circuit = QuantumCircuit(3)
    for name, qubit in (step.split() for step in steps):
        if name == "move":
            circuit.append(MoveGate(), [int(qubit), 2])
        elif name == "cz":
            circuit.cz(int(qubit), 2)
        else:
            circuit.x(int(qubit))
    with pytest.raises(VerificationError, match=message):
        require_moves(circuit)
