"""Scores: addition, decoding of points, predictions, and gates that must not be missing."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from compiler.synthesis.method import predictions
from games.trick_taking.operators.trick_score import TrickScore
from tests.compiler.many_inputs import random_inputs, verify


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


def test_cards_that_count_nothing_take_no_gate():
    operator = TrickScore(3, 3, 4, (0,) * 7)
    assert predictions(operator) == {"ripple": 0}
    assert verify(operator, inputs=random_inputs(operator, Random(1), 50)) == 50
