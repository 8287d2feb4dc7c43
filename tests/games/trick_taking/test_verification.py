"""Games that were played, step by step, against the rules."""

import random
from collections import Counter
from math import erfc, exp, sqrt

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import XGate, ZGate

from compiler.errors import StateTooLargeError, VerificationError
from compiler.lowering.methods import lower_operators
from compiler.lowering.qiskit_level_3 import level_3
from compiler.measurement import final_measurements, measure_at
from compiler.program import Program
from compiler.synthesis.method import Operator
from compiler.targets import target_from_spec
from compiler.verification.trajectories import sampled_games, verify_runs
from games import encoded, encodings, named_game
from games.encoding import GameJudge
from games.toml import game_from_toml
from games.trick_taking.encodings.paper import verify_steps
from games.trick_taking.operators.list_deal import SortedDeal
from games.trick_taking.play.replay import Played, chosen_ranks, examine, uniformity

SIX = """game = "skat"
rules = "skat"
trump = "S"
players = 3
hand = 2
deck = ["CJ", "S7", "SA", "HA", "H10", "HQ"]
"""


def segmented(program):
    """Return a program with a barrier after every operator, as large ones have it."""
    circuit = program.copy_empty_like()
    for item in program.data:
        circuit.append(item)
        if isinstance(item.operation, Operator):
            circuit.barrier()
    return circuit


def lowered(program):
    """Return a program in the native gates of a fully coupled target, barriers kept."""
    gates, _ = final_measurements(program)
    target = target_from_spec(f"all:{program.num_qubits}")
    native = level_3(lower_operators(gates, "cheapest"), target, 0)
    return measure_at(native.circuit, native.final_layout, program)


def verify_by_games(game, encoding, circuit, games=200, seed=0):
    """Return the figures of games that a circuit plays, once they are found right."""
    runs = sampled_games(circuit, games, seed)
    return examine(game, [encodings[encoding].history(game, measured) for measured in runs])


@pytest.fixture(scope="module")
def six():
    """Six cards in skat rules, nothing known."""
    return game_from_toml(SIX, "six")


@pytest.fixture(scope="module")
def native(six):
    """Six cards as a native circuit."""
    return lowered(segmented(encoded(six, "lists").circuit))


@pytest.mark.parametrize("encoding", ["lists", "lists-win"])
def test_right_programs_and_native_circuits_pass(six, encoding):
    program = segmented(encoded(six, encoding).circuit)
    for circuit in (program, lowered(program)):
        figures = verify_by_games(six, encoding, circuit, games=100, seed=3)
        assert figures.games == 100
        assert 100 <= figures.choices <= 300
        assert figures.p_value_plays > 1e-3
        assert figures.p_value_deals > 1e-3


