"""The owners after a trick of two players, against the rule, and the circuit on every input."""

from random import Random

import pytest

from compiler.verification.operators import verify_operator
from games.trick_taking.operators.trick_owner import TrickOwner


@pytest.mark.parametrize("cards", range(2, 6))
def test_definition_meets_the_specification_on_every_legal_input(cards):
    operator = TrickOwner(cards)
    legal = list(operator.legal_inputs())
    assert len(set(legal)) == len(legal) == cards * (cards - 1) // 2 * 2 ** (cards - 1)
    assert verify_operator(operator) == len(legal)


def test_the_stronger_card_takes_the_weaker_one():
    owners, table = 0b0110, 0b1010
    assert TrickOwner(4).action(owners | table << 4) == {0b1110 | table << 4: 1}
    assert TrickOwner(4).action(0b1001 | table << 4) == {0b0001 | table << 4: 1}


def test_random_tricks_are_legal_and_all_come_up():
    operator, random = TrickOwner(3), Random(1)
    assert {operator.random_legal_input(random) for _ in range(200)} == set(operator.legal_inputs())
