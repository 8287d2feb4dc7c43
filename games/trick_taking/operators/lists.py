"""Hands as lists: where the cards of a hand lie among an operator's operands.

A *slot* is a register of `width` qubits that holds a card's code; a list is several slots one
after the other. The order of the cards that a hand still holds says nothing; operators may
change it.
"""

from collections.abc import Iterable, Sequence

from qiskit import QuantumCircuit


def pack(codes: Iterable[int], width: int, offset: int = 0) -> int:
    """Return the basis state in which consecutive slots hold `codes`, from bit `offset` on."""
    state = 0
    for code in codes:
        state |= code << offset
        offset += width
    return state


def unpack(basis_state: int, slots: int, width: int, offset: int = 0) -> list[int]:
    """Return the contents of consecutive slots."""
    mask = (1 << width) - 1
    return [basis_state >> at & mask for at in range(offset, offset + slots * width, width)]


def ones(slot: Sequence[int], code: int) -> list[int]:
    """Return the qubits of a slot that are 1 if it holds `code`."""
    return [qubit for bit, qubit in enumerate(slot) if code >> bit & 1]


def write(circuit: QuantumCircuit, slot: Sequence[int], code: int) -> None:
    """Write a code into a slot that holds 0."""
    for qubit in ones(slot, code):
        circuit.x(qubit)
