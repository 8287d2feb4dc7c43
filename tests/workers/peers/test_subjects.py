"""What is compared is known to whoever asks for it first."""

import subprocess
import sys

import numpy as np
import pytest
from qiskit.quantum_info import Operator as Matrix

from compiler.verification.operators import verify_operator
from workers.peers.subjects import MOVES, Form, Kind, Subject

GATES = [
    "uniform_deal",
    "hand_play",
    "qutrit_cnot",
    *["qutrit_cards"] * 4,
    *["board_counter"] * 2,
    "board_superpose",
    "board_counter",
]
ASKS = """
import os
from workers.peers.subjects import OPERATORS, Kind, Subject

for name in OPERATORS:
    if os.fork() == 0:
        print(Subject(Kind.OPERATOR, name).operator.name, flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.mark.full
def test_an_operator_is_found_in_a_process_that_has_imported_no_games():
    """Each in one of its own: what another has imported helps none."""
    asked = (sys.executable, "-c", ASKS)
    answer = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert answer.stdout.split() == GATES


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
