"""Hands as lists: where the cards of a hand lie among an operator's operands.

A *slot* is a register of `width` qubits that holds a card's code; a list is several slots one
after the other. The order of the cards that a hand still holds says nothing; operators may
change it.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from random import Random
from typing import Any

from qiskit import QuantumCircuit

from compiler.synthesis.method import Operator


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


class Recording(Operator):
    """An operator whose last operands are history qubits.

    Args:
        operands: number of the other operands.
        params: see `Operator`.
    """

    exact_phases = False

    def __init__(self, operands: int, params: Sequence[Any]) -> None:
        self.history = tuple(range(operands, operands + self.recorded()))
        super().__init__(operands + len(self.history), params)

    @abstractmethod
    def recorded(self) -> int:
        """Return the number of history qubits."""


class Splitting(Recording):
    """An operator that splits a list of different cards in two, in all ways at once.

    |list⟩ → Σ_{k-subsets} |the subset⟩ |the rest⟩ |history⟩ / √C(n,k), up to the order of the
    cards in each part.

    Attributes:
        width: qubits per slot.
        cards: n, cards on the list.
        chosen: k, cards of the first part.
    """

    width: int
    cards: int
    chosen: int

    def legal_inputs(self) -> Iterator[int]:
        """Yield every list of different codes, in every order."""
        for codes in permutations(range(1 << self.width), self.cards):
            yield pack(codes, self.width)

    def random_legal_input(self, random: Random) -> int:
        """Return a random list of different codes."""
        return pack(random.sample(range(1 << self.width), self.cards), self.width)

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the uniform distribution over all subsets."""
        codes = sorted(unpack(basis_state, self.cards, self.width))
        splits = [
            pack([*first, *(code for code in codes if code not in first)], self.width)
            for first in combinations(codes, self.chosen)
        ]
        return dict.fromkeys(splits, Fraction(1, len(splits)))

    def canonical(self, basis_state: int) -> int:
        """Return an output with both parts in ascending order and without its history."""
        codes = unpack(basis_state, self.cards, self.width)
        parts = [*sorted(codes[: self.chosen]), *sorted(codes[self.chosen :])]
        return pack(parts, self.width)
