"""Playouts in machine code, against exact distributions and against the slow sampler's rules."""

from math import sqrt

import pytest
from attrs import evolve

from games import named_game
from games.playing.playouts import playouts_of

GAMES = 100_000


@pytest.mark.parametrize("name", ["skat-4", "skat-9", "skat-9:H10", "skat-9:H7"])
def test_the_share_of_games_won_is_the_exact_probability(name):
    game = named_game(name)
    exact = float(game.average("win"))
    won = playouts_of(game)(GAMES, 7) / GAMES
    assert abs(won - exact) < 4 * sqrt(exact * (1 - exact) / GAMES)


def test_a_null_game_is_won_without_a_trick():
    game = named_game("skat-32:null:known")
    assert playouts_of(game)(2000, 0) < 60
    nobody = evolve(game, party=())
    assert playouts_of(nobody)(10, 0) == 10


def test_a_threshold_that_is_reached_before_the_first_card_is_always_won():
    game = evolve(named_game("skat-4"), threshold=5, base_points=7)
    assert playouts_of(game)(100, 0) == 100


def test_the_same_seed_plays_the_same_games():
    play = playouts_of(named_game("skat-32"))
    assert play(1000, 3) == play(1000, 3)


def test_games_of_other_kinds_have_none():
    assert playouts_of(named_game("weiqi:fig10")) is None
