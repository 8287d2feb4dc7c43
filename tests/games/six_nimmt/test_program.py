"""Rounds as programs: chains, circuits, and their files."""

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import CXGate
from qiskit_aer import AerSimulator
from scipy.stats import chisquare

from backends import CircuitJob, backend_from_spec, check_runnable
from compiler.compilation import Options as CompileOptions
from compiler.compilation import compile
from compiler.compilation.proof import prove_program
from compiler.errors import GameError, GameTooLargeError, InputError
from compiler.judge import Kind
from compiler.program import Program
from compiler.scores.scoring import score
from games import encoded, encodings_of, named_game
from games.operators import all_operators
from games.six_nimmt.hswap import HSwap
from games.six_nimmt.random_round import random_round
from games.six_nimmt.rules.cards import Choice, Operation, Options, shuffled_deck
from games.toml import game_from_toml

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


def check_rounds(seeds):
    rounds = {seed: some_round(seed) for seed in seeds}
    rounds = {seed: game for seed, game in rounds.items() if game.takings}
    circuits = [encoded(game).circuit for game in rounds.values()]
    for game in rounds.values():
        exact = game.exact_distribution()
        assert sum(exact.values()) == 1
        assert prove_program(encoded(game)) == "exact"
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


@pytest.mark.parametrize("tried", [5, pytest.param(1000, marks=pytest.mark.full)])
def test_the_rules_the_amplitudes_and_aer_agree(tried):
    assert check_rounds(range(tried)) >= 0.8 * tried


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


@pytest.mark.full
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


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("six-nimmt:1", "six-nimmt:1:1: players = 1: must be a whole number from 2 to 10"),
        ("six-nimmt:3:x", "six-nimmt:3:x: seed 'x' must be a whole number of at most 18 digits"),
    ],
)
def test_specs_that_name_no_round(spec, message):
    with pytest.raises(InputError) as error:
        named_game(spec)
    assert str(error.value).startswith(message)


all_operators()

CHAINS = {"C": 1, "S": 3, "CS": 2, "SC": 2, "CSC": 2}


@pytest.mark.parametrize(("chain", "fewest"), CHAINS.items())
def test_operations_on_the_same_rows_take_the_fewest_gates(chain, fewest):
    circuit = QuantumCircuit(2)
    for operation in chain:
        circuit.append(CXGate() if operation == "C" else HSwap(), (0, 1))
    options = CompileOptions("fast", any_input=True)
    compiled = compile(Program.of_circuit(circuit), "all", options)
    assert compiled.figures.two_qubit_gates == fewest


def a_round(seed, **options):
    rules = Options.from_names(options)
    return random_round(f"round {seed}", 3, shuffled_deck(seed, 0), Random(seed), options=rules)


def test_rounds_are_scored():
    game = a_round(1)
    program = encoded(game)
    check_runnable("sparse", program.circuit)
    compiled = compile(program, "all", CompileOptions("fast"))
    counts = backend_from_spec("sparse").run(CircuitJob(compiled.circuit, "all:4", 2000, seed=3))
    found, _ = score(program, counts)
    assert found.legal_fraction == 1
    assert found.hellinger_fidelity > 0.98
    for seat in range(3):
        points = found.observables[f"player_{seat}_points"]
        assert points.exact == pytest.approx(float(game.average(f"player_{seat}_points")))
        assert abs(points.measured - points.exact) < 3
    total = found.observables["sum_of_points"]
    assert total.measured == pytest.approx(total.exact)


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
        ({"players": "4", "points": "[0, 0, 0, 0]"}, "turn 0: 3 choices; give one for each of"),
        ({"deck": None}, "deck: give either a deck of all cards, or a seed"),
        ({"turns": '[["26", "104", "13"]]'}, "turn 0: card 13: player 2 holds 5, 12, 16, "),
        ({"prompts": "[2, 2]"}, "turn 1: 2 prompts are too few"),
        ({"prompts": "[2, 2, 3, 1, 2, 2, 3, 0, 0, 1]"}, "prompts: 10 rows, and only 9 are asked"),
        ({"points": '[66, 66, "1/0"]'}, "points: '1/0': write a whole number, or a fraction"),
        ({"fillers": '"yes"\nfiller = 1'}, "filler: unknown option; known: two_qubit_operations"),
    ],
)
def test_files_that_describe_no_round(replacements, message):
    with pytest.raises(GameError) as error:
        read(**replacements)
    assert re.match(rf"round\.toml(, line \d+)?: {re.escape(message)}", str(error.value))
