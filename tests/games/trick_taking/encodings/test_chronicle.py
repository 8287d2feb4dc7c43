"""Whole games as chronicles, against the rules."""

import pytest

from compiler.lowering.methods import lower_operators
from compiler.measurement import final_measurements
from compiler.verification.program import outcome_distribution
from compiler.verification.simulation.ordering import branched_state
from compiler.verification.trajectories import sampled_games
from games import encodings, named_game
from tests.games.trick_taking.encodings.distributions import assert_same, decoded, read

CHRONICLE = encodings["chronicle"]


def synthesised(program):
    gates, measured = final_measurements(program)
    circuit = program.copy_empty_like()
    circuit.compose(lower_operators(gates, "cheapest"), circuit.qubits, inplace=True)
    for clbit, qubit in measured.items():
        circuit.measure(qubit, clbit)
    return circuit


@pytest.mark.parametrize("name", ["skat-4", "skat-5.toml", "known-hand.toml"])
def test_outcomes_are_those_of_the_rules(name):
    game = read(name)
    circuit = synthesised(CHRONICLE.program(game))
    gates, _ = final_measurements(circuit)
    bits = outcome_distribution(circuit, branched_state(gates))
    assert_same(decoded(game, "chronicle", bits), game.exact_distribution())


def test_the_whole_game_fits_the_papers_256_qubits():
    assert CHRONICLE.program(named_game("skat-32:paper")).num_qubits == 232


@pytest.mark.full
def test_thirty_two_cards_are_played_by_the_rules():
    game = named_game("skat-32:paper")
    circuit = synthesised(CHRONICLE.program(game))
    outcomes = [CHRONICLE.outcome(game, bits) for bits in sampled_games(circuit, 40, seed=1)]
    assert len(outcomes) == 40
    assert None not in outcomes


def test_games_that_follow_suit_or_have_begun_are_refused():
    assert CHRONICLE.supports(named_game("skat-32:paper"))
    assert not CHRONICLE.supports(named_game("skat-9"))
    assert not CHRONICLE.supports(named_game("skat-32"))
