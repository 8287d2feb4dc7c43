"""Rounds: exact states, random rounds, games, encodings, and chances of winning."""

import tomllib
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from compiler.errors import GameError
from compiler.lowering.methods import lower_operators
from compiler.measurement import final_measurements
from compiler.verification.simulation.exact import simulate_each
from games import encoded, encodings, encodings_of, named_game
from games.endless_fun.game import EndlessRound, round_as_toml, round_from_toml
from games.endless_fun.named import PAPER, ROUNDS, random_round
from games.endless_fun.rules.gates import GATES, matrix
from games.endless_fun.rules.round import Round
from games.endless_fun.rules.state import end_state
from games.endless_fun.rules.winning import winning_chances
from games.toml import game_from_toml
from tests.games.endless_fun.rounds import rounds

W = np.exp(2j * np.pi / 3)


def columns(*images):
    """Return the matrix whose columns are what becomes of |0⟩, |1⟩, …"""
    return np.array(images, complex).T


SINGLE = {
    3: {
        "I": np.eye(3),
        "X1": columns((0, 1, 0), (0, 0, 1), (1, 0, 0)),
        "X2": columns((0, 0, 1), (1, 0, 0), (0, 1, 0)),
        "Y1": columns((0, W, 0), (0, 0, 1 / W), (1, 0, 0)),
        "Y2": columns((0, 0, W), (1, 0, 0), (0, 1 / W, 0)),
        "Z1": np.diag([1, W, 1 / W]),
        "Z2": np.diag([1, 1 / W, W]),
        "H1": columns((1, W, W), (1, 1 / W, 1), (1, 1, 1 / W)) / np.sqrt(3),
        "H2": columns((1, 1 / W, 1 / W), (1, 1, W), (1, W, 1)) / np.sqrt(3),
        "H3": columns((1, 1, 1), (1, W, 1 / W), (1, 1 / W, W)) / np.sqrt(3),
    },
    2: {
        "I": np.eye(2),
        "X": columns((0, 1), (1, 0)),
        "Y": columns((0, 1j), (1j, 0)),
        "Z": np.diag([1, -1]),
        "H1": columns((1, 1), (1, -1)) / np.sqrt(2),
        "H2": columns((1, 1j), (1, -1j)) / np.sqrt(2),
    },
}


def neighbours(name, dimension):
    """Return the matrix on the left qudit of a pair and its right one."""
    size = dimension**2
    found = np.zeros((size, size))
    for left in range(dimension):
        for right in range(dimension):
            if name.startswith("SWAP"):
                to = (right, left)
            elif name == "CNOTr":
                to = (left, (left + right) % dimension)
            else:
                to = ((left + right) % dimension, right)
            found[to[0] * dimension + to[1], left * dimension + right] = 1
    return found


def simulated(dimension, start, rows):
    """Return the state vector after rows of names, the leftmost qudit the most significant."""
    count = len(start)
    state = np.zeros(dimension**count, complex)
    state[int("".join(map(str, start)), dimension)] = 1
    for row in rows:
        for at, name in enumerate(row):
            if name in SINGLE[dimension]:
                first, gate = at, SINGLE[dimension][name]
            else:
                first = at - name.endswith("l")
                gate = neighbours(name, dimension)
            state = gate @ state.reshape(dimension**first, len(gate), -1)
    return state.reshape(-1)


PAPERS_TEXT = "SWAPr X1 I H3 Z2 I I CNOTl I I I Y1"

THIRD = Fraction(1, 3)


def written(values):
    return "".join(map(str, values))


def test_worked_example_of_the_paper():
    state = end_state(Round.parsed("0210", PAPERS_TEXT))
    found = {written(values): str(one) for values, one in state.amplitudes().items()}
    assert found == {"2100": "ω/√3", "2111": "ω⁻¹/√3", "2122": "1/√3"}


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
    for number in range(60):
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
        ("00", "X I", 3, "a gate of 2D; in 3D there are"),
        ("00", "I CNOTr", 3, "none to the right of it"),
    ],
)
def test_bad_rounds_are_refused_in_words(start, gates, dimension, says):
    with pytest.raises(GameError, match=says):
        Round.parsed(start, gates, dimension)


def test_a_name_says_all_of_a_round():
    game = named_game("endless-fun-random:d=2,players=5,rows=4,seed=7")
    assert game.name == "endless-fun-random:players=5,rows=4,d=2,seed=7"
    assert (game.round.qudits, len(game.round.rows), game.round.dimension) == (5, 4, 2)
    assert game.round == random_round(5, 4, 2, 7)
    assert named_game(game.name) == game
    assert encoded(game).judge.axes == {"qudits": 5, "levels": 2, "rows": 4}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("players=8", "players must be 1 to 7"),
        ("seed=9999999999999999999", "seed must be a whole number"),
    ],
)
def test_wrong_words_are_told(words, message):
    with pytest.raises(GameError, match=message):
        named_game(f"endless-fun-random:{words}")


