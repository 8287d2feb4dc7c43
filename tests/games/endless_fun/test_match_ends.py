"""The end of a round: exact, by a machine's shots, and kept as a game."""

from random import Random

import pytest
from qiskit import QuantumCircuit

from compiler.errors import GameError
from games.encoding import Encoding, encoding, encodings
from games.endless_fun.game import EndlessRound, round_as_toml
from games.endless_fun.rules.cards import Card
from games.playing.oracle import BackendOracle, Ran
from games.toml import game_from_toml
from tests.games.endless_fun.matches import start, with_hands
from tests.games.playing.matches import by_chance


def at_the_end_of_a_round(**options):
    match = start(2, 5, **options)
    while not match.awaited:
        match = by_chance(match, Random(8), 1)
    return match


def with_both_in_superposition():
    match = with_hands(start(2, measurements="300"), *[(Card.H3, Card.I, Card.I)] * 2)
    for move in ("H3 1", "H3 2", "I 1", "I 1", "I 2", "I 2"):
        (seat,) = match.to_move
        match = match.play(seat, move)
    return match


def test_outcomes_are_those_of_the_exact_winning_state():
    match = at_the_end_of_a_round()
    chances = match.chances()
    assert sum(chances.values()) == 1
    game = match.round_game()
    assert chances == {
        tuple(game.outcome_of(values) >> i & 1 for i in range(4)): p
        for values, p in game.winning().chances().items()
    }
    with pytest.raises(GameError, match="cannot be measured"):
        match.collapse((1, 1, 1, 1))


def test_shots_of_a_machine_give_their_winning_state():
    match = with_both_in_superposition()
    zero, one_two, two_two = (0, 0, 0, 0), (1, 0, 0, 1), (0, 1, 0, 1)
    shots = {zero: 90, one_two: 6, two_two: 4}
    assert match.settled(shots, Random(1)) == one_two


def test_a_machine_measures_in_any_encoding():
    match = with_both_in_superposition()
    try:

        @encoding("from-the-right")
        class FromTheRight(Encoding):
            """All bits the other way round."""

            family = EndlessRound

            def supports(self, game):
                return True

            def rank(self, game):
                return -1

            def program(self, game):
                circuit = QuantumCircuit(4, 4)
                circuit.measure(range(4), range(4))
                return circuit

            def outcome(self, game, measured):
                return int(f"{measured:04b}"[::-1], 2)

        def run(_, trial):
            assert trial.shots == 300
            # 1000 backwards is |10⟩, and 11 is no value.
            return Ran({0b1000: 200, 0b1111: 100}, 5)

        found = BackendOracle("mine", 1, run).measured(match)
        assert found.outcomes == (1, 0, 0, 0)
        assert found.origin.agreeing == 200
        assert match.learnt(found).start == (1, 0)
    finally:
        encodings.unregister("from-the-right")


def test_the_last_round_is_kept_as_a_game():
    match = start(2, 5)
    with pytest.raises(GameError, match="no round is over yet"):
        match.file()
    end = by_chance(match, Random(8))
    game = game_from_toml(end.file(), "last.toml")
    assert game.round == end.ended.round
    assert round_as_toml(game) == end.file()
