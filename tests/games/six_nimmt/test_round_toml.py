"""Rounds from files: what they say, and what is wrong with those that say something else."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from compiler.errors import GameError
from games.six_nimmt.rules.cards import Choice, Operation, Options, shuffled_deck
from games.toml import game_from_toml

EXAMPLE = Path(__file__).parents[3] / "examples/six-nimmt.toml"


def changed(**replacements):
    """Return the example with some of its keys written anew; None leaves one out."""
    lines, skipping = [], False
    for line in EXAMPLE.read_text().splitlines():
        key = line.partition(" = ")[0]
        if key in replacements:
            if replacements[key] is not None:
                lines.append(f"{key} = {replacements[key]}")
            skipping = line.rstrip().endswith("[") or "[   " in line
        elif not skipping:
            lines.append(line)
        elif line.startswith("]"):
            skipping = False
    return "\n".join(lines)


def read(**replacements):
    return game_from_toml(changed(**replacements), "round.toml")


def test_the_example_is_the_round_of_the_vectors():
    game = game_from_toml(EXAMPLE.read_text(), "six-nimmt.toml")
    assert [str(points) for points in game.expected_points()] == ["51", "421/8", "459/8"]
    assert game.options == Options()
    assert game.turns[0] == (
        Choice(26, Operation.HSWAP), Choice(104, Operation.H), Choice(12, Operation.CNOT),
    )  # fmt: skip


def test_everything_that_a_file_can_say_is_read():
    game = read(points='[66, "61/2", -3]', fillers='"yes"', payer='"owners"')
    assert game.start == (66, Fraction(61, 2), -3)
    assert game.options == Options(payer="owners")
    assert game.name == "round.toml"


def test_a_seed_stands_for_the_deck_it_shuffles():
    deck = shuffled_deck(7, 0)
    choices = [f'["{deck[9 - t]}", "{deck[19 - t]}"]' for t in range(10)]
    text = f'game = "six-nimmt"\nplayers = 2\nseed = 7\nturns = [{", ".join(choices)}]\n'
    with pytest.raises(GameError, match="g: turn 1: 0 prompts are too few"):
        game_from_toml(text, "g")
    game = game_from_toml(text + f"prompts = {[0] * 5}\n", "g")
    assert (game.deck, game.end.over) == (deck, True)


@pytest.mark.parametrize(
    ("replacements", "message"),
    [
        ({"players": None}, "players: missing; give a whole number from 2 to 10"),
        ({"players": "11"}, "players = 11: must be a whole number from 2 to 10"),
        ({"players": "4", "points": "[0, 0, 0, 0]"}, "turn 0: 3 choices; give one for each of"),
        ({"deck": None}, "deck: give either a deck of all cards, or a seed"),
        ({"prompts": "[]\nseed = 3"}, "deck: give either a deck of all cards, or a seed"),
        ({"deck": None, "prompts": "[]\nseed = -1"}, "seed = -1: must be a whole number"),
        ({"deck": "[1, 2]"}, "deck: card 3 is missing; name every card from 1 to 104 once"),
        ({"turns": "[]"}, "turns: give a list of 1 to 10 turns"),
        ({"turns": "[5]"}, "turn 0: 5 is no list; write everybody's choice"),
        ({"turns": '[["26", "104", "13"]]'}, "turn 0: card 13: player 2 holds 5, 12, 16, "),
        ({"turns": '[["26 X", "104", "12"]]'}, "turn 0: '26 X': 'X' is no operation; write H"),
        ({"turns": '[["26", "104", "12"]]', "prompts": "[]"}, "turns: no row is taken, so that "),
        ({"prompts": "[2, 2]"}, "turn 1: 2 prompts are too few"),
        ({"prompts": "[4]"}, "prompts: 4 is no row; rows are 0 to 3"),
        ({"prompts": "3"}, "prompts = 3: give a list of rows from 0 to 3"),
        ({"prompts": "[2, 2, 3, 1, 2, 2, 3, 0, 0, 1]"}, "prompts: 10 rows, and only 9 are asked"),
        ({"points": "[66]"}, "points = [66]: give a list of 3 numbers"),
        ({"points": '[66, 66, "1/0"]'}, "points: '1/0': write a whole number, or a fraction"),
        ({"points": '[66, 66, "1e999999999"]'}, "points: '1e999999999': write a whole number"),
        ({"points": "[66, 66, 1.5]"}, "points: 1.5: write a whole number, or a fraction"),
        ({"fillers": "true"}, "fillers = True: must be 'yes' or 'no'"),
        ({"fillers": '"yes"\nfiller = 1'}, "filler: unknown option; known: two_qubit_operations"),
        ({"prompts": "[2]\nrounds = 3"}, "rounds: unknown key of a six-nimmt round; known: play"),
    ],
)
def test_files_that_describe_no_round(replacements, message):
    with pytest.raises(GameError) as error:
        read(**replacements)
    assert re.match(rf"round\.toml(, line \d+)?: {re.escape(message)}", str(error.value))
