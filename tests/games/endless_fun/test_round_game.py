"""A round as a game: outcomes, observables, its TOML form, and a program that is judged."""

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from compiler.errors import GameError, InputError
from games.endless_fun.game import round_as_toml, round_from_toml
from games.endless_fun.named import PAPER, ROUNDS
from games.game import named_game
from games.toml import game_from_toml

EXAMPLE = Path(__file__).parents[3] / "examples" / "endless-fun.toml"
THIRD = Fraction(1, 3)


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
        ({"start": 10}, "write a digit for each qudit"),
        ({"start": "9"}, "row 1 has 2 gates; give 1"),
        ({"start": "39"}, "a qudit is 0 to 2"),
        ({"rows": "X1 I"}, "give a list of texts"),
        ({"rows": ["X1 I", "X1"]}, "row 2 has 1 gate; give 2"),
        ({"rows": [1]}, "give a list of texts"),
        ({"rows": ["I I"] * 1001}, "at most 1000"),
        ({"dimension": "3"}, "must be 2 or 3"),
        ({"dimension": 4}, "must be 2 or 3"),
        ({"measurements": 0}, "from 1 to 500"),
        ({"pauli": "yes"}, "must be true or false"),
        ({"qubits": 2}, "unknown key"),
    ],
)
def test_bad_files_are_refused_in_words(change, says):
    table = {"start": "00", "rows": ["X1 I"]} | change
    with pytest.raises(GameError, match=says):
        round_from_toml("mine", table)


def test_an_unknown_round_is_refused():
    with pytest.raises(InputError, match="no round 'flat'; known: paper"):
        named_game("endless-fun:flat")
