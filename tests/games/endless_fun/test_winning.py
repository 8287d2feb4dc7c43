"""Who wins a round: the exact probabilities against the enumeration of all measurements."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from compiler.errors import GameError
from games.endless_fun.rules.round import Round
from games.endless_fun.rules.state import State, end_state
from games.endless_fun.rules.winning import (
    check_measurements,
    measured_states,
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


def test_one_measurement_is_the_distribution_itself():
    state = state_of("0" * 7, "H1 " * 7)
    assert winning_chances(state, 1).chances() == state.probabilities()


def test_seven_superposed_qutrits_nearly_always_show_a_two():
    found = winning_chances(state_of("0" * 7, "H1 " * 7))
    without = sum(weight for values, weight in found.weights.items() if 2 not in values)
    assert Fraction(without, found.total) == Fraction(2**7, 3**7) ** 100


def test_expected_points_are_the_averages_of_the_winning_state():
    found = winning_chances(state_of("0210", "SWAPr X1 I H3 Z2 I I CNOTl I I I Y1"))
    chances = found.chances()
    second = sum(values[2] * p for values, p in chances.items())
    assert found.expected_points() == (2, 1, second, second)


def test_most_frequent_of_the_highest_wins_and_the_first_of_equals():
    assert winner({(0, 1): 90, (0, 2): 3, (2, 0): 4}) == (2, 0)
    assert winner({(0, 1): 90, (0, 2): 4, (2, 0): 4}) == (0, 2)
    assert winner({(1, 1): 1, (0, 1): 1}) == (0, 1)


def test_a_seed_repeats_its_measurements():
    state = state_of("0210", "SWAPr X1 I H3 Z2 I I CNOTl I I I Y1")
    seen = measured_states(state, 100, 7)
    assert seen == measured_states(state, 100, 7) != measured_states(state, 100, 8)
    assert sum(seen.values()) == 100
    assert set(seen) <= {(2, 1, 0, 0), (2, 1, 1, 1), (2, 1, 2, 2)}


@pytest.mark.parametrize("number", [0, -1, 501, True, "5", 2.0])
def test_impossible_numbers_of_measurements_are_refused(number):
    with pytest.raises(GameError, match="from 1 to 500"):
        check_measurements(number)


def test_states_of_one_value_are_certain():
    assert winning_chances(State.basis(3, (1, 0))).chances() == {(1, 0): 1}
