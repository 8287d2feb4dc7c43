"""Every encoding of trick-taking games: outcomes as often as the rules say, on all their games."""

from itertools import product

import pytest
from attrs import evolve
from hypothesis import given, settings

from compiler.compilation.proof import prove_program
from compiler.errors import GameError
from games import encoded, encodings
from games.trick_taking.game import TrickTakingGame
from tests.games.trick_taking.encodings.distributions import (
    EXAMPLES,
    assert_distribution_of_the_rules,
    measured_bits,
    read,
    scored_games,
)

LISTS = ("lists", "lists-win", "lists-value", "lists-wide", "lists-win-wide")
SMALL = ("endgame.toml", "known-hand.toml", "null.toml", "skat-5.toml")
LARGER = ("two-cards.toml", "four-cards.toml", "showcase.toml", "three-cards.toml")
CASES = [
    *product(LISTS[:3], ("skat-4", "skat-9:H10")),
    *product(LISTS[:2], (*SMALL, *LARGER)),
    *product(("lists-value",), ("skat-4", "skat-9", *SMALL)),
    *product(("lean",), ("skat-4", "skat-5", "skat-6", "skat-9")),
]
LONG = [*product(LISTS[:3], ("skat-9:HQ", "skat-9:H7"))]


@pytest.mark.parametrize(
    ("encoding", "name"),
    [*CASES, *(pytest.param(*case, marks=pytest.mark.full) for case in LONG)],
)
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


@settings(max_examples=15)
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
