"""Tournaments: who wins with which probability, on paper and on qubits."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from qiskit import QuantumCircuit

from games.trick_taking.synthesis.draw_coins import toss_coins
from games.trick_taking.synthesis.tournament import Draw, draw_probabilities, tournament
from tests.compiler.many_inputs import final_states

TREES = {
    **{f"{n} cards": tournament(n) for n in range(1, 13)},
    **{f"{n} cards, narrow": tournament(n, narrow=True) for n in range(8, 13)},
}
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


def winner(draw, coins):
    """Return who wins with these coins, which are used up in order."""
    if draw.cards == 1:
        return 0
    if draw.indexed:
        low, middle, top = (coins.pop(0) for _ in range(3))
        return 7 - (low + 2 * middle + 4 * top)
    left, right = halves(draw)
    one, other = winner(left, coins), winner(right, coins)
    return one if coins.pop(0) else left.cards + other


def some_marks(cards, random):
    """Return all marks of up to five cards, and else some of each number of marked cards."""
    if cards <= 5:
        return list(product([0, 1], repeat=cards))
    found = [[int(i in random.sample(range(cards), n)) for i in range(cards)]
             for n in range(cards + 1) for _ in range(2)]  # fmt: skip
    return [*map(tuple, found), (1,) * cards, (0,) * cards]


def test_tossed_coins_draw_the_winner(draw):
    """Marks come back, ancillas are clean, and coins that were tossed choose as they should."""
    if draw.cards == 1:
        assert draw.coins == draw.ancillas == 0
        return
    sizes = draw.cards, draw.coins, draw.ancillas
    circuit = QuantumCircuit(sum(sizes))
    marks = range(draw.cards)
    coins = range(draw.cards, draw.cards + draw.coins)
    toss_coins(circuit, draw, marks, coins, range(coins.stop, sum(sizes)))
    tried = {sum(mark << i for i, mark in enumerate(m)): m
             for m in some_marks(draw.cards, Random(draw.cards))}  # fmt: skip
    for start, state in final_states(circuit, tried).items():
        found = [0.0] * draw.cards
        for bits, amplitude in zip(state.bits, state.amplitudes, strict=True):
            assert tuple(bits[: draw.cards]) == tried[start]
            assert not bits[coins.stop :].any()
            found[winner(draw, list(bits[coins.start : coins.stop].astype(int)))] += (
                abs(amplitude) ** 2
            )
        assert found == pytest.approx([float(p) for p in uniform(tried[start])], abs=1e-9)


def test_every_coin_and_ancilla_is_used(draw):
    circuit = QuantumCircuit(draw.cards + draw.coins + draw.ancillas)
    qubits = range(circuit.num_qubits)
    coins = range(draw.cards, draw.cards + draw.coins)
    toss_coins(circuit, draw, range(draw.cards), coins, qubits[coins.stop :])
    used = {circuit.find_bit(q).index for item in circuit.data for q in item.qubits}
    assert used == (set() if draw.cards == 1 else set(qubits))


@pytest.mark.parametrize("cards", range(1, 13))
def test_history_of_a_tournament(cards):
    """One coin a draw; narrow ones index eight cards with three in the place of seven."""
    assert tournament(cards).cards == tournament(cards, narrow=True).cards == cards
    assert tournament(cards).coins == cards - 1
    assert tournament(cards, narrow=True).coins == cards - 1 - (4 if cards >= 8 else 0)


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
