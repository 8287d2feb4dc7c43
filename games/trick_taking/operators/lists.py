"""Hands as lists: where the cards of a hand lie among an operator's operands.

A *slot* is a register of `width` qubits that holds a card's code; a list is several slots one
after the other. The order of the cards that a hand still holds says nothing; operators may
change it.
"""

from collections.abc import Iterable, Sequence
from itertools import permutations
from random import Random


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


def lists_of(cards: Sequence[int], slots: int) -> Iterable[tuple[int, ...]]:
    """Return every list of distinct cards."""
    return permutations(cards, slots)


def random_list(random: Random, cards: Sequence[int], slots: int) -> list[int]:
    """Return a random list of distinct cards."""
    return random.sample(list(cards), slots)
