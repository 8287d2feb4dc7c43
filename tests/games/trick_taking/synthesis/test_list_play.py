"""Plays from lists: indices, swaps, and what the circuits cost."""

from random import Random

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from games.trick_taking.operators.list_play import FollowPlay, LeadPlay
from games.trick_taking.synthesis.list_play import bring_to_end, uniform_index
from tests.compiler.many_inputs import final_states


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
