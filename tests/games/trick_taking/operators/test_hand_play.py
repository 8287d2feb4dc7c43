"""Hand plays that keep the hand's flags, and hand plays that clear the played card's."""

from fractions import Fraction

import pytest

from compiler.verification.operators import verify_operator
from games.trick_taking.operators import HandPlay


@pytest.mark.parametrize("leaves", [False, True])
@pytest.mark.parametrize(("cards", "hand"), [(1, 1), (3, 2), (4, 1), (4, 4), (5, 3)])
def test_definition_meets_the_specification(cards, hand, leaves):
    operator = HandPlay(cards, hand, leaves=leaves)
    assert verify_operator(operator) == len(list(operator.legal_inputs()))


def test_flags_stay_unless_the_card_leaves():
    half = Fraction(1, 2)
    assert HandPlay(3, 2).action(0b101) == {0b001_101: half, 0b100_101: half}
    assert HandPlay(3, 2, leaves=True).action(0b101) == {0b001_100: half, 0b100_001: half}
