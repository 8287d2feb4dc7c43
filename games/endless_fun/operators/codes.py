"""Codes: the bits of each level, for which X, swaps and changes of sign cost nothing."""

from collections.abc import Sequence
from itertools import permutations

Code = int
"""A place in `CODES` of a dimension."""

CODES: dict[int, tuple[tuple[int, ...], ...]] = {d: tuple(permutations(range(d))) for d in (2, 3)}
"""For each level its word, by code. Words are values of one qubit, or of two, low bit first, of
which 3 is illegal. Code 0 is the level itself.

Other words could be illegal, but they are X gates away from these, so that circuits on them have
the same two-qubit gates.
"""

SAME: Code = 0


def words(code: Code, dimension: int = 3) -> tuple[int, ...]:
    """Return the word of each level."""
    return CODES[dimension][code]


def code_of(read: Sequence[int]) -> Code:
    """Return the code with these words."""
    return CODES[len(read)].index(tuple(read))


def moved(code: Code, levels: Sequence[int]) -> Code:
    """Return the code after level v has become `levels[v]`, with the words unchanged."""
    dimension = len(levels)
    after = [0] * dimension
    for level, word in zip(levels, words(code, dimension), strict=True):
        after[level] = word
    return code_of(after)


def line(code: Code, dimension: int = 3) -> tuple[int, int]:
    """Return slope and value at 0 of a code, which is a straight line mod d."""
    at = words(code, dimension)
    return (at[1] - at[0]) % dimension, at[0]


def code_on(slope: int, value: int, dimension: int = 3) -> Code:
    """Return the code of a straight line; the inverse of `line`."""
    return code_of([(slope * level + value) % dimension for level in range(dimension)])
