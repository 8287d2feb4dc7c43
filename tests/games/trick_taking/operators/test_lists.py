"""Operators on lists: their circuits against the specification, and that against the rules."""

from itertools import islice
from random import Random

import pytest

from compiler.errors import VerificationError
from games.trick_taking.encodings.wide_dealing import gray_path
from games.trick_taking.operators.list_deal import ListSplit, SortedDeal
from games.trick_taking.operators.list_play import FollowPlay, LeadPlay, WideFollow
from games.trick_taking.operators.list_trick import TrickWinner, WideTrick
from games.trick_taking.operators.lists import pack, unpack
from games.trick_taking.operators.trick_score import SKAT_POINTS, TrickScore, WideScore
from games.trick_taking.operators.wide_deal import WideDeal, WideSplit
from tests.compiler.many_inputs import random_inputs, verify

MOST = 1500
"""Inputs up to which all are tried."""
SAMPLE = 100
SAMPLE_OF_SPLITS = 5
"""Splits have as many branches as there are ways to draw."""

SEVEN, SIXTEEN = (6, 5, 4, 3, 2, 1, 0), tuple(range(16))
OPERATORS = {
    **{f"deal {k} of {codes}": SortedDeal(width, k, codes) for width, k, codes in [
        (2, 1, (0, 3)), (2, 2, (3, 1, 2)), (3, 3, (7, 6, 5, 4)), (3, 4, tuple(range(8))),
        (3, 0, (1, 2)), (3, 3, (5, 0, 2)), (1, 1, (0, 1)), (4, 1, (5,)), (3, 1, SEVEN),
        (3, 6, SEVEN), (5, 4, tuple(range(1, 32, 3))), (4, 3, tuple(range(2, 15))),
    ]},
    **{f"split {n} by {k}, {width} bits": ListSplit(width, n, k) for width, n, k in [
        (1, 1, 1), (1, 2, 1), (2, 2, 2), (2, 2, 1), (2, 3, 1), (2, 3, 2), (2, 4, 1), (2, 4, 2),
        (2, 4, 3), (3, 5, 2), (3, 6, 3), (4, 7, 5), (5, 12, 10), (4, 6, 1),
    ]},
    **{f"lead {n}, {width} bits": LeadPlay(width, n) for width, n in [
        (1, 2), (2, 2), (2, 3), (2, 4), (3, 5), (3, 6), (3, 7), (3, 8), (4, 9), (5, 10),
    ]},
    **{f"follow {n}, {c}+{lane} bits": FollowPlay(c, lane, n) for c, lane, n in [
        (1, 1, 2), (1, 1, 3), (1, 1, 4), (1, 2, 3), (2, 1, 2), (2, 1, 3), (3, 1, 2), (3, 1, 3),
        (2, 2, 5), (1, 3, 6), (3, 2, 4), (2, 3, 8), (2, 3, 10),
    ]},
    **{f"trick of {m}, {c}+{lane} bits, {bag} luggage{', trumps' if t else ''}":
       TrickWinner(m, c, lane, bag, trumps=t)
       for m in (2, 3) for c in range(4) for lane in (1, 2)
       for t in ((False, True) if c else (False,))
       for bag in (0, 1, 2) if 1 << c + lane >= m},
    "trick of Skat": TrickWinner(3, 2, 3, 46, trumps=True),
    "trick of paper rules": TrickWinner(3, 0, 5, 1, trumps=False),
    **{f"score of {cards} in {size} bits, {points}":
       TrickScore(cards, bits, size, points) for cards, bits, size, points in [
        (1, 1, 2, (0, 1)), (1, 1, 2, (1, 0)), (2, 1, 2, (1, 1)), (1, 1, 3, (1,)),
        (1, 2, 4, (4, 4, 4, 4)), (1, 2, 4, (4, 4, 4)), (1, 3, 4, (4, 4, 4)), (1, 1, 4, (7, 7)),
        (1, 2, 5, (5, 5, 0, 5)), (2, 2, 3, (2, 0, 2)), (1, 2, 4, (6, 2, 4, 0)),
        (1, 3, 5, (11, 10, 4, 3, 2, 0, 0, 0)), (1, 2, 3, (0, 0, 0, 1)), (1, 2, 3, (0, 3)),
        (1, 2, 5, (8, 0, 8, 0)), (1, 3, 4, (0, 2, 1, 2, 0)), (1, 1, 8, (1, 2)),
        (1, 4, 5, (11, 11, 2, 3, 4, 5, 6, 7, 8, 9)), (1, 3, 4, (1, 2, 3, 4, 5, 6, 7)),
        (1, 3, 4, (7, 6, 5, 4, 3, 2, 1, 0)), (3, 1, 4, (3, 1)), (3, 3, 8, (2, 11, 10, 4, 3, 0, 0)),
        (1, 1, 1, (0, 0)), (2, 2, 3, (0, 0, 0)), (0, 2, 3, (2, 1)),
    ]},
    **{f"wide deal {k} of {n}": WideDeal(3, k, gray_path(range(n)))
       for n, k in [(2, 1), (4, 2), (5, 2), (7, 3), (8, 4), (8, 1), (8, 6)]},
    **{f"wide split {n} by {k}": WideSplit(4, n, k)
       for n, k in [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3), (8, 4), (9, 2), (12, 2)]},
    **{f"wide follow {n}, {c}+{lane} bits": WideFollow(c, lane, n) for c, lane, n in [
        (1, 1, 2), (1, 1, 3), (2, 1, 4), (3, 1, 3), (2, 2, 5), (1, 3, 6), (3, 2, 7), (2, 3, 10)]},
    **{f"wide trick of {m}, {c}+{lane} bits, {bag} luggage{', trumps' if t else ''}":
       WideTrick(m, c, lane, bag, trumps=t)
       for m in (2, 3) for c in (1, 2, 3) for lane in (1, 2) for t in (False, True)
       for bag in (0, 2)},
    "wide trick of Skat": WideTrick(3, 2, 4, 54, trumps=True),
    **{f"wide score of {cards} in {size} bits, {points}": WideScore(cards, bits, size, points)
       for cards, bits, size, points in [
        (1, 1, 2, (0, 1)), (2, 1, 2, (1, 1)), (1, 2, 4, (4, 4, 4)), (2, 2, 3, (2, 0, 2)),
        (1, 3, 5, (11, 10, 4, 3, 2, 0, 0, 0)), (3, 1, 4, (3, 1)), (3, 4, 7, SKAT_POINTS),
        (2, 2, 3, (0, 0, 0))]},
}  # fmt: skip


