"""Definitions and synthesis methods against the specification, on legal inputs."""

from itertools import islice
from random import Random

import pytest

from compiler.verification.operators import verify_methods, verify_operator, verify_specification
from games.trick_taking.operators.hand_play import HandPlay
from games.trick_taking.operators.ranks import RankPlay, RankTrick

OTHERS = {
    **{f"hand play {n} {k} {leaves}": (HandPlay(n, k, leaves=leaves), None)
       for n, k in ((1, 1), (3, 2), (4, 1), (4, 4), (5, 3)) for leaves in (False, True)},
    **{f"rank play {n}": (RankPlay(n), None) for n in (1, 2)},
    **{f"rank trick {n}": (RankTrick(n), None) for n in (0, 1)},
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
