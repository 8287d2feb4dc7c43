"""Syntheses of counts, tournaments and scores, also on large decks."""

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit, transpile
from qiskit.transpiler.passes.synthesis.plugin import HighLevelSynthesisPluginManager

from compiler.synthesis.method import predictions
from compiler.verification.operators import verify_operator
from games.trick_taking.operators.card_play import CardPlay
from games.trick_taking.operators.hand_play import HandPlay
from games.trick_taking.operators.tournament import Draw, draw_probabilities, toss_coins, tournament
from games.trick_taking.operators.trick_score import TrickScore
from games.trick_taking.operators.trick_taking import TrickTaking
from games.trick_taking.operators.uniform_deal import UniformDeal
from tests.compiler.many_inputs import verify

BASIS = ["cx", "rz", "sx", "x"]


def deal(*hands):
    return UniformDeal(hands, (None,) * sum(hands))


# Two-qubit gates, all-to-all.
BARS = {
    "D(4,2)": (deal(2, 2), 5),
    "D(6,3)": (deal(3, 3), 24),
    "D(8,4)": (deal(4, 4), 48),
    "D(9,1)": (deal(8, 1), 15),
    "D(32,10)": (deal(22, 10), 816),
    "three hands of three": (deal(3, 3, 3), 150),
    "skat": (deal(2, 2, 1), 28),
    "hand of two among four": (HandPlay(4, 2), 14),
    "hand of two among 32": (HandPlay(32, 2), 126),
    "hand of three among nine": (HandPlay(9, 3), 58),
    "hand of five among 32": (HandPlay(32, 5), 376),
    "hand of ten among 32": (HandPlay(32, 10), 219),
    "hand of one": (HandPlay(9, 1), 9),
    "two among four, leaving": (HandPlay(4, 2, leaves=True), 18),
    "three among nine, leaving": (HandPlay(9, 3, leaves=True), 67),
    "ten among 32, leaving": (HandPlay(32, 10, leaves=True), 251),
    "one, leaving": (HandPlay(9, 1, leaves=True), 0),
    "play 1 of 2": (CardPlay(4, 2, 0, 1, opening=True), 24),
    "play 1 of 3 among nine": (CardPlay(9, 3, 0, 2), 207),
    "trick of two among four": (TrickTaking(4, 2, 1), 15),
    "trick of two among nine": (TrickTaking(9, 2, 1), 49),
    "trick of three among nine": (TrickTaking(9, 3, 2), 180),
}


@pytest.mark.parametrize(("operator", "bar"), BARS.values(), ids=BARS)
def test_predicted_and_counted_gates(operator, bar):
    """The cheapest method is the one that a plain transpile uses, and costs what it predicts."""
    assert min(predictions(operator).values()) == bar
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.append(operator, range(operator.num_qubits))
    native = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
    assert native.count_ops().get("cx", 0) == bar


@pytest.mark.parametrize("leaves", [False, True])
@pytest.mark.parametrize(
    "cards", [*range(1, 6), *(pytest.param(n, marks=pytest.mark.full) for n in (6, 7))]
)
def test_hand_plays_meet_their_specification(cards, leaves):
    plugins = HighLevelSynthesisPluginManager()
    for hand in range(1, cards + 1):
        operator = HandPlay(cards, hand, leaves=leaves)
        for method, price in predictions(operator).items():
            circuit = plugins.method("hand_play", method).run(operator)
            assert verify_operator(operator, circuit) == comb(cards, hand)
            native = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
            assert native.count_ops().get("cx", 0) == price


@pytest.mark.parametrize(
    "deal",
    [
        pytest.param(deal(3, 3, 3), marks=pytest.mark.full),
        *(deal(3, 2, 2), deal(2, 2, 2, 1)),
    ],
    ids=str,
)
def test_deals_with_two_bits_an_owner(deal):
    circuit = HighLevelSynthesisPluginManager().method("uniform_deal", "dicke").run(deal)
    assert verify_operator(deal, circuit) == 1


def test_prices_of_constructions_that_nobody_can_build():
    prices = predictions(CardPlay(32, 10, 0, 2))
    assert prices["literal"] == pytest.approx(8.2e10, rel=0.05)
    assert prices["rank"] == 1501
    assert predictions(UniformDeal((10, 10, 10, 2), (None,) * 32))["dicke"] == 2272


def amplitudes_of(circuit, initial):
    """Apply every gate at once: between gates, these circuits are in few basis states."""
    state = {initial: 1.0}
    for item in circuit.data:
        places = [circuit.find_bit(qubit).index for qubit in item.qubits]
        if item.operation.name == "cx":
            control, target = places
            state = {key ^ (key >> control & 1) << target: a for key, a in state.items()}
        elif item.operation.name == "cz":
            both = 1 << places[0] | 1 << places[1]
            state = {key: -a if key & both == both else a for key, a in state.items()}
        elif item.operation.name == "swap":
            both = 1 << places[0] | 1 << places[1]
            state = {key ^ both * (0 < key & both < both): a for key, a in state.items()}
        else:
            state = one_qubit(state, item.operation.to_matrix(), *places)
    return state


def one_qubit(state, matrix, place):
    new = defaultdict(complex)
    for key, a in state.items():
        bit = key >> place & 1
        for value in (0, 1):
            new[key & ~(1 << place) | value << place] += matrix[value, bit] * a
    return {key: a for key, a in new.items() if abs(a) > 1e-12}


