"""Bots: legal, blind to what they may not see, and each better than the one before."""

from collections import Counter
from fractions import Fraction
from math import floor
from random import Random

import pytest
from attrs import evolve
from scipy.stats import binomtest

from games.playing.ratings import ratings
from games.playing.tournament import beaten, tournament
from games.six_nimmt.playing import ExpectationBot, GreedyBot, Guess, Plan, _Look, nearest_card
from games.six_nimmt.rules.cards import PENALTIES, Choice, Operation
from games.six_nimmt.rules.rows import Laid
from tests.games.playing.matches import started


def rows(*rows):
    return tuple(tuple(Laid(n, PENALTIES[n]) for n in row) for row in rows)


def test_the_nearest_card_that_costs_nothing_is_played():
    table = rows([10, 11, 12, 13, 14], [20, 22], [30], [40, 44, 45, 46])
    assert nearest_card(table, (15, 29, 33, 60)) == 33
    # All cost something: the full row costs 11 points, the cheapest row 3.
    assert nearest_card(table, (3, 15, 16)) == 3
    assert nearest_card(table, (16, 18)) == 16


def test_greedy_weighs_a_row_with_the_chance_that_others_pay():
    deck = [*range(1, 11), *range(20, 30), 11, 12, 13, 44, *range(14, 20), *range(30, 44)]
    deck += range(45, 105)
    match = started("six-nimmt", 2, decks=[deck]).play(0, "1").play(1, "20 H")
    view = match.view(0)
    # Row 3 with card 44 costs most and row 1 least; nothing is certain in the row of card 20.
    assert GreedyBot().move(view, Random(0)) == "row 1"


def test_greedy_beats_random():
    results = list(tournament("six-nimmt", ("random", "greedy"), 20, 1))
    rated = ratings(("random", "greedy"), beaten(results))
    assert rated["greedy"].low > rated["random"].high
    assert [result.bots for result in results[:2]] == [("random", "greedy"), ("greedy", "random")]
    assert [result.deal for result in results] == [n // 2 for n in range(20)]


@pytest.mark.full
def test_expectation_beats_greedy_and_greedy_random_at_one_table():
    names = ("random", "greedy", "expectation")
    wins = sum(beaten(tournament("six-nimmt", names, 60, 1)), Counter())
    for better, worse in (("expectation", "greedy"), ("greedy", "random")):
        won, lost = wins[better, worse], wins[worse, better]
        # Equal points count half for each: as if the worse had won.
        assert won + lost == 60
        assert binomtest(floor(won), 60, alternative="greater").pvalue < 0.01


@pytest.mark.parametrize("certain", [None, 0, 1, 2, 3])
def test_expectation_takes_the_row_in_which_it_expects_to_lose_least(certain):
    """With the last card of a round nothing else counts."""
    deck = [*range(1, 11), *range(20, 30), 55, 12, 30, 44, 11, *range(13, 20), *range(31, 44)]
    deck += [*range(45, 55), *range(56, 105)]
    asked = started("six-nimmt", 2, decks=[deck]).play(0, "1").play(1, "20").view(0)
    qubits = asked.qubits
    if certain is not None:
        for operation in (Operation.H, Operation.Z, Operation.H):
            qubits = qubits.applied(operation, [certain])
    view = evolve(asked, hand=(), waiting=asked.waiting[:1], qubits=qubits)
    assert [sum(card.points for card in row) for row in view.rows] == [7, 1, 3, 5]
    expected = 1 if certain is None else certain
    assert ExpectationBot().move(view, Random(0)) == f"row {expected}"


def test_expectation_weighs_points_with_the_exact_state():
    """Its only card is the sixth of a row of 27 points."""
    full = tuple(Laid(number, PENALTIES[number], 1) for number in (11, 22, 33, 44, 55))
    others = tuple((Laid(number, PENALTIES[number]),) for number in (101, 102, 103))
    view = evolve(started("six-nimmt", 2).view(0), rows=(full, *others), hand=(56,))
    assert GreedyBot().move(view, Random(0)) == "56"
    sure = view.qubits
    for operation in (Operation.H, Operation.Z, Operation.H):
        sure = sure.applied(operation, [0])
    look = _Look(evolve(view, qubits=sure))
    hands = Guess(((56,), (104,)), (False, True))
    assert look.loss(Plan(Choice(56)), hands) == 0
    assert _Look(view).loss(Plan(Choice(56)), hands) == 27
    half = evolve(view, qubits=view.qubits.applied(Operation.H, [0]))
    assert _Look(half).loss(Plan(Choice(56)), hands) == Fraction(27, 2)


@pytest.mark.parametrize("seat", [0, 9])
def test_ten_players_leave_no_card_over(seat):
    view = started("six-nimmt", 10).view(seat)
    assert ExpectationBot().move(view, Random(1)) in view.legal_moves
