"""The sparse simulator against two others: Qiskit's state vector and Microsoft's qdk."""

from math import pi, sqrt
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.circuit.library import (
    HGate,
    PhaseGate,
    RYGate,
    RZGate,
    StatePreparation,
    SwapGate,
    SXGate,
    UGate,
    XGate,
    ZGate,
)
from qiskit.quantum_info import Statevector

from compiler.errors import StateTooLargeError
from compiler.verification.simulation.sparse import SparseState, simulate, simulate_in_steps
from tests.compiler.verification.simulation.states import (
    ANGLES,
    TOLERANCE,
    assert_same_up_to_phase,
    dense,
)


def amplitudes(state):
    return {int.from_bytes(k, "little"): a for k, a in state.by_basis_state().items()}


def assert_agrees_with_qiskit(circuit, initial=0):
    wanted = Statevector.from_int(initial, 1 << circuit.num_qubits).evolve(circuit)
    assert_same_up_to_phase(dense(simulate(circuit, initial), circuit.num_qubits), wanted.data)


QUBITS = 5


@st.composite
def gates(draw):
    """Any gate that a program or a native circuit may hold, on at most four qubits."""
    angle = draw(ANGLES)
    base = draw(
        st.sampled_from(
            [
                *(XGate(), HGate(), SXGate(), ZGate(), SwapGate()),
                *(RYGate(angle), RZGate(angle), PhaseGate(angle)),
                *(UGate(angle, 0.3, -1.1),),
            ]
        )
    )
    controls = draw(st.integers(0, 4 - base.num_qubits))
    if controls == 0:
        return base
    ctrl_state = draw(st.integers(0, (1 << controls) - 1))
    return base.control(controls, ctrl_state=ctrl_state, annotated=False)


NAMED = ["cx", "cz", "ccx", "cswap", "ecr", "rzz", "rxx", "r", "u", "sdg", "t", "y", "iswap", "dcx"]


@st.composite
def circuits(draw):
    """Up to 25 gates on five qubits, some of them nested in a gate of no name."""
    circuit = QuantumCircuit(QUBITS)
    for _ in range(draw(st.integers(1, 25))):
        order = draw(st.permutations(range(QUBITS)))
        kind = draw(st.sampled_from(["gate", "gate", "gate", "named", "prepare", "nested"]))
        if kind == "gate":
            gate = draw(gates())
            circuit.append(gate, order[: gate.num_qubits])
        elif kind == "named":
            name = draw(st.sampled_from(NAMED))
            angles = {"rzz": 1, "rxx": 1, "r": 2, "u": 3}.get(name, 0)
            width = {"ccx": 3, "cswap": 3, "r": 1, "u": 1, "sdg": 1, "t": 1, "y": 1}.get(name, 2)
            getattr(circuit, name)(*(draw(ANGLES) for _ in range(angles)), *order[:width])
        elif kind == "prepare":
            vector = np.array([draw(st.integers(-3, 3)) for _ in range(4)], dtype=complex)
            vector[draw(st.integers(0, 3))] += 4j
            preparation = StatePreparation(vector / np.linalg.norm(vector))
            circuit.append(preparation, order[:2])
        else:
            inner = QuantumCircuit(2, global_phase=draw(ANGLES))
            inner.ch(0, 1)
            inner.sx(0)
            gate = inner.to_gate()
            circuit.append(gate.control(1, annotated=False), order[:3])
            circuit.barrier()
    return circuit


@given(circuit=circuits(), initial=st.integers(0, (1 << QUBITS) - 1))
def test_random_circuits_agree_with_qiskit(circuit, initial):
    assert_agrees_with_qiskit(circuit, initial)


@settings(max_examples=20)
@given(segments=st.lists(circuits(), min_size=1, max_size=4))
def test_steps_agree_with_qiskit(segments):
    wanted = Statevector.from_int(0, 1 << QUBITS)
    states = list(simulate_in_steps(segments))
    assert len(states) == len(segments)
    for segment, state in zip(segments, states, strict=True):
        wanted = wanted.evolve(segment)
        assert_same_up_to_phase(dense(state, QUBITS), wanted.data)


