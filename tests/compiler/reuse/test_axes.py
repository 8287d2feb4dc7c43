"""Gates that are said to turn about the same axis commute, as their matrices do."""

from itertools import permutations

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.circuit.library import (
    C3XGate,
    CCXGate,
    CHGate,
    CPhaseGate,
    CXGate,
    CZGate,
    DiagonalGate,
    HGate,
    MCPhaseGate,
    Measure,
    RXXGate,
    RYGate,
    RZXGate,
    RZZGate,
    SGate,
    SwapGate,
    SXGate,
    UGate,
    UnitaryGate,
    XGate,
    iSwapGate,
)
from qiskit.quantum_info import Operator

from compiler.reuse.axes import axes_of
from compiler.reuse.narrowing import narrowest

GATES = (
    XGate(), SXGate(), SGate(), HGate(), RYGate(0.3), UGate(0.1, 0.2, 0.3), CXGate(), CZGate(),
    CXGate(ctrl_state=0), CPhaseGate(0.4), CHGate(), RZZGate(0.5), RXXGate(0.6), RZXGate(0.7),
    SwapGate(), CCXGate(), C3XGate(),
)  # fmt: skip


@pytest.mark.parametrize(
    ("gate", "axes"),
    [
        (SXGate(), ("x",)),
        (RYGate(0.3), ("y",)),
        (SGate(), ("z",)),
        (HGate(), (None,)),
        (CXGate(), ("z", "x")),
        (RZXGate(0.7), ("z", "x")),
        (CHGate(), ("z", None)),
        (C3XGate(), ("z", "z", "z", "x")),
        (XGate().control(6), (*"zzzzzz", "x")),
        (HGate().control(2, annotated=False), ("z", "z", None)),
        (RYGate(0.3).control(3, annotated=False), ("z", "z", "z", "y")),
        (iSwapGate().control(1, annotated=False), ("z", None, None)),
        (MCPhaseGate(0.3, 2), ("z", "z", "z")),
        (MCPhaseGate(0.3, 5), ("z",) * 6),
        (SwapGate(), (None, None)),
        (Measure(), (None,)),
    ],
)
def test_axes_of_known_gates(gate, axes):
    assert axes_of(gate) == axes


def test_gates_of_other_classes_have_no_axis_whatever_they_are_called():
    assert axes_of(Gate("rz", 1, [0.3])) == (None,)
    assert set(axes_of(UnitaryGate(XGate()))) == {None}


@pytest.mark.parametrize("controls", [1, 2, 5])
def test_controlled_gates_of_other_classes_have_no_axis(controls):
    own = QuantumCircuit(1, name="own")
    own.rz(0.3, 0)
    for base in (own.to_gate(), UnitaryGate(XGate()), DiagonalGate([1, 1j])):
        assert set(axes_of(base.control(controls, annotated=False))) == {None}


def test_circuits_of_users_own_controlled_gates_are_narrowed():
    own = QuantumCircuit(1, name="own")
    own.rz(0.3, 0)
    circuit = QuantumCircuit(3, 3)
    circuit.h(0)
    circuit.append(own.to_gate().control(1, annotated=False), [0, 1])
    circuit.append(HGate().control(1, annotated=False), [0, 1])
    circuit.measure([0, 1], [0, 1])
    circuit.measure(2, 2)
    assert len(narrowest(circuit)) == 2


@pytest.mark.parametrize("first", GATES, ids=lambda gate: gate.name)
def test_gates_with_the_same_axes_on_what_they_share_commute(first):
    """Every other gate is laid across this one in every way on five qubits."""
    seen = 0
    own = range(first.num_qubits)
    for second in GATES:
        for places in permutations(range(5), second.num_qubits):
            shared = [qubit for qubit in own if qubit in places]
            mine, theirs = axes_of(first), axes_of(second)
            if not shared or any(
                mine[qubit] is None or mine[qubit] != theirs[places.index(qubit)]
                for qubit in shared
            ):
                continue
            one, other = QuantumCircuit(5), QuantumCircuit(5)
            one.append(first, own)
            one.append(second, places)
            other.append(second, places)
            other.append(first, own)
            assert np.allclose(Operator(one).data, Operator(other).data)
            seen += 1
            if seen > 150:
                return
    assert seen or set(axes_of(first)) == {None}
