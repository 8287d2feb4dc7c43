"""Scores: addition, decoding of points, predictions, and gates that must not be missing."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit

from compiler.synthesis.method import predictions
from games.trick_taking.operators.trick_score import TrickScore
from games.trick_taking.synthesis.trick_score import add_into, score_ancillas
from tests.compiler.many_inputs import final_states, random_inputs, verify


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("more", [1, 2, 4])
def test_add_into(size, more):
    """All numbers and all values of the register; the docstring's number of gates."""
    wide = size + more
    carries = max(1, more)
    circuit = QuantumCircuit(size + wide + carries)
    total = range(size, size + wide)
    add_into(circuit, range(size), total, range(size + wide, circuit.num_qubits))
    assert circuit.num_nonlocal_gates() == 10 * size + 7 * more - 9
    for start, state in final_states(circuit, range(1 << size + wide)).items():
        (bits,) = state.bits
        number, value = start & (1 << size) - 1, start >> size
        wanted = number | (value + number) % (1 << wide) << size
        assert sum(int(bit) << q for q, bit in enumerate(bits)) == wanted


@given(
    points=st.integers(1, 3).flatmap(
        lambda bits: st.lists(
            st.integers(0, 11), min_size=(1 << bits - 1) + (bits > 1), max_size=1 << bits
        )
    ),
    more=st.integers(1, 2),
)
def test_any_table_of_points(points, more):
    lane_bits = max(1, (len(points) - 1).bit_length())
    operator = TrickScore(1, lane_bits, max(points).bit_length() + more, points)
    assert verify(operator) == len(points) << operator.score_bits + 1


@given(points=st.lists(st.integers(0, 11), min_size=5, max_size=8))
def test_every_flag_is_used(points):
    flags, _ = score_ancillas(3, 5, points)
    operator = TrickScore(1, 3, 5, points)
    circuit = operator.definition
    used = {circuit.find_bit(q).index for item in circuit.data for q in item.qubits}
    first = 1 + 3 + 5
    if any(points):
        assert set(range(first, first + flags)) <= used
    else:
        assert not used


SKAT = (2, 11, 10, 4, 3, 0, 0, 0)


def test_cards_that_count_nothing_take_no_gate():
    operator = TrickScore(3, 3, 4, (0,) * 7)
    assert predictions(operator) == {"ripple": 0}
    assert verify(operator, inputs=random_inputs(operator, Random(1), 50)) == 50
