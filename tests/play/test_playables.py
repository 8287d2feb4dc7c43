"""Games that can be played: their setups and their ratings."""

import json
from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from compiler.errors import GameError
from play.oracle import ExactOracle
from play.playable import Setup, match_from_record, playables, read_setup
from play.ratings import ratings, strengths
from play.tournament import Result, beaten, played_by
from tests.play.matches import by_chance, measured_by, started

SETUPS = {
    "five-in-a-row": [{"size": 9, "most_games": 32}, {"size": 5}],
    "weiqi": [{"size": 3, "most_games": 32}],
    "six-nimmt": [
        {"seats": 3, "seed": 9},
        {"seats": 3, "seed": 9,
         "options": {"measured_qubit": "reset", "without_mqops": "negative", "fillers": "no"}},
    ],
    "chsh": [{"seed": 2}, {"options": {"rounds": "10"}}],
    "skat": [{"seed": 4, "options": {"games": "1"}}],
    "endless-fun": [{"seats": 4, "seed": 6}, {"seats": 3, "options": {"dimension": "2"}}],
}  # fmt: skip
CASES = [(game, setup) for game in playables for setup in SETUPS[game]]


@pytest.mark.parametrize(
    ("game", "setup", "bot"),
    [(game, setup, bot) for game, setup in CASES for bot in playables[game].bots],
)
def test_every_move_of_a_bot_is_legal(game, setup, bot):
    match, oracle, random = started(game, **setup), ExactOracle(3), Random(2)
    bots = [playables[game].bots[name]() for name in (bot, "random")]
    for number in range(35):
        match = measured_by(oracle, match)
        if match.over:
            break
        seat = match.to_move[0]
        # The others play by chance, so that every kind of question comes up.
        move = bots[seat > 0 and number % 4 > 0].move(match.view(seat), random)
        assert "size" in setup or move in set(match.legal_moves(seat))
        match = match.play(seat, move)
    assert len(match.log) > 4


@pytest.mark.parametrize(("game", "setup"), CASES)
def test_bots_stop_where_a_person_moves_and_move_alike_again(game, setup):
    match = started(game, **setup)
    match = match.play(match.to_move[0], next(iter(match.legal_moves(match.to_move[0]))))
    person = match.to_move[-1]
    last = list(playables[game].bots)[-1]
    bots = {seat: playables[game].bots[last]() for seat in range(4) if seat != person}
    end = played_by(match, bots, 5)
    assert end.over or end.to_move == (person,)
    assert played_by(match, bots, 5).record() == end.record()


@pytest.mark.parametrize("moves", [3, 40])
@pytest.mark.parametrize(("game", "setup"), CASES)
def test_a_match_is_replayed_exactly_from_json(game, setup, moves):
    match = by_chance(started(game, **setup), Random(4), moves)
    again = match_from_record(json.loads(json.dumps(match.record())))
    assert again.record() == match.record()
    for seat in (None, *range(setup.get("seats", 2))):
        assert again.view(seat).as_json() == match.view(seat).as_json()


def test_strengths_that_explain_all_games_are_found():
    true = np.array([200.0, 0.0, -50.0, -150.0])
    games = 1e6 / (1 + 10 ** ((true[None, :] - true[:, None]) / 400))
    np.fill_diagonal(games, 0)
    assert strengths(games) == pytest.approx(true, abs=0.1)


def test_intervals_hold_the_strength_and_shrink_with_more_games():
    groups = [Counter({("a", "b"): 2.0, ("b", "a"): 1.0}), Counter({("b", "a"): 1.0})]
    few, many = (ratings(("a", "b"), groups * times, seed=1)["a"] for times in (10, 200))
    for rating in (few, many):
        assert rating.low < rating.strength < rating.high
    assert many.high - many.low < (few.high - few.low) / 2
    assert ratings(("a", "b"), groups * 10, seed=1)["a"] == few


def test_equal_points_count_half_for_both():
    results = [
        Result(0, ("a", "b", "c"), (Fraction(3), Fraction(1), Fraction(3)), 9),
        Result(0, ("b", "c", "a"), (Fraction(5), Fraction(1), Fraction(0)), 9),
        Result(1, ("a", "b", "c"), (Fraction(1), Fraction(2), Fraction(3)), 9),
    ]
    assert beaten(results) == [
        {("a", "b"): 1, ("c", "b"): 1, ("a", "c"): 0.5, ("c", "a"): 1.5, ("b", "c"): 1,
         ("b", "a"): 1},
        {("c", "a"): 1, ("c", "b"): 1, ("b", "a"): 1},
    ]  # fmt: skip
    assert results[0].winners == ("a", "c")


SEATS = (2, 5, 3)


def test_what_is_not_said_is_as_usual():
    assert read_setup({}, SEATS) == Setup(3, 0, {})
    given = {"seats": 5, "seed": 7, "options": {"size": "9"}, "decks": []}
    assert read_setup(given, SEATS, ("decks",)) == Setup(5, 7, {"size": "9"})


@pytest.mark.parametrize("game", sorted(playables))
@pytest.mark.parametrize(
    ("setup", "why"),
    [
        ({"seats": 0}, r"^seats = 0: must be "),
        ({"seats": "2"}, r"^seats = 2: must be "),
        ({"seed": -1}, r"^seed = -1: must be a whole number from 0 on$"),
        ({"options": ["size"]}, r"^options = \['size'\]: write an object of names and values$"),
        ({"players": 2}, r"^players: unknown; a setup has seats, seed, options"),
    ],
)
def test_every_game_refuses_alike(game, setup, why):
    with pytest.raises(GameError, match=why):
        playables[game].start(setup)
