"""The methods of rank plays and tricks: what they predict, and what a ladder computes."""

from math import cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit, transpile
from qiskit.quantum_info import Statevector

from compiler.synthesis.method import predictions
from compiler.verification.operators import verify_operator
from games.trick_taking.operators.rank_play import RankPlay
from games.trick_taking.operators.rank_trick import RankTrick
from games.trick_taking.synthesis.rank_ladder import append_ladder


def lowered(operator):
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.append(operator, range(operator.num_qubits))
    return transpile(
        circuit, basis_gates=["cx", "rz", "sx", "x"], optimization_level=3, seed_transpiler=0
    )


@pytest.mark.parametrize(
    ("operator", "method", "gates"),
    [
        (RankPlay(2), "coin", 0),
        (RankPlay(1), "coin", 0),
        (RankTrick(0), "ladders", 8),
        (RankTrick(1), "ladders", 1),
    ],
)
def test_predicted_gates_are_counted(operator, method, gates):
    assert predictions(operator) == {method: gates}
    circuit = lowered(operator)
    assert circuit.num_nonlocal_gates() == gates
    assert verify_operator(operator, circuit) == len(list(operator.legal_inputs()))


@given(
    controls=st.lists(st.integers(0, 2), max_size=6),
    values=st.integers(0, 7),
    data=st.data(),
)
def test_a_ladder_turns_by_the_sum_of_its_signed_angles(controls, values, data):
    angles = data.draw(
        st.lists(st.floats(-pi, pi), min_size=len(controls) + 1, max_size=len(controls) + 1)
    )
    circuit = QuantumCircuit(4)
    for qubit in range(3):
        if values >> qubit & 1:
            circuit.x(qubit)
    append_ladder(circuit, circuit.qubits[3], [circuit.qubits[c] for c in controls], angles)
    total = 0.0
    for place, angle in enumerate(angles):
        total += angle * (-1) ** sum(values >> c & 1 for c in controls[place:])
    state = Statevector(circuit)
    assert abs(state.data[values]) == pytest.approx(abs(cos(total / 2)), abs=1e-9)
    assert abs(state.data[values | 8]) == pytest.approx(abs(sin(total / 2)), abs=1e-9)
