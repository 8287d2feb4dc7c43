"""Exact end states: the known vectors, and random rounds against a dense simulation."""

from fractions import Fraction

import numpy as np
import pytest

from compiler.errors import GameError
from games.endless_fun.named import random_round
from games.endless_fun.rules.gates import GATES, matrix
from games.endless_fun.rules.round import Round
from games.endless_fun.rules.state import end_state
from tests.games.endless_fun.dense import SINGLE, neighbours, simulated

PAPER = "SWAPr X1 I H3 Z2 I I CNOTl I I I Y1"

THIRD = Fraction(1, 3)
VECTORS = [
    (3, "00", "H3 I CNOTr I", {"00": THIRD, "11": THIRD, "22": THIRD}),
    (3, "00", "I X1 SWAPr I", {"10": 1}),
    (3, "00", "X1 SWAPl I I", {"01": 1}),
    (
        3,
        "000",
        "H1 H2 H3 CNOTr SWAPr I Y1 Z2 Y2 H2 H1 CNOTl",
        {"010": THIRD, "121": THIRD, "202": THIRD},
    ),
    (2, "000", "H1 I I CNOTr CNOTr I", {"000": Fraction(1, 2), "111": Fraction(1, 2)}),
    (2, "0", "H1 Y H1", {"0": 1}),
]


def written(values):
    return "".join(map(str, values))


def test_worked_example_of_the_paper():
    state = end_state(Round.parsed("0210", PAPER))
    found = {written(values): str(one) for values, one in state.amplitudes().items()}
    assert found == {"2100": "ω/√3", "2111": "ω⁻¹/√3", "2122": "1/√3"}


@pytest.mark.parametrize(("dimension", "start", "gates", "expected"), VECTORS)
def test_probabilities_of_vectors(dimension, start, gates, expected):
    found = end_state(Round.parsed(start, gates, dimension)).probabilities()
    assert {written(values): p for values, p in found.items()} == expected


@pytest.mark.parametrize("dimension", [2, 3])
def test_matrices_are_those_printed(dimension):
    for gate in GATES[dimension]:
        exact = np.array([[complex(one) for one in row] for row in matrix(gate, dimension)])
        if gate.qudits == 1:
            expected = SINGLE[dimension][gate.value]
        else:
            # A card that points left has its own qudit on the right.
            expected = neighbours(gate.value[:-1] + "r", dimension)
        assert np.abs(exact - expected).max() < 1e-15
        assert np.abs(exact @ exact.conj().T - np.eye(len(exact))).max() < 1e-15


@pytest.mark.parametrize("dimension", [2, 3])
def test_random_rounds_agree_with_a_dense_simulation(dimension):
    for number in range(250):
        played = random_round(2 + number % 6, 1 + number % 5, dimension, number)
        names = [[gate.value for gate in row] for row in played.rows]
        expected = simulated(dimension, played.start, names)
        state = end_state(played)
        found = np.zeros(len(expected), complex)
        for values, amplitude in state.amplitudes().items():
            found[int(written(values), dimension)] = complex(amplitude)
        assert np.abs(found - expected).max() < 1e-12
        probabilities = state.probabilities()
        assert sum(probabilities.values()) == 1
        # Stabilizer states: whatever is possible is equally likely.
        assert set(probabilities.values()) == {Fraction(1, len(probabilities))}


@pytest.mark.parametrize(
    ("start", "gates", "dimension", "says"),
    [
        ("0210", "X1 X1 X1", 3, "3 gates: a row has 4; write 4 gates"),
        ("02a", "I I I", 3, "write a digit for each qudit"),
        ("", "", 3, "write a digit for each qudit"),
        ("03", "I I", 3, "a qudit is 0 to 2 in 3D"),
        ("02", "I I", 2, "a qudit is 0 to 1 in 2D"),
        ("00", "X I", 3, "a gate of 2D; in 3D there are"),
        ("00", "Q I", 3, "'Q': no gate; in 3D there are I, H1"),
        ("00", "I CNOTr", 3, "none to the right of it"),
        ("00", "SWAPl I", 3, "none to the left of it"),
        ("00000000", "", 3, "give 1 to 7"),
        ("00", "I I", 4, "must be 2 or 3"),
    ],
)
def test_bad_rounds_are_refused_in_words(start, gates, dimension, says):
    with pytest.raises(GameError, match=says):
        Round.parsed(start, gates, dimension)
