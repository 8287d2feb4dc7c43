"""The operators of qutrits: exact on all legal inputs, and at their bars."""

from itertools import product

import numpy as np
import pytest
from qiskit.quantum_info import Operator as Gates

from compiler.lowering.resources import resources
from compiler.synthesis.method import predictions, synthesised
from compiler.verification.operators import verify_methods, verify_specification
from games.endless_fun.operators.cards import cards_for, levels_moved
from games.endless_fun.operators.cards import product as product_of
from games.endless_fun.operators.codes import CODES, SAME, moved
from games.endless_fun.operators.qutrit import (
    CARDS,
    QutritCards,
    QutritCnot,
    QutritStart,
    places,
    target_after,
)
from games.endless_fun.rules.gates import Gate
from tests.games.endless_fun.dense import SINGLE, neighbours

KINDS = (QutritCards, QutritStart, QutritCnot)
EXAMPLES = {label: op for kind in KINDS for label, op in kind.example_operators().items()}
CODE_NUMBERS = range(6)
ILLEGAL = 3

IN_PLACE = {"X1": 1, "X2": 1, "Y1": 1, "Y2": 1, "Z1": 0, "Z2": 0, "H1": 2, "H2": 2, "H3": 2}


def legal_block(circuit, before, after):
    """Return what a circuit does with levels, and the weight that leaves them.

    Args:
        circuit: on two qubits a qutrit, the first qutrit's first.
        before: the words of each qutrit's levels; index: the first qutrit the most significant.
        after: the same afterwards.
    """
    matrix = Gates(circuit).data
    at = [sum(w << 2 * q for q, w in enumerate(words)) for words in product(*before)]
    to = [sum(w << 2 * q for q, w in enumerate(words)) for words in product(*after)]
    block = matrix[np.ix_(to, at)]
    return block, 1 - (np.abs(block) ** 2).sum(axis=0)


def equal_up_to_a_phase(one, other):
    return abs(abs(np.vdot(one, other)) - np.vdot(other, other).real) < 1e-9


@pytest.mark.parametrize("label", EXAMPLES)
def test_specifications_are_isometries_on_all_levels(label):
    operator = EXAMPLES[label]
    levels = 1 if isinstance(operator, QutritStart) else 3 ** (operator.num_qubits // 2)
    assert verify_specification(operator) == levels


@pytest.mark.parametrize("card", CARDS)
def test_a_card_in_place_is_the_printed_matrix_at_its_bar(card):
    operator = QutritCards(SAME, SAME, *places(card))
    circuit = synthesised(operator)
    block, leaving = legal_block(circuit, [CODES[3][SAME]], [CODES[3][SAME]])
    assert equal_up_to_a_phase(block, SINGLE[3][card])
    assert leaving == pytest.approx(0, abs=1e-9)
    assert resources(circuit).two_qubit_gates == IN_PLACE[card]
    assert predictions(operator)["completed"] == IN_PLACE[card]


@pytest.mark.parametrize("card", ["X1", "X2", "Y1", "Y2"])
def test_a_card_that_moves_levels_costs_nothing_if_it_is_relabelled(card):
    levels = levels_moved(SINGLE[3][card])
    for code in CODE_NUMBERS:
        operator = QutritCards(code, moved(code, levels), *places(Gate(card)))
        assert predictions(operator)["completed"] == 0
        verify_methods(operator)


def test_cnot_is_the_printed_one_whatever_words_stand_for_levels():
    expected = neighbours("CNOTr", 3)
    for control, target in product(CODE_NUMBERS, repeat=2):
        operator = QutritCnot(control, target)
        circuit = synthesised(operator)
        after = target_after(control, target)
        codes = CODES[3]
        block, leaving = legal_block(
            circuit, [codes[control], codes[target]], [codes[control], codes[after]]
        )
        assert equal_up_to_a_phase(block, expected)
        assert leaving == pytest.approx(0, abs=1e-9)
        assert predictions(operator)["eight"] == 8
    assert target_after(SAME, SAME) == SAME


def test_cnot_takes_eight_gates_in_place():
    circuit = synthesised(EXAMPLES["CNOT mod 3"])
    assert resources(circuit).two_qubit_gates <= 8


def test_any_cards_in_a_row_take_two_gates_at_most():
    """All 216 matrices that cards on one qutrit make up."""
    seen = newest = {()}
    while newest:
        longer = {(*before, card) for before in newest for card in CARDS}
        newest = {cards_for(product_of(cards, 3)) for cards in longer} - seen
        seen = seen | newest
    assert len(seen) == 216
    for word in seen:
        operator = QutritCards(SAME, SAME, *places(*word))
        assert predictions(operator)["completed"] <= 2


@pytest.mark.parametrize("level", range(3))
def test_a_known_level_takes_one_gate_at_most(level):
    for card, code in product(CARDS, CODE_NUMBERS):
        operator = QutritStart(code, level, *places(card))
        circuit = synthesised(operator)
        assert predictions(operator)["schmidt"] <= 1
        state = Gates(circuit).data[:, 0]
        words = CODES[3][code]
        assert state[ILLEGAL] == pytest.approx(0, abs=1e-9)
        assert equal_up_to_a_phase(state[list(words)], SINGLE[3][card][:, level])
