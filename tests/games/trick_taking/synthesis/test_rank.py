"""The methods of rank plays and tricks: what they predict, and what a ladder computes."""

import pytest
from qiskit import QuantumCircuit, transpile

from compiler.synthesis.method import predictions
from compiler.verification.operators import verify_operator
from games.trick_taking.operators.ranks import RankPlay, RankTrick


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
