"""Amplitudes of a few basis states as tables: a row for the values of all qubits but some."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Matrix = NDArray[np.complex128]
Keys = NDArray[np.uint64]
"""Basis states, a bit for each qubit that has a column."""

NEGLIGIBLE = 1e-10
"""Amplitudes below this are rounding, not states."""

DENSITY = 64
"""Times the number of amplitudes up to which a table of all basis states pays off."""


@njit(cache=True)
def grouped(keys: Keys, amplitudes: Matrix, masks: Keys) -> tuple[Keys, Matrix]:
    """Return the values of all other qubits, and for each the amplitudes of these, as rows.

    Args:
        keys: basis states, shape (amplitudes,).
        amplitudes: of these.
        masks: the bit of each qubit that the columns are for, the lowest bit of an index first.

    Returns:
        Basis states in which these qubits are 0, shape (rows,), and the table, shape
        (rows, 2**qubits).
    """
    clear = np.uint64(0)
    for mask in masks:
        clear |= mask
    rest = keys & ~clear
    row_of = _rows(rest)
    bases = np.empty(len(keys), dtype=np.uint64)
    table = np.zeros((len(keys), 1 << len(masks)), dtype=np.complex128)
    count = 0
    for place in range(len(keys)):
        row, entry = row_of[place], 0
        for i in range(len(masks)):
            if keys[place] & masks[i]:
                entry |= 1 << i
        bases[row] = rest[place]
        table[row, entry] = amplitudes[place]
        count = max(count, row + 1)
    return bases[:count].copy(), table[:count].copy()


@njit(cache=True)
def _rows(rest: Keys) -> NDArray[np.int64]:
    """Number equal keys alike, from 0 on: by a table where keys are dense, or else by sorting."""
    rows, count = np.empty(len(rest), dtype=np.int64), 0
    largest = rest.max() if len(rest) else np.uint64(0)
    if largest < DENSITY * len(rest):
        seen = np.full(np.int64(largest) + 1, -1, dtype=np.int64)
        for place in range(len(rest)):
            key = np.int64(rest[place])
            if seen[key] < 0:
                seen[key] = count
                count += 1
            rows[place] = seen[key]
        return rows
    order = np.argsort(rest)
    for i in range(len(order)):
        if i and rest[order[i]] != rest[order[i - 1]]:
            count += 1
        rows[order[i]] = count
    return rows


@njit(cache=True)
def spread(bases: Keys, table: Matrix, matrix: Matrix, masks: Keys) -> tuple[Keys, Matrix]:
    """Return the basis states and amplitudes that a matrix makes of the rows of a table.

    Args:
        bases: of the rows, as `grouped` returns them.
        table: shape (rows, 2**qubits).
        matrix: shape (2**qubits, 2**qubits).
        masks: as `grouped` takes them.
    """
    keys = np.empty(table.size, dtype=np.uint64)
    amplitudes = np.empty(table.size, dtype=np.complex128)
    count = 0
    for row in range(table.shape[0]):
        for entry in range(table.shape[1]):
            value = 0j
            for old in range(table.shape[1]):
                value += matrix[entry, old] * table[row, old]
            if value.real**2 + value.imag**2 > NEGLIGIBLE**2:
                key = bases[row]
                for i in range(len(masks)):
                    if entry >> i & 1:
                        key |= masks[i]
                keys[count], amplitudes[count] = key, value
                count += 1
    return keys[:count].copy(), amplitudes[:count].copy()


@njit(cache=True)
def common_basis(table: Matrix) -> tuple[Matrix, bool]:
    """Return a unitary whose columns all rows are multiples of, and whether it shortens them.

    Args:
        table: shape (rows, 2).
    """
    frame = np.zeros((2, 2), dtype=np.complex128)
    found = False
    for row in range(len(table)):
        zero, one = table[row, 0], table[row, 1]
        if not found and abs(zero) > NEGLIGIBLE and abs(one) > NEGLIGIBLE:
            size = np.sqrt(abs(zero) ** 2 + abs(one) ** 2)
            frame[0, 0], frame[1, 0] = zero / size, one / size
            frame[0, 1], frame[1, 1] = -one.conjugate() / size, zero.conjugate() / size
            found = True
    if not found:
        return frame, False
    for row in range(len(table)):
        along = frame[0, 0].conjugate() * table[row, 0] + frame[1, 0].conjugate() * table[row, 1]
        across = frame[0, 1].conjugate() * table[row, 0] + frame[1, 1].conjugate() * table[row, 1]
        if abs(along) > NEGLIGIBLE and abs(across) > NEGLIGIBLE:
            return frame, False
    return frame, True
