"""Strengths from who beat whom."""

from collections import Counter
from fractions import Fraction
from math import log10

import numpy as np
import pytest

from games.playing.ratings import PRIOR, ratings, strengths
from games.playing.tournament import Result, beaten


@pytest.mark.parametrize(("won", "lost"), [(30, 10), (99, 1), (5, 5), (20, 0)])
def test_two_players_differ_by_the_odds_of_their_games(won, lost):
    found = strengths(np.array([[0.0, won], [lost, 0.0]]))
    odds = (won + PRIOR) / (lost + PRIOR)
    assert found[0] - found[1] == pytest.approx(400 * log10(odds), abs=0.1)
    assert found.sum() == pytest.approx(0, abs=1e-6)


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
