"""The circuit of a round against the rules, an independent simulation, and Aer."""

from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest
from qiskit.circuit import Measure, Reset
from qiskit.circuit.library import CXGate, HGate, ZGate
from qiskit.quantum_info import Operator as Matrix
from qiskit_aer import AerSimulator
from scipy.stats import chisquare

from compiler.errors import GameTooLargeError, InputError
from compiler.judge import Kind
from compiler.verification.operators import verify_methods
from games import encoded, encodings_of, named_game
from games.six_nimmt.hswap import HSwap
from games.six_nimmt.random_round import random_round
from games.six_nimmt.rules.cards import Options, shuffled_deck

SHOTS = 1000
RARE = 1e-6
"""Probability below which chance is no excuse; 1,000 rounds are tried."""


def some_round(seed):
    """Return a random round with random options, of as many players as can be enumerated."""
    random = Random(seed)
    options = {name: random.choice(values) for name, values in Options.choices().items()}
    players = random.choice([2, 2, 3, 3, 3, 4, 4, 5])
    return random_round(
        f"round {seed}",
        players,
        shuffled_deck(seed, 0),
        random,
        options=Options.from_names(options),
    )


@cache
def whole_matrix(name, places):
    gate = {"h": HGate, "z": ZGate, "cx": CXGate, "hswap": HSwap}[name]()
    return (
        Matrix(np.eye(16))
        .compose(Matrix(gate.definition if name == "hswap" else gate), list(places))
        .data
    )


def simulated(circuit):
    """Return the probability of every path of measured bits, by matrices on whole states."""
    ways = {0: np.eye(1, 2**circuit.num_qubits, dtype=complex)[0]}
    for item in circuit.data:
        places = [circuit.find_bit(qubit).index for qubit in item.qubits]
        if isinstance(item.operation, Measure | Reset):
            (qubit,) = places
            ones = np.arange(2**circuit.num_qubits) >> qubit & 1 == 1
        if isinstance(item.operation, Measure):
            bit = circuit.find_bit(item.clbits[0]).index
            split = {}
            for path, state in ways.items():
                split[path], split[path | 1 << bit] = (
                    np.where(ones, 0, state),
                    np.where(ones, state, 0),
                )
            ways = {path: state for path, state in split.items() if np.linalg.norm(state) > 1e-9}
        elif isinstance(item.operation, Reset):
            # It was measured just before, so only one half of the state is left.
            ways = {
                path: state[np.arange(len(state)) ^ 1 << qubit] if state[ones].any() else state
                for path, state in ways.items()
            }
        else:
            whole = whole_matrix(item.operation.name, tuple(places))
            ways = {path: whole @ state for path, state in ways.items()}
    return {path: np.linalg.norm(state) ** 2 for path, state in ways.items()}


def check_rounds(seeds):
    rounds = {seed: some_round(seed) for seed in seeds}
    rounds = {seed: game for seed, game in rounds.items() if game.takings}
    circuits = [encoded(game).circuit for game in rounds.values()]
    for game, circuit in zip(rounds.values(), circuits, strict=True):
        exact = game.exact_distribution()
        assert sum(exact.values()) == 1
        assert simulated(circuit) == pytest.approx({path: float(p) for path, p in exact.items()})
        total = sum(game.start) - sum(taken.points for taken in game.takings)
        assert {sum(game.points(path)) for path in exact} == {total}
        assert game.expected_points() == tuple(
            game.average(f"player_{seat}_points") for seat in range(game.players)
        )
    aer = AerSimulator(seed_simulator=7)
    plain = [circuit.decompose("hswap") for circuit in circuits]
    result = aer.run(plain, shots=SHOTS).result()
    for number, game in enumerate(rounds.values()):
        exact = game.exact_distribution()
        counts = {int(bits, 2): n for bits, n in result.get_counts(number).items()}
        assert counts.keys() <= exact.keys()
        if len(exact) > 1:
            seen = [counts.get(path, 0) for path in exact]
            assert chisquare(seen, [float(p) * SHOTS for p in exact.values()]).pvalue > RARE
    return len(rounds)


def test_the_rules_the_amplitudes_and_aer_agree():
    assert check_rounds(range(20)) >= 18


@pytest.mark.full
@pytest.mark.parametrize("first", range(50, 1000, 95))
def test_a_thousand_rounds_agree(first):
    assert check_rounds(range(first, first + 95)) >= 90