@pytest.mark.parametrize("ctrl_state", [0, 5, 10, 15])
@pytest.mark.parametrize(
    "base",
    [XGate(), ZGate(), PhaseGate(0.7), RYGate(1.3), SwapGate(), HGate()],
    ids=lambda g: g.name,
)
def test_every_kind_of_control(base, ctrl_state):
    circuit = QuantumCircuit(4 + base.num_qubits)
    for qubit in range(circuit.num_qubits):
        circuit.ry(0.4 + qubit, qubit)
        circuit.p(0.1 * qubit, qubit)
    circuit.append(base.control(4, ctrl_state=ctrl_state, annotated=False), circuit.qubits)
    assert_agrees_with_qiskit(circuit)


def test_one_phase_is_common_to_all_inputs():
    """Columns of the matrix, not only single states, agree up to one phase."""
    circuit = QuantumCircuit(3, global_phase=0.9)
    for qubit in range(3):
        circuit.h(qubit)
        circuit.x(qubit)
    circuit.ccx(0, 1, 2)
    circuit.rz(0.3, 1)
    circuit.cry(1.2, 2, 0)
    circuit.sx(1)
    matrix = np.array([dense(simulate(circuit, column), 3) for column in range(8)])
    wanted = np.array([Statevector.from_int(c, 8).evolve(circuit).data for c in range(8)])
    phase = np.vdot(wanted, matrix) / 8
    assert abs(phase) == pytest.approx(1, abs=TOLERANCE)
    assert np.abs(matrix - phase * wanted).max() < TOLERANCE


def hadamards(qubits):
    circuit = QuantumCircuit(qubits)
    circuit.h(range(qubits))
    return circuit


def test_bound_is_the_number_of_amplitudes():
    assert len(simulate(hadamards(5), max_amplitudes=32).amplitudes) == 32
    with pytest.raises(StateTooLargeError, match="the state has more than 16 amplitudes"):
        simulate(hadamards(6), max_amplitudes=32)


def test_bound_counts_states_that_are_there_not_gates():
    """Two hundred branching gates, but never more than four amplitudes."""
    circuit = QuantumCircuit(2)
    for _ in range(100):
        circuit.h(0)
        circuit.cx(0, 1)
        circuit.cx(0, 1)
        circuit.h(0)
        circuit.cx(0, 1)
    state = simulate(circuit, max_amplitudes=4)
    assert {k: abs(a) for k, a in amplitudes(state).items()} == pytest.approx({0: 1})


def test_superpositions_that_cancel_are_merged_before_they_grow():
    circuit = QuantumCircuit(20)
    circuit.h(range(20))
    circuit.h(range(20))
    circuit.cx(0, 1)
    assert amplitudes(simulate(circuit, max_amplitudes=1)).keys() == {0}


@pytest.mark.parametrize(
    ("name", "append"),
    [
        ("measure", lambda circuit: circuit.measure_all()),
        ("reset", lambda circuit: circuit.reset(0)),
        ("opaque", lambda circuit: circuit.append(Gate("opaque", 2, []), [0, 1])),
    ],
)
def test_what_has_no_state_is_refused_by_name(name, append):
    circuit = QuantumCircuit(2)
    circuit.h(0)
    append(circuit)
    with pytest.raises(StateTooLargeError, match=f"gate '{name}' cannot be simulated exactly"):
        simulate(circuit)


def test_probabilities_of_some_qubits_in_the_order_asked_for():
    state = SparseState(
        np.array([[0, 0, 1], [1, 0, 1], [1, 1, 0]], dtype=bool),
        np.array([0.5, 0.5j, -sqrt(0.5)], dtype=complex),
    )
    assert state.probabilities([0, 1, 2]) == pytest.approx({0b100: 0.25, 0b101: 0.25, 0b011: 0.5})
    assert state.probabilities([2, 0]) == pytest.approx({0b01: 0.25, 0b11: 0.25, 0b10: 0.5})
    assert state.probabilities([2]) == pytest.approx({1: 0.5, 0: 0.5})


def test_probabilities_of_more_than_sixty_four_qubits():
    circuit = QuantumCircuit(80)
    circuit.ry(2 * pi / 3, 0)
    circuit.cx(0, 79)
    state = simulate(circuit)
    assert state.probabilities(range(80)) == pytest.approx({0: 0.25, 1 << 79 | 1: 0.75})


@patch("compiler.verification.simulation.sparse.COPIED_AMPLITUDES", 0)
@settings(max_examples=20)
@given(circuit=circuits(), initial=st.integers(0, (1 << QUBITS) - 1))
def test_gates_that_are_tried_on_a_copy_of_the_state_agree_with_qiskit(circuit, initial):
    """As they are for large states; for small ones the amplitudes are only counted."""
    assert_agrees_with_qiskit(circuit, initial)
