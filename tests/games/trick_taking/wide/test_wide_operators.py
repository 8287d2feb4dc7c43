"""Operators of the wide lists: their circuits against the specification, and what they take."""

from itertools import combinations
from random import Random

import pytest

from compiler.synthesis.method import predictions
from games.trick_taking.encodings.card_codes import card_codes
from games.trick_taking.encodings.wide_dealing import gray_path, path_length
from games.trick_taking.named import skat_32
from games.trick_taking.operators.list_play import WideFollow
from games.trick_taking.operators.list_trick import WideTrick
from games.trick_taking.operators.trick_score import SKAT_POINTS, WideScore
from games.trick_taking.operators.wide_deal import WideDeal, WideSplit, switches


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