@pytest.mark.parametrize("measured_qubit", Options.choices()["measured_qubit"])
def test_a_reset_follows_a_measurement_if_the_rules_say_so(measured_qubit):
    options = Options(measured_qubit=measured_qubit)
    game = random_round("round", 3, shuffled_deck(3, 0), Random(3), options=options)
    counted = encoded(game).circuit.count_ops()
    assert counted["measure"] == len(game.takings) == encoded(game).circuit.num_clbits
    assert counted.get("reset", 0) == (measured_qubit == "reset") * len(game.takings)


def test_a_rounds_program_has_named_registers_and_a_judge():
    game = named_game("six-nimmt")
    program = encoded(game)
    assert encodings_of(game) == ("rows",)
    assert [(r.name, r.size) for r in program.circuit.qregs] == [("rows", 4)]
    assert [(r.name, r.size) for r in program.circuit.cregs] == [("taken", len(game.takings))]
    assert program.judge.axes == {"players": 3, "turns": 10, "measurements": len(game.takings)}
    exact = program.judge.exact_distribution()
    assert {path: program.judge.outcome(path) for path in exact} == {path: path for path in exact}
    impossible = next(path for path in range(1 << len(game.takings)) if path not in exact)
    assert program.judge.outcome(impossible) is None
    label = program.judge.describe(0b0010100)
    assert label == "0010100"
    assert program.judge.reading.startswith("Quantum 6 Nimmt!, 3 players, 10 turns with fixed ")


def test_observables_say_who_wins_and_what_the_qubits_are_left_in():
    game = named_game("six-nimmt")
    by_name = {one.name: one for one in game.observables}
    assert [name for name, one in by_name.items() if one.kind is Kind.EVENT] == [
        "player_0_wins", "player_1_wins", "player_2_wins",
    ]  # fmt: skip
    exact = game.exact_distribution()
    won = Counter()
    for path, p in exact.items():
        for seat in game.winners(path):
            won[seat] += p
    assert [game.average(f"player_{seat}_wins") for seat in range(3)] == [won[0], won[1], won[2]]
    assert game.average("sum_of_points") == sum(game.expected_points())
    for row in range(4):
        left = sum(
            way.probability * way.state.probability_of_1(row) for way in game.paths().values()
        )
        assert game.average(f"row_{row}_probability_of_1") == left
    assert by_name["player_0_wins"].title == "P(player 0 wins)"


def test_long_rounds_have_exact_expected_points_even_if_their_paths_are_too_many():
    game = named_game("six-nimmt:10:1")
    with pytest.raises(GameTooLargeError, match="more than 16,384 ways"):
        game.exact_distribution()
    total = sum(game.start) - sum(taken.points for taken in game.takings)
    assert sum(game.expected_points()) == total
    assert game.facts()["observables"] is None
    assert game.facts()["expected_points"]["player 0"] == str(game.expected_points()[0])


def test_rounds_that_measure_nothing_have_no_program():
    game = random_round("round", 2, shuffled_deck(5, 0), Random(5), turns=1)
    assert game.exact_distribution() == {0: Fraction(1)}
    assert game.describe(0) == ""
    with pytest.raises(InputError, match="round: no encoding"):
        encoded(game)


def test_hswap_is_built_of_three_cx_and_matches_its_specification():
    assert verify_methods(HSwap()) == {"weyl": 4}
    assert HSwap().definition.count_ops()["cx"] == 3
    swap = np.eye(4)[[0, 2, 1, 3]]
    root = Matrix(HSwap().definition)
    assert (root @ root).equiv(swap)
    # CNOT hSwap CNOT is √X, controlled by the target.
    cnot = np.eye(4)[[0, 3, 2, 1]]
    half_x = np.array([[1 + 1j, 1 - 1j], [1 - 1j, 1 + 1j]]) / 2
    expected = np.eye(4, dtype=complex)
    expected[2:, 2:] = half_x
    assert (Matrix(cnot) @ root @ Matrix(cnot)).equiv(expected)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("six-nimmt:1", "six-nimmt:1:1: players = 1: must be a whole number from 2 to 10"),
        ("six-nimmt:two", "six-nimmt:two:1: players = 'two': must be"),
        ("six-nimmt:3:x", "six-nimmt:3:x: seed 'x' must be a whole number of at most 18 digits"),
        ("six-nimmt:3:1:1", "six-nimmt:3:1:1: six-nimmt does not take 3 words after it"),
    ],
)
def test_specs_that_name_no_round(spec, message):
    with pytest.raises(InputError) as error:
        named_game(spec)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("players", range(2, 11))
def test_rounds_of_all_numbers_of_players_can_be_named(players):
    game = named_game(f"six-nimmt:{players}:4")
    assert (game.players, game.name) == (players, f"six-nimmt:{players}:4")
    assert game.end.over
    assert game.title == f"Quantum 6 Nimmt!, {players} players, 10 turns with fixed choices"
