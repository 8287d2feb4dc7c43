"""Bots: they play to the end, and the better one wins."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from games.endless_fun.rules.cards import Card
from games.playing.match_log import Measured, Moved
from games.playing.tournament import played_by, tournament
from tests.games.endless_fun.matches import FUN, start, with_hands


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_bots_play_matches_to_their_end(bot):
    match = start(4, 6)
    end = played_by(match, {seat: FUN.bots[bot]() for seat in range(4)}, 6)
    assert end.over
    assert all(isinstance(entry, Moved | Measured) for entry in end.log)
    assert 0 <= min(end.points) <= max(end.points) <= 6


def test_greedy_takes_the_card_that_helps_it_most():
    match = start(2)
    seat = match.first
    match = with_hands(match, *[(Card.I, Card.X, Card.Z)] * 2)
    move = FUN.bots["greedy"]().move(match.view(seat), Random(0))
    assert move == f"X2 {match.line.index(seat) + 1}"


def test_greedy_beats_random_over_a_tournament():
    results = list(tournament("endless-fun", ("random", "greedy"), 40, 0))
    sums = Counter()
    for result in results:
        for name, points in zip(result.bots, result.points, strict=True):
            sums[name] += points
    assert sums["greedy"] > sums["random"] + Fraction(20)
