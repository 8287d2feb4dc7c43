"""Tricks of lists: ancillas, predictions, and gates that must not be missing."""

from random import Random

import pytest
from qiskit import QuantumCircuit, transpile

from compiler.synthesis.method import predictions
from games.trick_taking.operators.list_trick import TrickWinner
from games.trick_taking.synthesis.list_trick import trick_ancillas
from tests.compiler.many_inputs import is_noticed, random_inputs, without_gate

BASIS = ["cx", "rz", "sx", "x"]
OPERATORS = {
    "two, lanes alone": TrickWinner(2, 0, 2, 1, trumps=False),
    "two, suits": TrickWinner(2, 2, 2, 1, trumps=False),
    "two, trumps": TrickWinner(2, 2, 2, 1, trumps=True),
    "three, lanes alone": TrickWinner(3, 0, 3, 1, trumps=False),
    "three, suits": TrickWinner(3, 2, 3, 3, trumps=False),
    "three, trumps": TrickWinner(3, 2, 3, 3, trumps=True),
    "three, three bits of class": TrickWinner(3, 3, 2, 1, trumps=True),
    "three, no luggage": TrickWinner(3, 1, 2, 0, trumps=True),
    "Skat": TrickWinner(3, 2, 3, 46, trumps=True),
}


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=OPERATORS)
def test_predicted_gates_are_counted(operator):
    """At most 3 % too many, or nine gates where gadgets meet."""
    (predicted,) = predictions(operator).values()
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.append(operator, range(operator.num_qubits))
    native = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
    assert 0 <= predicted - native.num_nonlocal_gates() <= max(9, 0.03 * predicted)


@pytest.mark.parametrize(
    ("class_bits", "lane_bits", "trumps", "ancillas"),
    [(0, 5, 0, (0, 0, 0)), (1, 2, 0, (1, 1, 0)), (2, 3, 1, (2, 2, 0)), (3, 3, 1, (2, 2, 1))],
)
def test_ancillas(class_bits, lane_bits, trumps, ancillas):
    assert trick_ancillas(class_bits, lane_bits, trumps) == ancillas


@pytest.mark.parametrize("more", [1, 2, 5])
def test_luggage_takes_four_gates_a_qubit_and_swap(more):
    few, many = TrickWinner(3, 2, 3, 1, trumps=True), TrickWinner(3, 2, 3, 1 + more, trumps=True)
    (one,), (other,) = predictions(few).values(), predictions(many).values()
    assert other - one == 2 * 4 * more


MUTATED = {
    "two": TrickWinner(2, 2, 1, 1, trumps=True),
    "three": TrickWinner(3, 1, 1, 1, trumps=True),
    "three, suits": TrickWinner(3, 2, 1, 1, trumps=False),
    "three, trumps": TrickWinner(3, 2, 2, 2, trumps=True),
    "lanes alone": TrickWinner(3, 0, 3, 1, trumps=False),
}


@pytest.mark.parametrize("most", [20, pytest.param(60, marks=pytest.mark.full)])
@pytest.mark.parametrize("operator", MUTATED.values(), ids=MUTATED)
def test_missing_gates_are_noticed(operator, most):
    """All but gates whose control is the leader's flag "follows", which is always 1."""
    random = Random(7)
    circuit, inputs = operator.definition, random_inputs(operator, random, 50)
    places = random.sample(range(len(circuit.data)), min(most, len(circuit.data)))
    noticed = [is_noticed(operator, without_gate(circuit, place), inputs) for place in places]
    assert sum(noticed) >= 0.9 * len(places)
