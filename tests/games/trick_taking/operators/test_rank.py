"""Plays and tricks of two-card hands against the rules, and their circuits on every input."""

from fractions import Fraction
from itertools import permutations

import pytest

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


# How often seat B takes the first trick, by the first seat's rank: (A high, A low) and, within
# that, (B high, B low); from the rules, with absolute ranks.
B_TAKES_FIRST = {
    (0, 0, 1, 1): ((0, 0), (0, 0)),
    (1, 1, 0, 0): ((1, 1), (1, 1)),
    (0, 1, 0, 1): ((0, 0), (1, 0)),
    (1, 0, 1, 0): ((1, 0), (1, 1)),
    (0, 1, 1, 0): ((0, 0), (1, 1)),
    (1, 0, 0, 1): ((1, 0), (1, 0)),
}


@pytest.mark.parametrize("owners", B_TAKES_FIRST)
def test_tricks_go_where_the_rules_say(owners):
    for a_low in (0, 1):
        for b_low in (0, 1):
            lows = (a_low, b_low)
            holder = owners[0]
            rank = (lows[holder], a_low ^ b_low)
            state = sum(owner << card for card, owner in enumerate(owners))
            state |= rank[0] << 4 | rank[1] << 5
            (middle,) = RankTrick(0).action(state)
            (end,) = RankTrick(1).action(middle)
            taken = [holder ^ (end >> 6 & 1), holder ^ (end >> 7 & 1)]
            assert taken[0] == B_TAKES_FIRST[owners][a_low][b_low]
            assert taken[1] == B_TAKES_FIRST[owners][1 - a_low][1 - b_low]
            assert end & 0b111111 == state
            assert middle >> 6 & 1 == end >> 6 & 1
            assert middle >> 7 == taken[0] ^ taken[1]