EXAMPLE = Path(__file__).parents[3] / "examples" / "endless-fun.toml"


def test_outcomes_of_the_worked_example():
    game = named_game("endless-fun:paper")
    found = {game.describe(o): p for o, p in game.exact_distribution().items()}
    assert found == {"2100": THIRD, "2111": THIRD, "2122": THIRD}
    assert game.outcome_bits == 8
    assert game.outcome_of((2, 1, 0, 0)) == 0b00_00_01_10
    assert game.is_legal(0b00_00_01_10)
    assert not game.is_legal(0b00_00_01_11)
    assert not game.is_legal(1 << 8 | 0b00_00_01_10)


def test_observables_of_the_worked_example():
    game = named_game("endless-fun")
    assert {one.name: game.average(one.name) for one in game.observables} == {
        "winning_state": THIRD,
        "qudit_1_value": 2,
        "qudit_2_value": 1,
        "qudit_3_value": 1,
        "qudit_4_value": 1,
        "qudit_1_highest": 1,
        "qudit_2_highest": 0,
        "qudit_3_highest": THIRD,
        "qudit_4_highest": THIRD,
    }


@pytest.mark.parametrize("name", ROUNDS)
def test_rounds_keep_their_toml_form(name):
    game = named_game(f"endless-fun:{name}")
    again = round_from_toml(game.name, {
        key: value for key, value in tomllib.loads(round_as_toml(game)).items() if key != "game"
    })  # fmt: skip
    assert again == game


def test_example_file_is_the_worked_example():
    game = game_from_toml(EXAMPLE.read_text(), EXAMPLE.name)
    assert game.round == PAPER
    assert game.measurements == 100


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"start": "0"}, "row 1 has 2 gates; give 1"),
        ({"rows": ["X1 I", "X1"]}, "row 2 has 1 gate; give 2"),
        ({"measurements": 0}, "from 1 to 500"),
        ({"qubits": 2}, "unknown key"),
    ],
)
def test_bad_files_are_refused_in_words(change, says):
    table = {"start": "00", "rows": ["X1 I"]} | change
    with pytest.raises(GameError, match=says):
        round_from_toml("mine", table)


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
@pytest.mark.parametrize("measurements", [1, 3])
def test_chances_are_those_of_all_sequences(start, gates, dimension, measurements):
    state = state_of(start, gates, dimension)
    found = winning_chances(state, measurements)
    assert found.chances() == enumerated(state, measurements)
    assert sum(found.weights.values()) == found.total


NAMED = ("paper", "pair", "three", "qubits")


def expected(played):
    """Return the probability of all values, by NumPy alone."""
    rows = []
    for row in played.rows:
        for at, gate in enumerate(row):
            # Pauli's Y is the printed one after Z; a row for each gate keeps their order.
            names = ["Z", "Y"] if gate == "Y" and played.pauli else [gate.value]
            rows += [["I"] * at + [name] + ["I"] * (len(row) - at - 1) for name in names]
    state = simulated(played.dimension, played.start, rows)
    values = product(range(played.dimension), repeat=played.qudits)
    return {v: p for v, p in zip(values, np.abs(state) ** 2, strict=True) if p > 1e-9}


def measured(game, encoding):
    """Return the probability of all values that a game's circuit gives."""
    gates, read = final_measurements(encoded(game, encoding).circuit)
    (state,) = simulate_each(lower_operators(gates, "cheapest"), [0])
    found = defaultdict(float)
    for qubits, amplitude in state.by_basis_state().items():
        bits = sum((qubits >> qubit & 1) << bit for bit, qubit in read.items())
        outcome = encodings[encoding].outcome(game, bits)
        found[None if outcome is None else game.values(outcome)] += abs(amplitude) ** 2
    return {values: p for values, p in found.items() if p > 1e-9}


def check(game):
    wanted = pytest.approx(expected(game.round), abs=1e-9)
    for encoding in encodings_of(game):
        assert measured(game, encoding) == wanted, encoding


@given(rounds())
@settings(max_examples=40, deadline=None)
def test_every_encoding_measures_what_the_truth_tables_give(played):
    """And nothing illegal, which would be measured as None."""
    check(EndlessRound("any", played))


@pytest.mark.parametrize("name", NAMED)
def test_named_rounds_measure_what_the_truth_tables_give(name):
    game = named_game(f"endless-fun:{name}")
    check(game)
    assert encodings_of(game) == ("relabelled", "cards")
