"""Plays and tricks of two-card hands against the rules, and their circuits on every input."""

from fractions import Fraction
from itertools import permutations

from games.trick_taking.operators.ranks import RankPlay, RankTrick


def test_a_first_play_is_a_fair_choice_and_a_last_one_is_forced():
    half = Fraction(1, 2)
    assert RankPlay(2).action(0) == {0: half, 1: half}
    assert [RankPlay(1).action(rank) for rank in (0, 1)] == [{0: 1}, {1: 1}]


def dealt_owners():
    return sorted(set(permutations((0, 0, 1, 1))))


def test_legal_inputs_are_all_deals_and_ranks():
    legal = list(RankTrick(0).legal_inputs())
    assert len(set(legal)) == len(legal) == 24
    assert {state & 0b1111 for state in legal} == {
        sum(owner << card for card, owner in enumerate(owners)) for owners in dealt_owners()
    }
    assert {state >> 4 for state in legal} == {0, 1, 2, 3}


def test_the_last_trick_starts_where_the_first_one_ends():
    first = [
        output for state in RankTrick(0).legal_inputs() for output in RankTrick(0).action(state)
    ]
    assert sorted(first) == sorted(RankTrick(1).legal_inputs())
