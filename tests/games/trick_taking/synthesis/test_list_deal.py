"""Deals into lists: predictions, growth, and gates that must not be missing."""

from random import Random

import pytest
from qiskit import QuantumCircuit, transpile

from compiler.synthesis.method import predictions
from games.trick_taking.operators.list_deal import ListSplit, SortedDeal
from tests.compiler.many_inputs import is_noticed, random_inputs, without_gate

BASIS = ["cx", "rz", "sx", "x"]
OPERATORS = {
    "deal 2 of 4": SortedDeal(3, 2, (1, 2, 4, 7)),
    "deal 3 of 6": SortedDeal(3, 3, (0, 1, 2, 5, 6, 7)),
    "deal 10 of 32": SortedDeal(5, 10, tuple(range(32))),
    "split 3 by 1": ListSplit(2, 3, 1),
    "split 4 by 2": ListSplit(3, 4, 2),
    "split 12 by 10": ListSplit(5, 12, 10),
    "split 22 by 10": ListSplit(5, 22, 10),
}


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=OPERATORS)
def test_predicted_gates_are_counted(operator):
    (predicted,) = predictions(operator).values()
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.append(operator, range(operator.num_qubits))
    native = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
    assert native.num_nonlocal_gates() == predicted


@pytest.mark.parametrize(("cards", "parts"), [(12, 1), (13, 13), (20, 20)])
def test_large_deals_are_cut_into_parts(cards, parts):
    """One barrier after every card, across all qubits."""
    for operator in (SortedDeal(5, 3, tuple(range(cards))), ListSplit(5, cards, 3)):
        barriers = [item for item in operator.definition.data if item.operation.name == "barrier"]
        drawn = cards if isinstance(operator, SortedDeal) else cards - 3
        assert len(barriers) == (drawn if parts > 1 else 0)
        assert all(len(item.qubits) == operator.num_qubits for item in barriers)


MUTATED = {
    "deal 2 of 4": SortedDeal(3, 2, (1, 2, 4, 7)),
    "deal 3 of 6": SortedDeal(3, 3, (0, 1, 2, 5, 6, 7)),
    "split 4 by 2": ListSplit(2, 4, 2),
    "split 4 by 3": ListSplit(2, 4, 3),
}


@pytest.mark.parametrize("most", [20, pytest.param(60, marks=pytest.mark.full)])
@pytest.mark.parametrize("operator", MUTATED.values(), ids=MUTATED)
def test_missing_gates_are_noticed(operator, most):
    """All but some that leave the flag "move" dirty where the next coin is fair all the same."""
    random = Random(7)
    circuit, inputs = operator.definition, random_inputs(operator, random, 5)
    places = random.sample(range(len(circuit.data)), min(most, len(circuit.data)))
    noticed = [is_noticed(operator, without_gate(circuit, place), inputs) for place in places]
    assert sum(noticed) >= 0.9 * len(places)
