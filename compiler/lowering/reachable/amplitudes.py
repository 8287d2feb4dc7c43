"""Amplitudes of a few basis states as tables: a row for the values of all qubits but some."""

import numpy as np
from numpy.typing import NDArray

from compiler.circuits.matrices import Matrix
from compiler.compiled import cached_njit

Keys = NDArray[np.uint64]
"""Basis states, a bit for each qubit that has a column."""

NEGLIGIBLE = 1e-10
"""Amplitudes below this are rounding, not states."""

DENSITY = 64
"""Times the number of amplitudes up to which a table of all basis states pays off."""

COLUMNS = 64
DIGIT = 8
"""Bits by which keys are sorted at a time."""

NEAR = 3
"""Places that basis states are apart at most which a gate on two qubits makes of one."""


@cached_njit()
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


@cached_njit()
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
    order = sorting(rest)
    for i in range(len(order)):
        if i and rest[order[i]] != rest[order[i - 1]]:
            count += 1
        rows[order[i]] = count
    return rows


@cached_njit()
def sorting(keys: Keys) -> NDArray[np.int64]:
    """Return the places of keys in ascending order, those of equal ones in theirs.

    Digit by digit, since keys are short: only digits in which some differ are looked at.
    """
    order, varying, ascending = np.arange(len(keys)), np.uint64(0), True
    for place in range(1, len(keys)):
        varying |= keys[place] ^ keys[0]
        ascending = ascending and keys[place - 1] <= keys[place]
    if ascending:
        return order
    moved, by_digit = np.empty_like(order), (keys.copy(), np.empty_like(keys))
    starts = np.empty(1 << DIGIT, dtype=np.int64)
    digit, shift = np.uint64((1 << DIGIT) - 1), np.uint64(0)
    while shift < COLUMNS and varying >> shift:
        while not varying >> shift & np.uint64(1):
            shift += np.uint64(1)
        source, sink = by_digit
        starts[:] = 0
        for key in source:
            starts[np.int64(key >> shift & digit)] += 1
        start = 0
        for value in range(len(starts)):
            start, starts[value] = start + starts[value], start
        for place in range(len(source)):
            here = np.int64(source[place] >> shift & digit)
            moved[starts[here]], sink[starts[here]] = order[place], source[place]
            starts[here] += 1
        order, moved, by_digit = moved, order, (sink, source)
        shift += np.uint64(DIGIT)
    return order


@cached_njit()
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
            if _is_there(value):
                key = bases[row]
                for i in range(len(masks)):
                    if entry >> i & 1:
                        key |= masks[i]
                keys[count], amplitudes[count] = key, value
                count += 1
    return keys[:count].copy(), amplitudes[:count].copy()


@cached_njit()
def _is_there(amplitude: complex) -> bool:
    return bool(amplitude.real**2 + amplitude.imag**2 > NEGLIGIBLE**2)


@cached_njit()
def common_basis(table: Matrix) -> tuple[Matrix, bool]:
    """Return a unitary whose columns all rows are multiples of, and whether it shortens them.

    Args:
        table: shape (rows, 2).
    """
    for row in range(len(table)):
        if _is_there(table[row, 0]) and _is_there(table[row, 1]):
            frame = _frame(table[row, 0], table[row, 1])
            for other in range(len(table)):
                if _is_neither(frame, table[other, 0], table[other, 1]):
                    return frame, False
            return frame, True
    return np.zeros((2, 2), dtype=np.complex128), False


@cached_njit()
def has_common_basis(keys: Keys, amplitudes: Matrix, mask: np.uint64) -> bool:
    """Tell what `common_basis` says of the table that `grouped` makes for one qubit.

    Args:
        keys: basis states, of which those that differ in this qubit alone are near one another, as
            `spread` has left them for two qubits of which it is one.
        amplitudes: of these.
        mask: the bit of the qubit.
    """
    dense, chosen, least = keys.max() & ~mask < DENSITY * len(keys), -1, np.uint64(0)
    for place in range(len(keys)):
        other = _place_of(keys[place] ^ mask, keys, place + 1, place + NEAR + 1)
        if other >= 0 and _is_there(amplitudes[place]) and _is_there(amplitudes[other]):
            rest = keys[place] & ~mask
            if chosen < 0 or (rest < least and not dense):
                chosen, least = place, rest
    if chosen < 0:
        return False
    frame = _frame(*_pair(keys, amplitudes, chosen, mask))
    for place in range(len(keys)):
        if _is_neither(frame, *_pair(keys, amplitudes, place, mask)):
            return False
    return True


@cached_njit()
def _place_of(key: np.uint64, keys: Keys, start: int, stop: int) -> int:
    """Return where a key is among some, -1 if it is not there."""
    for place in range(max(0, start), min(len(keys), stop)):
        if keys[place] == key:
            return place
    return -1


@cached_njit()
def _pair(keys: Keys, amplitudes: Matrix, place: int, mask: np.uint64) -> tuple[complex, complex]:
    """Return the amplitudes where a qubit is 0 and 1, and all others as in a basis state."""
    other = _place_of(keys[place] ^ mask, keys, place - NEAR, place + NEAR + 1)
    there = amplitudes[other] if other >= 0 else 0j
    return (there, amplitudes[place]) if keys[place] & mask else (amplitudes[place], there)


@cached_njit()
def _frame(zero: complex, one: complex) -> Matrix:
    """Return a unitary whose first column is a multiple of two amplitudes."""
    frame = np.empty((2, 2), dtype=np.complex128)
    size = np.sqrt(abs(zero) ** 2 + abs(one) ** 2)
    frame[0, 0], frame[1, 0] = zero / size, one / size
    frame[0, 1], frame[1, 1] = -one.conjugate() / size, zero.conjugate() / size
    return frame


@cached_njit()
def _is_neither(frame: Matrix, zero: complex, one: complex) -> bool:
    """Tell whether two amplitudes are a multiple of neither column of a unitary."""
    along = frame[0, 0].conjugate() * zero + frame[1, 0].conjugate() * one
    across = frame[0, 1].conjugate() * zero + frame[1, 1].conjugate() * one
    return _is_there(along) and _is_there(across)
