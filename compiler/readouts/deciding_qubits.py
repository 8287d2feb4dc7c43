"""The fewest qubits whose values tell which of several things has happened."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

from compiler.errors import InputError


def deciding_qubits(
    bits: NDArray[np.bool_], labels: Sequence[int], costs: Sequence[float]
) -> list[int]:
    """Return the cheapest columns by which rows of different labels differ.

    A hitting set: for any two rows of different labels one of the columns in which they differ.
    Pairs are told to the integer program only as far as its answers confuse them.

    Args:
        bits: shape (rows, columns).
        labels: of the rows.
        costs: of the columns, more than 0 each; their sum over the columns is the least.

    Raises:
        InputError: if two equal rows have different labels.
    """
    chosen: list[int] = []
    apart: list[NDArray[np.bool_]] = []
    while confused := _confused(bits, labels, chosen):
        apart += [bits[one] != bits[other] for one, other in confused]
        if not all(row.any() for row in apart):
            raise InputError("equal bits stand for different outcomes: more must be read")
        answer = milp(
            np.asarray(costs),
            constraints=LinearConstraint(np.asarray(apart, dtype=float), lb=1),
            integrality=np.ones(len(costs)),
            bounds=Bounds(0, 1),
        )
        chosen = [int(column) for column in np.flatnonzero(answer.x > 1 / 2)]
    return chosen


def _confused(
    bits: NDArray[np.bool_], labels: Sequence[int], columns: list[int]
) -> list[tuple[int, int]]:
    """Return pairs of rows of different labels that are equal in some columns, if there are any.

    For each value of these columns one pair, of the first row and the first of another label.
    """
    first: dict[bytes, int] = {}
    found: dict[bytes, tuple[int, int]] = {}
    for row, values in enumerate(bits[:, columns]):
        key = values.tobytes()
        earlier = first.setdefault(key, row)
        if labels[earlier] != labels[row]:
            found.setdefault(key, (earlier, row))
    return list(found.values())
