"""Where a card's qubits lie among an operator's operands."""

from collections.abc import Sequence
from typing import TypeVar

Q = TypeVar("Q")


def split(qubits: Sequence[Q], *sizes: int) -> list[list[Q]]:
    """Cut `qubits` into consecutive registers of the given sizes.

    Raises:
        ValueError: if the sizes do not add up to the number of qubits.
    """
    if sum(sizes) != len(qubits):
        raise ValueError(f"{len(qubits)} qubits cannot be split into registers of {sizes}")
    rest = iter(qubits)
    return [[next(rest) for _ in range(size)] for size in sizes]


def bit_pattern(values: Sequence[bool]) -> int:
    """Return the integer whose bit i is `values[i]`."""
    return sum(value << i for i, value in enumerate(values))
