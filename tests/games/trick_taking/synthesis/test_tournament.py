"""Tournaments: who wins with which probability, on paper and on qubits."""

from fractions import Fraction
from itertools import product

import pytest
from qiskit import QuantumCircuit

from games.trick_taking.operators.tournament import Draw, draw_probabilities, toss_coins, tournament

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


@pytest.mark.parametrize("cards", range(1, 13))
def test_history_of_a_tournament(cards):
    assert tournament(cards).cards == cards
    assert tournament(cards).coins == cards - 1


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