def card_play_input(operator, random):
    """Hand cards of the seat, cards of the others in hands or on the table, and stacks."""
    n, others = operator.cards, [seat for seat in range(3) if seat != operator.seat]
    held = set(random.sample(range(n), operator.hand))
    bits = 0
    for card in range(n):
        owner, table, stack = operator.seat, 0, 0
        if card not in held:
            stack = random.getrandbits(1) and not operator.opening
            owner = random.choice([*others, operator.seat] if stack else others)
            table = stack or random.getrandbits(1)
        bits |= owner << 2 * card | table << (2 * n + card) | stack << (3 * n + card)
    return bits


def trick_input(operator, random):
    """One table card of every seat; the others in hands, or taken by anybody."""
    n, seats = operator.cards, random.sample(range(3), 3)
    trick = dict(zip(random.sample(range(n), 3), seats, strict=True))
    bits = 0
    for card in range(n):
        dealt = trick.get(card, random.randrange(3))
        stack = random.getrandbits(1) if card not in trick else 0
        owner = random.randrange(3) if stack else dealt
        bits |= owner << 2 * card | dealt << (5 * n + 2 * card)
        bits |= (stack or card in trick) << (2 * n + card)
        bits |= stack << (3 * n + card) | stack << (4 * n + card)
    return bits


def any_input(operator, random):
    return operator.random_legal_input(random)


HANDS = [
    HandPlay(cards, hand, leaves=leaves)
    for cards, hand in ((9, 3), (12, 4), (32, 1), (32, 2), (32, 5), (32, 10))
    for leaves in (False, True)
]
CASES = [
    *((operator, any_input, 6 if operator.cards < 32 else 2) for operator in HANDS),
    (TrickTaking(9, 3, 2), trick_input, 100),
    *((CardPlay(9, hand, seat, 2), card_play_input, 20) for hand in (1, 2, 3) for seat in range(3)),
    (CardPlay(9, 3, 1, 2, opening=True), card_play_input, 20),
]


@pytest.mark.parametrize(
    ("operator", "random_input", "inputs"),
    CASES,
    ids=lambda value: (
        f"{value.name}-{'-'.join(map(str, value.params))}" if hasattr(value, "params") else ""
    ),
)
def test_random_legal_inputs(operator, random_input, inputs):
    """By linearity, as no two inputs lead to the same state, superpositions are right as well."""
    random = Random(5)
    circuit = HighLevelSynthesisPluginManager().method(operator.name, "default").run(operator)
    reached = {}
    for basis_state in {random_input(operator, random) for _ in range(inputs)}:
        probabilities = defaultdict(float)
        for state, amplitude in amplitudes_of(circuit, basis_state).items():
            assert reached.setdefault(state, basis_state) == basis_state
            probabilities[operator.canonical(state)] += abs(amplitude) ** 2
        expected = operator.action(basis_state)
        assert probabilities == pytest.approx({key: float(p) for key, p in expected.items()})


TREES = {f"{n} cards": tournament(n) for n in range(1, 13)}
SMALL = [name for name, draw in TREES.items() if draw.cards <= 10]


@pytest.fixture(params=SMALL)
def draw(request):
    return TREES[request.param]


def halves(draw: Draw) -> tuple[Draw, Draw]:
    assert draw.left is not None
    assert draw.right is not None
    return draw.left, draw.right


def chances(draw, marks):
    """Return every card's probability to win, coin by coin."""
    if draw.cards == 1:
        return [Fraction(1)]
    left, right = halves(draw)
    ones, others = marks[: left.cards], marks[left.cards :]
    pattern = sum(ones) | sum(others) << left.cards.bit_length()
    p = draw_probabilities(left.cards, right.cards)[pattern]
    return [*(p * q for q in chances(left, ones)), *((1 - p) * q for q in chances(right, others))]


def uniform(marks):
    """Return the wanted probabilities: uniform among the marked cards, or among all."""
    chosen = marks if any(marks) else [1] * len(marks)
    return [Fraction(mark, sum(chosen)) for mark in chosen]


def test_the_winner_is_uniform_among_the_marked_cards(draw):
    for marks in product([0, 1], repeat=draw.cards):
        assert chances(draw, marks) == uniform(marks)


def gates(draw):
    circuit = QuantumCircuit(draw.cards + draw.coins + draw.ancillas)
    qubits = range(circuit.num_qubits)
    coins = range(draw.cards, draw.cards + draw.coins)
    toss_coins(circuit, draw, range(draw.cards), coins, qubits[coins.stop :])
    return circuit.num_nonlocal_gates()


@pytest.mark.parametrize("cards", range(3, 9))
def test_other_trees_take_no_fewer_gates(cards):
    """All ways to split off the last group, each half drawn at its cheapest."""
    best = gates(tournament(cards))
    for right in range(1, cards // 2 + 1):
        assert gates(Draw(tournament(cards - right), tournament(right))) >= best


@given(
    points=st.integers(1, 3).flatmap(
        lambda bits: st.lists(
            st.integers(0, 11), min_size=(1 << bits - 1) + (bits > 1), max_size=1 << bits
        )
    ),
    more=st.integers(1, 2),
)
def test_any_table_of_points(points, more):
    lane_bits = max(1, (len(points) - 1).bit_length())
    operator = TrickScore(1, lane_bits, max(points).bit_length() + more, points)
    assert verify(operator) == len(points) << operator.score_bits + 1
