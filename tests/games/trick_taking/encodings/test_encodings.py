"""Every encoding against the rules, and the paper's."""

from itertools import combinations, product

import pytest
from attrs import evolve
from hypothesis import given, settings

from compiler.compilation.proof import prove_program
from compiler.errors import GameError
from games import encoded, encodings, named_game
from games.trick_taking.encodings.card_codes import card_codes
from games.trick_taking.game import TrickTakingGame
from tests.games.trick_taking.encodings.distributions import (
    EXAMPLES,
    assert_distribution_of_the_rules,
    measured_bits,
    read,
    scored_games,
)
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
        ("skat-32:grand", 4, 3, True, (2, 2, 2, 2, 11, 10, 4, 3, 0, 0, 0)),
        ("skat-32:null", 3, 2, False, (11, 4, 3, 2, 10, 0, 0, 0)),
        ("skat-9:paper", 4, 0, False, (2, 2, 2, 0, 11, 10, 3, 0, 0)),
    ],
)
def test_named_games(spec, lane_bits, class_bits, trumps, points):
    game = named_game(spec)
    check(game)
    codes = card_codes(game)
    assert (codes.lane_bits, codes.class_bits, codes.trumps) == (lane_bits, class_bits, trumps)
    assert codes.points == points


LISTS = ("lists", "lists-win", "lists-value", "lists-wide", "lists-win-wide")
SMALL = ("endgame.toml", "known-hand.toml", "null.toml", "skat-5.toml")
LARGER = ("two-cards.toml", "four-cards.toml", "showcase.toml", "three-cards.toml")
CASES = [
    *product(("lists",), (*SMALL, *LARGER)),
    *product(("lists-win", "lists-value"), ("skat-4", "null.toml", "skat-9:H10")),
    *product(("lean",), ("skat-4", "skat-9")),
]


@pytest.mark.parametrize(("encoding", "name"), CASES)
def test_outcomes_are_those_of_the_rules(encoding, name):
    assert_distribution_of_the_rules(read(name), encoding)
    if encoding == "lean":
        assert prove_program(encoded(read(name), encoding)) == "exact"


def assert_all_that_support_it(make_game, described):
    """Nothing illegal, and a right win bit, score and level: else a branch decodes to nothing."""
    keys, score = described
    game = evolve(make_game(**keys), **score)
    for name in LISTS:
        if encodings[name].supports(game):
            assert_distribution_of_the_rules(game, name)
        elif "wide" not in name:
            with pytest.raises(GameError):
                encodings[name].program(game)


@settings(max_examples=4)
@given(described=scored_games(most_cards=6))
def test_outcomes_of_games_are_those_of_the_rules(make_game, described):
    assert_all_that_support_it(make_game, described)


@pytest.mark.full
@settings(max_examples=3000)
@given(described=scored_games())
def test_outcomes_of_many_games_are_those_of_the_rules(make_game, described):
    assert_all_that_support_it(make_game, described)


@pytest.mark.parametrize("encoding", ["lists", "lists-win", "lean"])
def test_only_the_branches_of_the_toy_decode(toy, encoding):
    """Six deals with four ways to play each."""
    program = encodings[encoding].program(toy)
    every = range(1 << program.num_clbits)
    legal = {bits for bits in every if encodings[encoding].outcome(toy, bits) is not None}
    assert legal == set(measured_bits(program))
    assert len(legal) == 24


def test_every_example_is_tried():
    of_cards = {
        p.name for p in EXAMPLES.glob("*.toml") if isinstance(read(p.name), TrickTakingGame)
    }
    # A hand of ten is too large to be enumerated; games of skat-9 are drawn.
    assert of_cards - {"advice-ten-cards.toml", "skat-9.toml"} == {*SMALL, *LARGER}
