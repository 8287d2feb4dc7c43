"""Operators on a chronicle, against their specifications."""

from random import Random

import pytest

from compiler.verification.operators import verify_operator
from games.trick_taking.operators.chronicle import ChronicleDeal, ChroniclePlay, ChronicleTrick
from games.trick_taking.synthesis.chronicle import code_bits

OPERATORS = [
    (ChronicleDeal((2, 2), (None,) * 4), None),
    (ChronicleDeal((2, 2, 1), (None,) * 5), None),
    (ChronicleDeal((1, 2, 2, 1), (None,) * 6), None),
    (ChronicleDeal((2, 2, 2, 1), (None,) * 5 + (2, None)), None),
    (ChroniclePlay(3, 1, 2, seat=0, hand=2, trick=0), None),
    (ChroniclePlay(4, 1, 2, seat=1, hand=1, trick=1), 6),
    (ChroniclePlay(6, 2, 2, seat=2, hand=3, trick=1), 3),
    (ChronicleTrick(4, 1, 2, players=2, trick=0), 6),
    (ChronicleTrick(6, 2, 2, players=3, trick=1), 3),
]


@pytest.mark.parametrize(
    ("operator", "inputs"), OPERATORS, ids=[f"{op.name}{op.params}" for op, _ in OPERATORS]
)
def test_operator_does_what_it_says(operator, inputs):
    random = Random(1)
    tried = [operator.random_legal_input(random) for _ in range(inputs)] if inputs else None
    assert verify_operator(operator, inputs=tried) == (inputs or len(list(operator.legal_inputs())))


def test_codes_of_tricks_leave_the_two_top_bits_for_cards_in_hand():
    assert [code_bits(tricks) for tricks in (1, 2, 3, 4, 6, 7, 10, 12, 13)] == [
        2, 2, 2, 3, 3, 4, 4, 4, 5,
    ]  # fmt: skip
    for tricks in range(1, 40):
        assert tricks <= 3 << code_bits(tricks) - 2
