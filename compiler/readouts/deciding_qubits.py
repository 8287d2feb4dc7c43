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
    if not _tells(bits, labels, kept):
        raise InputError("equal bits stand for different outcomes: more must be read")
    for column in sorted(kept, key=lambda column: (costs[column], column), reverse=True):
        others = [other for other in kept if other != column]
        if _tells(bits, labels, others):
            kept = others
    return kept


def _tells(bits: NDArray[np.bool_], labels: Sequence[int], columns: list[int]) -> bool:
    """Tell whether rows that are equal in some columns have the same label."""
    said: dict[bytes, int] = {}
    rows = np.packbits(bits[:, columns], axis=1)
    return all(
        said.setdefault(row.tobytes(), label) == label
        for row, label in zip(rows, labels, strict=True)
    )