def test_a_seed_gives_the_same_games(native):
    first, again, other = (list(sampled_games(native, 40, seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_sampled_games_are_distributed_as_the_rules_say(six, native):
    """Chi-square of the games over the outcomes, p = 0.001 by Wilson and Hilferty."""
    work = Program(native, GameJudge(six, "lists"), "lists")
    counts = Counter(work.outcome(measured) for measured in sampled_games(native, 512, 5))
    exact = six.exact_distribution()
    assert counts.keys() <= exact.keys()
    statistic = sum((counts[o] - 512 * p) ** 2 / (512 * p) for o, p in exact.items())
    freedom = len(exact) - 1
    share = 2 / (9 * freedom)
    assert statistic < freedom * (1 - share + 3.09 * sqrt(share)) ** 3


def mutated(circuit, rng, two_qubit_gate):
    """Return a circuit that lacks one gate, of two qubits or an sx or x."""
    wanted = [
        place
        for place, item in enumerate(circuit.data)
        if (len(item.qubits) == 2 if two_qubit_gate else item.operation.name in ("sx", "x"))
    ]
    broken = circuit.copy()
    del broken.data[rng.choice(wanted)]
    return broken


def is_refuted(game, encoding, circuit, games=200):
    try:
        verify_by_games(game, encoding, circuit, games)
    except VerificationError:
        return True
    return False


def test_most_missing_gates_are_noticed(six, native):
    """The rest make no difference, such as signs of branches, or hardly any."""
    rng = random.Random(5)
    broken = [mutated(native, rng, place % 2 == 0) for place in range(4)]
    assert sum(is_refuted(six, "lists", circuit, games=60) for circuit in broken) >= 3


def test_the_first_illegal_game_is_named(six, native):
    gates, measured = final_measurements(native)
    gates.x(measured[0])
    broken = measure_at(gates, tuple(range(gates.num_qubits)), native)
    with pytest.raises(VerificationError, match=r"game \d+: .* \(seed 4\)"):
        verify_runs(GameJudge(six, "lists"), sampled_games(broken, 200, 4), 4)


def test_a_deal_that_is_not_uniform_is_no_accident(six):
    """The same two cards for everybody's first hand: every game is legal, and always the same."""
    program = encoded(six, "lists").circuit
    place = next(i for i, g in enumerate(program.data) if isinstance(g.operation, SortedDeal))
    fixed = QuantumCircuit(program.data[place].operation.num_qubits)
    codes = sorted(program.data[place].operation.params[2:])
    width = int(program.data[place].operation.params[0])
    for slot, code in enumerate(codes):
        for bit in range(width):
            if int(code) >> bit & 1:
                fixed.x(slot * width + bit)
    wrong = program.copy_empty_like()
    for i, item in enumerate(program.data):
        operation = fixed.to_gate() if i == place else item.operation
        wrong.append(operation, item.qubits, item.clbits)
    with pytest.raises(VerificationError, match=r"not by accident: .* deals with p = \d.*e-"):
        verify_by_games(six, "lists", segmented(wrong))


def test_encodings_that_do_not_tell_games_cannot_be_sampled(toy):
    for encoding in ("paper", "lean"):
        with pytest.raises(StateTooLargeError, match="the encoding does not record the history"):
            runs = sampled_games(encoded(toy, "paper").circuit, 1, 0)
            verify_runs(GameJudge(toy, encoding), runs, 0)


def test_ranks_of_the_played_cards(six):
    """S7 asks for trumps: seat 1 has two to choose from, seat 2 none, so it may play any card."""
    cards = {str(card): place for place, card in enumerate(six.deck)}
    owner = {"S7": 0, "HQ": 0, "CJ": 1, "SA": 1, "HA": 2, "H10": 2}
    deal = tuple(owner[str(card)] for card in six.deck)
    plays = tuple(cards[name] for name in ("S7", "CJ", "HA", "SA", "H10", "HQ"))
    ranks = list(chosen_ranks(six, Played(deal, plays, deal)))
    assert ranks == [(0, 2), (0, 2), (0, 2)]


def test_p_values_of_the_chi_square_test():
    """One degree of freedom: erfc √(x/2); two: exp(-x/2)."""
    two = [(0, 2)] * 60 + [(1, 2)] * 40
    assert uniformity(two) == pytest.approx(erfc(sqrt(4 / 2)))
    three = [(0, 3)] * 20 + [(1, 3)] * 40 + [(2, 3)] * 30
    assert uniformity(three) == pytest.approx(exp(-(100 + 100) / 30 / 2))
    both = uniformity([*two, *three])
    x = 4 + 200 / 30
    assert both == pytest.approx(erfc(sqrt(x / 2)) + sqrt(2 * x / 3.141592653589793) * exp(-x / 2))
    assert uniformity([]) == 1
    assert uniformity([(0, 2), (1, 2)] * 50) == pytest.approx(1)


@pytest.mark.full
def test_whole_games_of_skat():
    """Thirty-two cards, 15,000 two-qubit gates: right, and refuted where a gate is missing."""
    game = named_game("skat-32:known")
    circuit = lowered(encoded(game, "lists").circuit)
    figures = verify_by_games(game, "lists", circuit)
    assert figures.choices > 4000
    rng = random.Random(3)
    found = [is_refuted(game, "lists", mutated(circuit, rng, place % 2 == 0)) for place in range(6)]
    assert sum(found) >= 4


def edited(program, place, *replacement):
    """Return a program whose `place`-th operator is replaced by (gate, qubits) pairs."""
    copy = program.copy_empty_like()
    operators = 0
    for item in program.data:
        operators += isinstance(item.operation, Operator)
        if isinstance(item.operation, Operator) and operators == place + 1:
            for gate, qubits in replacement:
                copy.append(gate, qubits)
        else:
            copy.append(item)
    return copy


def operator_at(program, place):
    found = [item for item in program.data if isinstance(item.operation, Operator)][place]
    return found.operation, found.qubits


def qubit(program, register, index):
    return next(r for r in program.qregs if r.name == register)[index]


def test_figures_of_the_vectors(program_vector, game_of):
    game = game_of(program_vector)
    steps = list(verify_steps(game, encoded(game, "paper").circuit))
    assert tuple(step.states for step in steps) == program_vector.counts
    assert [step.title for step in steps] == [step.title for step in game.steps()]


@pytest.mark.parametrize(
    ("players", "hand", "deck", "known"),
    [
        (2, 1, "CA C10 CK CQ", {"skat": ["C10"]}),
        (2, 2, "CA C10 CK CQ", {"0": ["CA", "CQ"]}),
        (3, 2, "CA C10 CK CQ CJ C9 C8", {"skat": ["CA"], "2": ["C9"]}),
    ],
)
def test_every_step_of_games_with_known_cards(make_game, players, hand, deck, known):
    game = make_game(players, hand, deck, known=known)
    steps = verify_steps(game, encoded(game, "paper").circuit)
    assert [step.title for step in steps] == [step.title for step in game.steps()]


MISTAKES = {
    "deal": (0, "owner", 0, "deal"),
    "play": (1, "table", 2, "A plays 1 of 2"),
    "stack without table": (3, "table", 0, "trick 1"),
    "last trick": (6, "owner", 1, "trick 2"),
}


@pytest.mark.parametrize(("place", "register", "index", "title"), MISTAKES.values(), ids=MISTAKES)
def test_the_first_wrong_step_is_named(toy, place, register, index, title):
    """A qubit that the step decides is flipped in the definition of its operator."""
    program = encoded(toy, "paper").circuit
    gate, qubits = operator_at(program, place)
    wrong = gate.definition.copy()
    wrong.x(qubits.index(qubit(program, register, index)))
    gate.definition = wrong
    steps = verify_steps(toy, edited(program, place, (gate, qubits)))
    proven = [next(steps).title for _ in range(place)]
    assert proven == [step.title for step in toy.steps()[:place]]
    with pytest.raises(VerificationError, match=rf"after '{title}' position .* has probability"):
        next(steps)


def test_phases_of_positions_do_not_matter(toy):
    program = encoded(toy, "paper").circuit
    gate, qubits = operator_at(program, 0)
    phased = edited(program, 0, (gate, qubits), (ZGate(), [qubit(program, "owner", 1)]))
    assert len(list(verify_steps(toy, phased))) == 7
    flipped = edited(program, 0, (XGate(), [qubit(program, "owner", 1)]), (gate, qubits))
    with pytest.raises(VerificationError, match="after 'deal' position"):
        list(verify_steps(toy, flipped))
