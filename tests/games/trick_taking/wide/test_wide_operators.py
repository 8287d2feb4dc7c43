"""Operators of the wide lists: their circuits against the specification, and what they take."""

from itertools import combinations, islice
from random import Random

import pytest

from compiler.synthesis.method import predictions
from games.trick_taking.encodings.card_codes import card_codes
from games.trick_taking.named.skat_32 import skat_32
from games.trick_taking.operators.trick_score import SKAT_POINTS
from games.trick_taking.wide.deal import WideDeal
from games.trick_taking.wide.follow import WideFollow
from games.trick_taking.wide.gray_path import gray_path, path_length
from games.trick_taking.wide.score import WideScore
from games.trick_taking.wide.split import WideSplit, switches
from games.trick_taking.wide.trick import WideTrick
from tests.compiler.many_inputs import is_noticed, random_inputs, verify, without_gate

MOST = 400
SAMPLE = 40
SAMPLE_OF_SPLITS = 4

OPERATORS = {
    **{f"deal {k} of {n}": WideDeal(3, k, gray_path(range(n)))
       for n, k in [(2, 1), (4, 2), (5, 2), (7, 3), (8, 4), (8, 1), (8, 6)]},
    **{f"split {n} by {k}": WideSplit(4, n, k)
       for n, k in [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3), (8, 4), (9, 2), (12, 2)]},
    **{f"follow {n}, {c}+{lane} bits": WideFollow(c, lane, n) for c, lane, n in [
        (1, 1, 2), (1, 1, 3), (2, 1, 4), (3, 1, 3), (2, 2, 5), (1, 3, 6), (3, 2, 7), (2, 3, 10)]},
    **{f"trick of {m}, {c}+{lane} bits, {bag} luggage{', trumps' if t else ''}":
       WideTrick(m, c, lane, bag, trumps=t)
       for m in (2, 3) for c in (1, 2, 3) for lane in (1, 2) for t in (False, True)
       for bag in (0, 2)},
    "trick of Skat": WideTrick(3, 2, 4, 54, trumps=True),
    **{f"score of {cards} in {size} bits, {points}": WideScore(cards, bits, size, points)
       for cards, bits, size, points in [
        (1, 1, 2, (0, 1)), (2, 1, 2, (1, 1)), (1, 2, 4, (4, 4, 4)), (2, 2, 3, (2, 0, 2)),
        (1, 3, 5, (11, 10, 4, 3, 2, 0, 0, 0)), (3, 1, 4, (3, 1)), (3, 4, 7, SKAT_POINTS),
        (2, 2, 3, (0, 0, 0))]},
}  # fmt: skip


def inputs_of(operator):
    """Return all legal inputs if there are not too many, else random ones."""
    found = list(islice(operator.legal_inputs(), MOST + 1))
    if len(found) <= MOST:
        return found
    sample = SAMPLE_OF_SPLITS if isinstance(operator, WideSplit) else SAMPLE
    return random_inputs(operator, Random(5), sample)


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=OPERATORS)
def test_circuits_do_what_is_specified(operator):
    inputs = inputs_of(operator)
    assert verify(operator, None, inputs) == len(inputs)


@pytest.mark.parametrize(
    ("operator", "gates"),
    [
        (WideDeal(6, 12, gray_path(card_codes(skat_32()).codes)), 928),
        (WideSplit(6, 20, 10), 1200),
        (WideSplit(6, 12, 2), 416),
        (WideFollow(2, 4, 10), 400),
        (WideTrick(3, 2, 4, 54, trumps=True), 518),
        (WideScore(3, 4, 7, SKAT_POINTS), 176),
    ],
    ids=lambda each: getattr(each, "name", str(each)),
)
def test_gates_of_the_whole_game(operator, gates):
    assert list(predictions(operator).values()) == [gates]


@pytest.mark.parametrize(("cards", "chosen"), [(n, k) for n in range(2, 11) for k in range(1, 6)])
def test_switches_bring_every_subset_to_the_first_places(cards, chosen):
    if 2 * chosen > cards:
        with pytest.raises(ValueError, match="smaller part"):
            WideSplit(4, cards, chosen)
        return
    for subset in combinations(range(cards), chosen):
        _assert_brought_together(cards, subset)


@pytest.mark.parametrize(("cards", "chosen"), [(20, 10), (22, 10), (31, 15), (32, 16)])
def test_switches_bring_large_subsets_to_the_first_places(cards, chosen):
    random = Random(3)
    for _ in range(300):
        _assert_brought_together(cards, tuple(sorted(random.sample(range(cards), chosen))))


def _assert_brought_together(cards, subset):
    places = [card in subset for card in range(cards)]
    columns = set()
    for switch in switches(cards, len(subset)):
        so_far = sum(card <= switch.column for card in subset)
        if (switch.odd + sum(so_far > rank for rank in switch.ranks)) % 2:
            a, b = switch.first, switch.second
            places[a], places[b] = places[b], places[a]
        columns.add((switch.column, switch.ranks))
    assert places == [True] * len(subset) + [False] * (cards - len(subset)), subset
    ranks = [(column, rank) for column, able in columns for rank in able]
    assert len(set(ranks)) == len(ranks), "a thermometer controls one switch"


def test_a_gray_path_of_the_deck_changes_one_bit_a_card():
    codes = card_codes(skat_32()).codes
    path = gray_path(codes)
    assert sorted(path) == sorted(codes)
    assert path_length(path) <= 33


MUTATED = {
    "deal": WideDeal(3, 2, (1, 3, 2, 6)),
    "split": WideSplit(3, 4, 2),
    "follow": WideFollow(2, 1, 3),
    "trick": WideTrick(3, 2, 2, 1, trumps=True),
    "score": WideScore(2, 2, 4, (3, 0, 2)),
}


@pytest.mark.parametrize("operator", MUTATED.values(), ids=MUTATED)
def test_missing_gates_are_noticed(operator):
    """Gates on two qubits; those that only undo a phase may be missing."""
    random = Random(7)
    circuit, inputs = operator.definition, random_inputs(operator, random, 40)
    wide = [i for i, item in enumerate(circuit.data) if len(item.qubits) == 2]
    places = random.sample(wide, min(20, len(wide)))
    noticed = [is_noticed(operator, without_gate(circuit, place), inputs) for place in places]
    assert sum(noticed) >= 0.8 * len(places)
