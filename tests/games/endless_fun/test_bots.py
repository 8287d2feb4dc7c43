"""Bots: they play to the end, and the better one wins."""

from collections import Counter
from fractions import Fraction
from random import Random

from games.endless_fun.rules.cards import Card
from games.playing.tournament import tournament
from tests.games.endless_fun.matches import FUN, start, with_hands


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
