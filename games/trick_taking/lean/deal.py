"""The deal of known cards with a coin a card."""

from fractions import Fraction
from math import asin, sqrt

from qiskit import QuantumCircuit

from compiler.fault_tolerant.lean_synthesis import lean_syntheses
from compiler.fault_tolerant.one_hot_rotation import OneHotRotation
from compiler.fault_tolerant.temporary_ands import temporary_and, undo_and
from compiler.synthesis.registers import split


@lean_syntheses.register("sorted_deal")
def sorted_deal(*params: int) -> QuantumCircuit:
    """Walk with a one-hot pointer as `sorted_deal.walk` does, tossing one coin a card.

    The pointer's qubits are the flags of the coin's table, so that the table costs nothing. One
    AND for each of the k(n-k) places that the walk can be at, and n rotations by tables.

    Args:
        params: qubits of a slot, k, the codes of the n cards.

    Returns:
        The circuit on both lists, history, pointer and a flag.
    """
    width, chosen, *codes = params
    cards = len(codes)
    rest = cards - chosen
    sizes = (chosen * width, rest * width, cards, chosen + 1, 1)
    circuit = QuantumCircuit(sum(sizes))
    hand, left, history, pointer, (move,) = split(range(circuit.num_qubits), *sizes)
    circuit.x(pointer[0])
    for card, code in enumerate(codes):
        places = range(max(0, card - rest), min(card, chosen) + 1)
        taken = {j: Fraction(chosen - j, cards - card) for j in places if j < chosen}
        table = {j: 2 * asin(sqrt(p)) for j, p in taken.items() if p < 1}
        if table:
            flags = [pointer[j] for j in table]
            circuit.append(OneHotRotation(list(table.values())), [*flags, history[card]])
        for j, probability in taken.items():
            if probability == 1:
                circuit.cx(pointer[j], history[card])
        for j in reversed(places):
            if j < chosen:
                temporary_and(circuit, history[card], pointer[j], move)
                for qubit in (pointer[j], pointer[j + 1], *_ones(hand, width, j, code)):
                    circuit.cx(move, qubit)
            if card - j < rest:
                for qubit in _ones(left, width, card - j, code):
                    circuit.cx(pointer[j], qubit)
            if j < chosen:
                undo_and(circuit, history[card], pointer[j + 1], move)
    circuit.x(pointer[chosen])
    return circuit


def _ones(slots: list[int], width: int, slot: int, code: int) -> list[int]:
    return [slots[slot * width + bit] for bit in range(width) if code >> bit & 1]
