"""Few qubits whose values tell which of several things has happened."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from compiler.errors import InputError


def deciding_qubits(
    bits: NDArray[np.bool_], labels: Sequence[int], costs: Sequence[float]
) -> list[int]:
    """Return columns by which rows of different labels differ, none of which can be spared.

    The dearest columns are given up first, wherever the others still tell; of equal ones the
    last.

    Args:
        bits: shape (rows, columns).
        labels: of the rows.
        costs: of the columns.

    Returns:
        The columns, in their order.

    Raises:
        InputError: if two equal rows have different labels.
    """
    kept = list(range(len(costs)))
    _, classes = np.unique(labels, return_inverse=True)
    if not _tells(bits, classes, kept):
        raise InputError("equal bits stand for different outcomes: more must be read")
    for column in sorted(kept, key=lambda column: (costs[column], column), reverse=True):
        others = [other for other in kept if other != column]
        if _tells(bits, classes, others):
            kept = others
    return kept


def _tells(bits: NDArray[np.bool_], classes: NDArray[np.intp], columns: list[int]) -> bool:
    """Tell whether rows that are equal in some columns are of the same class."""
    group = np.zeros(len(bits), np.intp)
    if columns:
        _, group = np.unique(np.packbits(bits[:, columns], axis=1), axis=0, return_inverse=True)
    of_group = np.empty(len(bits), np.intp)
    of_group[group] = classes
    return np.array_equal(of_group[group], classes)
