"""What is compared is known to whoever asks for it first."""

import numpy as np
import pytest
from qiskit.quantum_info import Operator as Matrix

from compiler.verification.operators import verify_operator
from workers.peers.subjects import MOVES, Form, Kind, Subject


@pytest.mark.parametrize("move", MOVES)
def test_a_move_is_given_as_its_matrix(move):
    """The papers' gates and their matrix do the same; ours is right on legal boards."""
    subject = Subject(Kind.OPERATOR, move)
    alone, literal = subject.given(Form.UNITARY), subject.given(Form.LITERAL)
    (item,) = alone.gates.data
    assert item.operation.name == "unitary"
    assert np.allclose(Matrix(alone.gates).data, Matrix(literal.gates).data)
    assert alone.program.data[0].operation == subject.operator
    assert verify_operator(subject.operator, alone.gates) == len([*subject.operator.legal_inputs()])
