"""Operators on lists: their circuits against the specification, and that against the rules."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, islice, permutations
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@pytest.mark.parametrize(("width", "chosen", "codes"), [(3, 2, (5, 0, 7, 2)), (2, 1, (3, 1))])
def test_what_a_deal_does(width, chosen, codes):
    operator = SortedDeal(width, chosen, codes)
    assert list(operator.legal_inputs()) == [0]
    dealt = Counter()
    for output, p in operator.action(0).items():
        cards = unpack(output, len(codes), width)
        assert output < 1 << len(codes) * width
        for part in cards[:chosen], cards[chosen:]:
            assert sorted(part, key=codes.index) == part
        assert sorted(cards) == sorted(codes)
        dealt[frozenset(cards[:chosen])] += p
    assert set(dealt) == set(map(frozenset, combinations(codes, chosen)))
    assert set(dealt.values()) == {Fraction(1, comb(len(codes), chosen))}


def test_what_a_split_does():
    operator = ListSplit(3, 4, 2)
    for cards in [(7, 0, 3, 1), (2, 4, 6, 5)]:
        split = {tuple(unpack(output, 4, 3)): p
                 for output, p in operator.action(pack(cards, 3)).items()}  # fmt: skip
        wanted = set()
        for hand in combinations(sorted(cards), 2):
            wanted.add((*hand, *sorted(set(cards) - set(hand))))
        assert split == dict.fromkeys(wanted, Fraction(1, 6))


def test_orders_and_histories_of_a_split_are_the_same_output():
    operator = ListSplit(3, 4, 2)
    outputs = {
        operator.canonical(pack([*hand, *rest], 3) | history << 12)
        for hand in permutations((7, 0))
        for rest in permutations((3, 1))
        for history in range(1 << len(operator.history))
    }
    assert outputs == {pack([0, 7, 1, 3], 3)}


@given(cards=st.permutations(range(8)), size=st.integers(2, 5))
def test_what_a_lead_does(cards, size):
    cards = cards[:size]
    found = LeadPlay(3, size).action(pack(cards, 3))
    played = {}
    for output, p in found.items():
        *others, card = unpack(output, size, 3)
        assert sorted([*others, card]) == sorted(cards)
        played[card] = p
    assert played == dict.fromkeys(cards, Fraction(1, size))


@given(cards=st.permutations(range(16)), size=st.integers(2, 6), led=st.integers(0, 3))
def test_what_a_follower_does(cards, size, led):
    """Cards are class times four plus lane here."""
    cards = cards[:size]
    operator = FollowPlay(2, 2, size)
    following = [card for card in cards if card // 4 == led]
    wanted = following if following else cards
    played = {}
    for output, p in operator.action(pack(cards, 4) | led << 4 * size).items():
        *others, card = unpack(output, size, 4)
        assert sorted([*others, card]) == sorted(cards)
        assert output >> 4 * size == led
        played[card] = p
    assert played == dict.fromkeys(wanted, Fraction(1, len(wanted)))


def test_dirty_ancillas_are_not_canonical():
    operator = FollowPlay(2, 1, 3)
    assert len(operator.history) == 2
    dirty = 1 << operator.history[-1] + 1
    assert operator.canonical(dirty) == dirty
    for qubit in operator.history:
        assert operator.canonical(1 << qubit) == 0


def beats(card, other, led, trumps):
    """Tell whether a card, class times four plus lane, takes a trick from another one."""
    if trumps and (card // 4 == 0) != (other // 4 == 0):
        return card // 4 == 0
    if (card // 4 == led) != (other // 4 == led):
        return card // 4 == led
    return card % 4 < other % 4


@pytest.mark.parametrize("trumps", [False, True])
@given(cards=st.permutations(range(16)), bags=st.lists(st.integers(0, 3), min_size=3, max_size=3))
def test_where_a_tricks_luggage_goes(cards, bags, trumps):
    cards = cards[:3]
    operator = TrickWinner(3, 2, 2, 2, trumps=trumps)
    columns = [card + 16 * bag for card, bag in zip(cards, bags, strict=True)]
    ((output, p),) = operator.action(pack(columns, 6)).items()
    assert p == 1
    found = unpack(output, 3, 6)
    led = cards[0] // 4
    winner = 0
    for turn in (1, 2):
        if beats(cards[turn], cards[winner], led, trumps):
            winner = turn
    # The cards stay with their players but for the two followers, who may change places.
    assert found[0] % 16 == cards[0]
    assert sorted(c % 16 for c in found) == sorted(cards)
    assert found[0] // 16 == bags[winner]
    assert sorted(c // 16 for c in found) == sorted(bags)
    # The better follower comes before the other; but where the leader wins, luggage stays.
    followers = [c % 16 for c in found[1:]]
    assert not beats(followers[1], followers[0], led, trumps)
    if winner == 0:
        bag_of = dict(zip(cards, bags, strict=True))
        assert [c // 16 for c in found[1:]] == [bag_of[card] for card in followers]


@pytest.mark.parametrize("trumps", [False, True])
@given(cards=st.permutations(range(16)))
def test_a_trick_of_two(cards, trumps):
    one, other, *_ = cards
    ((output, _),) = (
        TrickWinner(2, 2, 2, 1, trumps=trumps).action(pack([one, other + 16], 5)).items()
    )
    swapped = beats(other, one, one // 4, trumps)
    assert unpack(output, 2, 5) == ([one + 16, other] if swapped else [one, other + 16])


POINTS = (11, 10, 4, 3, 2, 0)


@given(
    party=st.booleans(),
    lanes=st.lists(st.integers(0, 5), min_size=3, max_size=3),
    score=st.integers(0, 127),
)
def test_what_a_score_does(party, lanes, score):
    operator = TrickScore(3, 3, 7, POINTS)
    basis_state = (
        int(party) + sum(lane << 1 + 3 * i for i, lane in enumerate(lanes)) + (score << 10)
    )
    ((output, p),) = operator.action(basis_state).items()
    added = sum(POINTS[lane] for lane in lanes) if party else 0
    assert (output % (1 << 10), output >> 10, p) == (
        basis_state % (1 << 10),
        (score + added) % 128,
        1,
    )


def test_lists():
    assert pack([3, 0, 2], 2, offset=1) == 0b10_00_11_0
    assert unpack(0b10_00_11_0, 3, 2, offset=1) == [3, 0, 2]
