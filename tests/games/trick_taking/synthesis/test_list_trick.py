"""Tricks of lists: ancillas, predictions, and gates that must not be missing."""

import pytest

from compiler.synthesis.method import predictions
from games.trick_taking.operators.list_trick import TrickWinner
from games.trick_taking.synthesis.list_trick import trick_ancillas


@pytest.mark.parametrize(
    ("class_bits", "lane_bits", "trumps", "ancillas"),
    [(0, 5, 0, (0, 0, 0)), (1, 2, 0, (1, 1, 0)), (2, 3, 1, (2, 2, 0)), (3, 3, 1, (2, 2, 1))],
)
def test_ancillas(class_bits, lane_bits, trumps, ancillas):
    assert trick_ancillas(class_bits, lane_bits, trumps) == ancillas


@pytest.mark.parametrize("more", [1, 2, 5])
def test_luggage_takes_four_gates_a_qubit_and_swap(more):
    few, many = TrickWinner(3, 2, 3, 1, trumps=True), TrickWinner(3, 2, 3, 1 + more, trumps=True)
    (one,), (other,) = predictions(few).values(), predictions(many).values()
    assert other - one == 2 * 4 * more