@pytest.fixture(params=OPERATORS)
def operator(request):
    return OPERATORS[request.param]


def inputs_of(operator):
    """Return all legal inputs if there are not too many, else random ones."""
    found = list(islice(operator.legal_inputs(), MOST + 1))
    if len(found) <= MOST:
        return found
    sample = SAMPLE_OF_SPLITS if isinstance(operator, ListSplit | WideSplit) else SAMPLE
    return random_inputs(operator, Random(3), sample)


def test_circuits_meet_their_specification(operator):
    inputs = inputs_of(operator)
    assert verify(operator, inputs=inputs) == len(inputs)


def test_actions_are_distributions_over_canonical_states(operator):
    for basis_state in islice(inputs_of(operator), 40):
        action = operator.action(basis_state)
        assert sum(action.values()) == 1
        assert all(operator.canonical(output) == output for output in action)
        assert all(0 <= output < 1 << operator.num_qubits for output in action)


def test_random_inputs_are_legal(operator):
    found = list(islice(operator.legal_inputs(), MOST + 1))
    if len(found) <= MOST and not (isinstance(operator, TrickWinner) and operator.luggage):
        assert set(random_inputs(operator, Random(1), 30)) <= set(found)


def test_a_wrong_specification_is_noticed():
    with pytest.raises(VerificationError, match="lead_play"):
        verify(LeadPlay(2, 3), FollowPlay(1, 1, 3).definition, [0b100100, 0b010011])


# Each specification against a second writing of what the operator is to do.


def test_dirty_ancillas_are_not_canonical():
    operator = FollowPlay(2, 1, 3)
    assert len(operator.history) == 2
    dirty = 1 << operator.history[-1] + 1
    assert operator.canonical(dirty) == dirty
    for qubit in operator.history:
        assert operator.canonical(1 << qubit) == 0


def test_lists():
    assert pack([3, 0, 2], 2, offset=1) == 0b10_00_11_0
    assert unpack(0b10_00_11_0, 3, 2, offset=1) == [3, 0, 2]
