"""Distributions of what programs measure, against the rules; and games to measure them of."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import strategies as st

from compiler.measurement import final_measurements
from compiler.verification.program import outcome_distribution
from games import encodings, named_game
from games.toml import game_from_toml
from games.trick_taking.rules.rules import NULL
from tests.compiler.many_inputs import final_state
from tests.games.trick_taking.second_rules import described_games

TOLERANCE = 1e-9
EXAMPLES = Path(__file__).parents[4] / "examples"


def read(name):
    """Return a named game, or that of an example file."""
    if name.endswith(".toml"):
        return game_from_toml((EXAMPLES / name).read_text(), name)
    return named_game(name)


@st.composite
def scored_games(draw, most_cards=7):
    """Draw the keys of a game file, and who wants how many points."""
    keys = draw(described_games(most_cards))
    players, in_hands = keys["players"], keys["hand"] * keys["players"]
    seats = draw(st.sets(st.integers(0, players - 1), min_size=1, max_size=players - 1))
    score = {"party": tuple(sorted(seats))}
    if keys.get("contract") != NULL:
        score["base_points"] = draw(st.integers(0, 60))
        score["threshold"] = draw(st.integers(0, 100))
        stacked = sum(map(len, keys.get("taken", {}).values()))
        if len(keys["deck"].split()) > in_hands + stacked:
            score["skat_to"] = draw(st.sampled_from([None, *range(players)]))
    return keys, score


def measured_bits(program):
    unitary, _ = final_measurements(program)
    return outcome_distribution(program, final_state(unitary))


def decoded(game, name, bits):
    """Return the distribution over outcomes; key None collects what decodes to nothing."""
    found = Counter()
    for measured, p in bits.items():
        found[encodings[name].outcome(game, measured)] += p
    return found


def assert_same(found, exact):
    """Check probabilities against exact ones; nothing else may be possible."""
    assert found.keys() == exact.keys()
    assert max(abs(found[outcome] - float(p)) for outcome, p in exact.items()) < TOLERANCE


def assert_distribution_of_the_rules(game, name):
    found = decoded(game, name, measured_bits(encodings[name].program(game)))
    assert_same(found, game.exact_distribution())
    wins = sum(p for outcome, p in found.items() if game.is_win(outcome))
    assert wins == pytest.approx(float(game.average("win")), abs=TOLERANCE)
