"""Plays from lists: indices, swaps, and what the circuits cost."""

from random import Random

import numpy as np
import pytest
from qiskit import QuantumCircuit, transpile
from qiskit.quantum_info import Statevector

from compiler.synthesis.method import predictions
from games.trick_taking.operators.list_play import FollowPlay, LeadPlay
from games.trick_taking.synthesis.list_play import bring_to_end, uniform_index
from tests.compiler.many_inputs import final_states, is_noticed, random_inputs, without_gate

BASIS = ["cx", "rz", "sx", "x"]


@pytest.mark.parametrize("size", range(1, 21))
def test_indices_are_uniform(size):
    index = range((size - 1).bit_length())
    circuit = QuantumCircuit(max(1, len(index)))
    uniform_index(circuit, index, size)
    found = Statevector(circuit).probabilities()
    wanted = np.zeros(len(found))
    wanted[:size] = 1 / size
    assert found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8, 10, 11])
def test_an_index_brings_its_slot_to_the_end(size):
    """No slot is lost; 4 gates for every qubit of each slot but one."""
    width, bits = 2, (size - 1).bit_length()
    circuit = QuantumCircuit(size * width + bits)
    index = range(size * width, circuit.num_qubits)
    slots = [range(i * width, (i + 1) * width) for i in range(size)]
    bring_to_end(circuit, slots, index)
    assert circuit.num_nonlocal_gates() == 4 * width * (size - 1)
    cards = Random(size).choices(range(4), k=size)
    codes = sum(card << width * i for i, card in enumerate(cards))
    starts = {codes | place << size * width: place for place in range(size)}
    for start, state in final_states(circuit, starts).items():
        (bits_found,) = state.bits
        value = sum(int(bit) << q for q, bit in enumerate(bits_found))
        after = [value >> width * i & 3 for i in range(size)]
        assert after[-1] == cards[size - 1 - starts[start]]
        assert sorted(after) == sorted(cards)
        assert value >> size * width == starts[start]


OPERATORS = {
    **{f"lead {n}": LeadPlay(5, n) for n in range(2, 11)},
    **{f"follow {n}": FollowPlay(2, 3, n) for n in range(2, 11)},
    **{f"follow {n}, narrow": FollowPlay(2, 3, n, narrow=True) for n in (8, 9, 10)},
    **{f"follow {n}, one bit": FollowPlay(1, 2, n) for n in (2, 3, 5)},
    **{f"follow {n}, three bits": FollowPlay(3, 2, n) for n in (2, 3, 5)},
}


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=OPERATORS)
def test_predicted_gates_are_counted(operator):
    """Classes of three bits lend each other six gates; else every gate is needed."""
    (predicted,) = predictions(operator).values()
    circuit = QuantumCircuit(operator.num_qubits)
    circuit.append(operator, range(operator.num_qubits))
    native = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=0)
    saved = 6 if isinstance(operator, FollowPlay) and operator.class_bits == 3 else 0
    assert native.num_nonlocal_gates() == predicted - saved


@pytest.mark.parametrize(
    ("operator", "qubits"),
    [
        (LeadPlay(5, 10), 54),
        (FollowPlay(2, 3, 10), 50 + 2 + 9 + 10 + 10),
        (FollowPlay(2, 3, 10, narrow=True), 50 + 2 + 5 + 10 + 12),
    ],
    ids=["lead", "follow", "narrow"],
)
def test_qubits_of_a_hand_of_ten(operator, qubits):
    assert operator.num_qubits == qubits


MUTATED = {
    "lead 3": LeadPlay(2, 3),
    "lead 5": LeadPlay(3, 5),
    "follow 3": FollowPlay(1, 1, 3),
    "follow 3, two bits": FollowPlay(2, 1, 3),
    "follow 8, narrow": FollowPlay(1, 3, 8, narrow=True),
}
LONG = ("follow 8, narrow",)


@pytest.mark.parametrize("most", [20, pytest.param(60, marks=pytest.mark.full)])
@pytest.mark.parametrize(
    "operator",
    [
        pytest.param(operator, id=name, marks=[pytest.mark.full] if name in LONG else [])
        for name, operator in MUTATED.items()
    ],
)
def test_missing_gates_are_noticed(operator, most):
    """All but the condition of a coin that moves no card: 95 % and more of a sample."""
    random = Random(7)
    circuit, inputs = operator.definition, random_inputs(operator, random, 10)
    places = random.sample(range(len(circuit.data)), min(most, len(circuit.data)))
    noticed = [is_noticed(operator, without_gate(circuit, place), inputs) for place in places]
    assert sum(noticed) >= 0.95 * len(places)
