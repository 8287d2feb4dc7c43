"""Codes of cards: their order, their points, and their width."""

from itertools import combinations

import pytest
from hypothesis import given

from games import named_game
from games.trick_taking.encodings.card_codes import card_codes
from tests.games.trick_taking.second_rules import described_games


def check(game):
    codes = card_codes(game)
    assert len(set(codes.codes)) == len(game.deck)
    assert max(codes.codes) < 1 << codes.width
    lanes = [code & (1 << codes.lane_bits) - 1 for code in codes.codes]
    classes = [code >> codes.lane_bits for code in codes.codes]
    for one, other in combinations(range(len(game.deck)), 2):
        same = game.card_classes[one] == game.card_classes[other]
        assert same == (classes[one] == classes[other])
        if same:
            assert (lanes[one] < lanes[other]) == (game.lanes[one] < game.lanes[other])
    assert [codes.points[lane] for lane in lanes] == list(game.points_of)
    assert set(lanes) == set(range(len(codes.points)))
    if codes.trumps:
        assert all((c == 0) == (name == "T") for c, name in zip(classes, game.card_classes,
                                                                 strict=True))  # fmt: skip
    else:
        assert codes.class_bits == 0 or game.rules.contract == "null"


@given(keys=described_games())
def test_order_and_points_of_any_deck(make_game, keys):
    check(make_game(**keys))


@pytest.mark.parametrize(
    ("spec", "lane_bits", "class_bits", "trumps", "points"),
    [
        ("skat-4", 2, 0, False, (11, 10, 4, 3)),
        ("skat-32", 4, 2, True, (2, 2, 2, 2, 11, 10, 4, 3, 0, 0, 0)),
        ("skat-32:grand", 4, 3, True, (2, 2, 2, 2, 11, 10, 4, 3, 0, 0, 0)),
        ("skat-32:null", 3, 2, False, (11, 4, 3, 2, 10, 0, 0, 0)),
        ("skat-9", 3, 1, True, (2, 2, 2, 11, 10, 3, 0, 0)),
        ("skat-9:paper", 4, 0, False, (2, 2, 2, 0, 11, 10, 3, 0, 0)),
    ],
)
def test_named_games(spec, lane_bits, class_bits, trumps, points):
    game = named_game(spec)
    check(game)
    codes = card_codes(game)
    assert (codes.lane_bits, codes.class_bits, codes.trumps) == (lane_bits, class_bits, trumps)
    assert codes.points == points


def test_trumps_keep_their_class_where_the_deck_has_none(make_game):
    codes = card_codes(make_game(2, 2, "CA HA CK HK", rules="skat", trump="S"))
    assert codes.class_bits == 2
    assert codes.trumps
    assert min(code >> codes.lane_bits for code in codes.codes) == 1
