"""Syntheses of counts, tournaments and scores, also on large decks."""

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
from games.trick_taking.operators.tournament import draw_probabilities, tournament
from games.trick_taking.operators.trick_score import TrickScore
from games.trick_taking.operators.trick_taking import TrickTaking
from games.trick_taking.operators.uniform_deal import UniformDeal
from tests.compiler.many_inputs import random_inputs, verify

BASIS = ["cx", "rz", "sx", "x"]


def deal(*hands):
    return UniformDeal(hands, (None,) * sum(hands))


# Two-qubit gates, all-to-all.
BARS = {
    "D(4,2)": (deal(2, 2), 5),
    "D(6,3)": (deal(3, 3), 24),
    "D(32,10)": (deal(22, 10), 816),
    "three hands of three": (deal(3, 3, 3), 150),
    "skat": (deal(2, 2, 1), 28),
    "hand of two among four": (HandPlay(4, 2), 14),
    "hand of ten among 32": (HandPlay(32, 10), 219),
    "hand of one": (HandPlay(9, 1), 9),
    "three among nine, leaving": (HandPlay(9, 3, leaves=True), 67),
    "ten among 32, leaving": (HandPlay(32, 10, leaves=True), 251),
    "play 1 of 3 among nine": (CardPlay(9, 3, 0, 2), 207),
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
@pytest.mark.parametrize("cards", [1, 4, pytest.param(7, marks=pytest.mark.full)])
def test_hand_plays_meet_their_specification(cards, leaves):
    plugins = HighLevelSynthesisPluginManager()
    for hand in range(1, cards + 1):
        operator = HandPlay(cards, hand, leaves=leaves)
        for method, price in predictions(operator).items():
            circuit = plugins.method("hand_play", method).run(operator)
            assert verify_operator(operator, circuit) == comb(cards, hand)
            native = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
            assert native.count_ops().get("cx", 0) == price


HANDS = [
    HandPlay(cards, hand, leaves=leaves)
    for cards, hand in ((9, 3), (32, 2), (32, 10))
    for leaves in (False, True)
]


@pytest.mark.parametrize("operator", HANDS, ids=lambda hand: "-".join(map(str, hand.params)))
def test_random_legal_inputs(operator):
    circuit = HighLevelSynthesisPluginManager().method(operator.name, "default").run(operator)
    inputs = random_inputs(operator, Random(5), 3)
    assert verify(operator, circuit, inputs) == len(inputs)


def chances(draw, marks):
    """Return every card's probability to win, coin by coin."""
    if draw.cards == 1:
        return [Fraction(1)]
    left, right = draw.halves
    ones, others = marks[: left.cards], marks[left.cards :]
    pattern = sum(ones) | sum(others) << left.cards.bit_length()
    p = draw_probabilities(left.cards, right.cards)[pattern]
    return [*(p * q for q in chances(left, ones)), *((1 - p) * q for q in chances(right, others))]


def uniform(marks):
    """Return the wanted probabilities: uniform among the marked cards, or among all."""
    chosen = marks if any(marks) else [1] * len(marks)
    return [Fraction(mark, sum(chosen)) for mark in chosen]


@pytest.mark.parametrize("cards", range(1, 9))
def test_the_winner_is_uniform_among_the_marked_cards(cards):
    draw = tournament(cards)
    for marks in product([0, 1], repeat=draw.cards):
        assert chances(draw, marks) == uniform(marks)


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
