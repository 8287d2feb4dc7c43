"""Definitions and synthesis methods against the specification, on legal inputs."""

from itertools import islice
from random import Random

import pytest

from compiler.verification.operators import verify_methods, verify_operator, verify_specification
from games.trick_taking.operators.chronicle import ChronicleDeal, ChroniclePlay, ChronicleTrick
from games.trick_taking.operators.hand_play import HandPlay
from games.trick_taking.operators.ranks import RankPlay, RankTrick
from games.trick_taking.operators.trick_owner import TrickOwner

FREE = None
OTHERS = {
    **{f"hand play {n} {k} {leaves}": (HandPlay(n, k, leaves=leaves), None)
       for n, k in ((1, 1), (3, 2), (4, 1), (4, 4), (5, 3)) for leaves in (False, True)},
    **{f"owner of {n}": (TrickOwner(n), None) for n in range(2, 6)},
    **{f"rank play {n}": (RankPlay(n), None) for n in (1, 2)},
    **{f"rank trick {n}": (RankTrick(n), None) for n in (0, 1)},
    "deal 2 2": (ChronicleDeal((2, 2), (FREE,) * 4), None),
    "deal 2 2 1": (ChronicleDeal((2, 2, 1), (FREE,) * 5), None),
    "deal 1 2 2 1": (ChronicleDeal((1, 2, 2, 1), (FREE,) * 6), None),
    "deal 2 2 2 1": (ChronicleDeal((2, 2, 2, 1), (FREE,) * 5 + (2, FREE)), None),
    "play 1 of 2": (ChroniclePlay(3, 1, 2, seat=0, hand=2, trick=0), None),
    "play 1 of 1": (ChroniclePlay(4, 1, 2, seat=1, hand=1, trick=1), 6),
    "play 1 of 3": (ChroniclePlay(6, 2, 2, seat=2, hand=3, trick=1), 3),
    "trick of 2": (ChronicleTrick(4, 1, 2, players=2, trick=0), 6),
    "trick of 3": (ChronicleTrick(6, 2, 2, players=3, trick=1), 3),
}  # fmt: skip
"""Operators, with the number of random inputs where there are too many legal ones."""


def test_every_definition_and_method_meets_the_specification(operator):
    legal = list(islice(operator.legal_inputs(), 2001))
    assert verify_operator(operator) == len(legal) <= 2000
    assert verify_specification(operator) == len(legal)
    tried = verify_methods(operator, legal[::7])
    assert tried.keys() >= {"literal"}
    assert set(tried.values()) == {len(legal[::7])}


@pytest.mark.parametrize(("other", "inputs"), OTHERS.values(), ids=OTHERS)
def test_other_definitions_meet_the_specification(other, inputs):
    random = Random(1)
    drawn = [other.random_legal_input(random) for _ in range(inputs or 0)]
    tried = drawn or list(other.legal_inputs())
    assert verify_operator(other, inputs=tried) == len(tried)
