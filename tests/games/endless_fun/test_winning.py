"""Who wins a round: the exact probabilities against the enumeration of all measurements."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from compiler.errors import GameError
from games.endless_fun.rules.round import Round
from games.endless_fun.rules.state import end_state
from games.endless_fun.rules.winning import (
    check_measurements,
    winner,
    winning_chances,
)


def state_of(start, gates, dimension=3):
    return end_state(Round.parsed(start, gates, dimension))


def enumerated(state, measurements):
    possible = list(state.probabilities())
    found = Counter()
    for sequence in product(possible, repeat=measurements):
        found[plain_winner(sequence)] += 1
    total = len(possible) ** measurements
    return {values: Fraction(found[values], total) for values in possible}


def plain_winner(sequence):
    highest = max(max(values) for values in sequence)
    among = sorted({values for values in sequence if highest in values})
    counts = [sequence.count(values) for values in among]
    return among[counts.index(max(counts))]


@pytest.mark.parametrize(
    ("start", "gates", "dimension"),
    [
        ("0210", "SWAPr X1 I H3 Z2 I I CNOTl I I I Y1", 3),
        ("00", "H3 I CNOTr I", 3),
        ("00", "H3 H1", 3),
        ("00", "H1 H1", 2),
        ("000", "H1 H2 H1", 2),
        ("00", "X1 I", 3),
        ("0", "", 3),
    ],
)
@pytest.mark.parametrize("measurements", [1, 2, 3, 5])
def test_chances_are_those_of_all_sequences(start, gates, dimension, measurements):
    state = state_of(start, gates, dimension)
    found = winning_chances(state, measurements)
    assert found.chances() == enumerated(state, measurements)
    assert sum(found.weights.values()) == found.total


@pytest.mark.parametrize("measurements", [100, 257])
def test_many_measurements_add_up_exactly(measurements):
    state = state_of("0" * 5, "H1 H2 H3 H1 H2 I CNOTr CNOTl I I")
    found = winning_chances(state, measurements)
    assert sum(found.weights.values()) == found.total
    assert min(found.weights.values()) > 0


def test_expected_points_are_the_averages_of_the_winning_state():
    found = winning_chances(state_of("0210", "SWAPr X1 I H3 Z2 I I CNOTl I I I Y1"))
    chances = found.chances()
    second = sum(values[2] * p for values, p in chances.items())
    assert found.expected_points() == (2, 1, second, second)


def test_most_frequent_of_the_highest_wins_and_the_first_of_equals():
    assert winner({(0, 1): 90, (0, 2): 3, (2, 0): 4}) == (2, 0)
    assert winner({(0, 1): 90, (0, 2): 4, (2, 0): 4}) == (0, 2)
    assert winner({(1, 1): 1, (0, 1): 1}) == (0, 1)


@pytest.mark.parametrize("number", [0, -1, 501, True, "5", 2.0])
def test_impossible_numbers_of_measurements_are_refused(number):
    with pytest.raises(GameError, match="from 1 to 500"):
        check_measurements(number)
