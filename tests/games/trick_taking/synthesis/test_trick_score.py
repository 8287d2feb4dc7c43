"""Scores: addition, decoding of points, predictions, and gates that must not be missing."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit, transpile

from compiler.synthesis.method import predictions
from games.trick_taking.operators.trick_score import TrickScore
from games.trick_taking.synthesis.trick_score import add_into, score_ancillas
from tests.compiler.many_inputs import final_states, is_noticed, random_inputs, verify, without_gate

BASIS = ["cx", "rz", "sx", "x"]


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("more", [1, 2, 4])
def test_add_into(size, more):
    """All numbers and all values of the register; the docstring's number of gates."""
    wide = size + more
    carries = max(1, more)
    circuit = QuantumCircuit(size + wide + carries)
    total = range(size, size + wide)
    add_into(circuit, range(size), total, range(size + wide, circuit.num_qubits))
    assert circuit.num_nonlocal_gates() == 10 * size + 7 * more - 9
    for start, state in final_states(circuit, range(1 << size + wide)).items():
        (bits,) = state.bits
        number, value = start & (1 << size) - 1, start >> size
        wanted = number | (value + number) % (1 << wide) << size
        assert sum(int(bit) << q for q, bit in enumerate(bits)) == wanted


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


@given(points=st.lists(st.integers(0, 11), min_size=5, max_size=8))
def test_every_flag_is_used(points):
    flags, _ = score_ancillas(3, 5, points)
    operator = TrickScore(1, 3, 5, points)
    circuit = operator.definition
    used = {circuit.find_bit(q).index for item in circuit.data for q in item.qubits}
    first = 1 + 3 + 5
    if any(points):
        assert set(range(first, first + flags)) <= used
    else:
        assert not used


SKAT = (2, 11, 10, 4, 3, 0, 0, 0)
OPERATORS = {
    "Skat": TrickScore(3, 3, 8, SKAT),
    "paper rules": TrickScore(3, 5, 8, tuple(p for p in (2, 11, 10, 4, 3, 0, 0, 0)
                                             for _ in range(4))),
    "null": TrickScore(1, 3, 5, (1,) * 8),
    "toy": TrickScore(2, 2, 5, (11, 10, 4, 3)),
    "equal": TrickScore(2, 2, 4, (4, 4, 4, 4)),
    "nothing": TrickScore(2, 2, 3, (0, 0, 0, 0)),
}  # fmt: skip


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=OPERATORS)
def test_predicted_gates_are_counted(operator):
    """At most 3 % too many, or two gates where gadgets meet."""
    (predicted,) = predictions(operator).values()
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.append(operator, range(operator.num_qubits))
    native = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
    assert 0 <= predicted - native.num_nonlocal_gates() <= max(2, 0.03 * predicted)


def test_cards_that_count_nothing_take_no_gate():
    operator = TrickScore(3, 3, 4, (0,) * 7)
    assert predictions(operator) == {"ripple": 0}
    assert verify(operator, inputs=random_inputs(operator, Random(1), 50)) == 50


MUTATED = {
    "one card": TrickScore(1, 2, 5, (7, 4, 3, 0)),
    "two cards": TrickScore(2, 2, 4, (3, 0, 2, 2)),
    "ranks": TrickScore(1, 3, 5, SKAT),
}


@pytest.mark.parametrize("most", [20, pytest.param(60, marks=pytest.mark.full)])
@pytest.mark.parametrize("operator", MUTATED.values(), ids=MUTATED)
def test_missing_gates_are_noticed(operator, most):
    random = Random(7)
    circuit, inputs = operator.definition, random_inputs(operator, random, 100)
    places = random.sample(range(len(circuit.data)), min(most, len(circuit.data)))
    noticed = [is_noticed(operator, without_gate(circuit, place), inputs) for place in places]
    assert sum(noticed) >= 0.95 * len(places)
