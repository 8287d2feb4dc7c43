"""Rows taken together where they differ in one qubit, to turn it: compiled loops.

Rows are what `amplitude_table` holds. Amplitudes of different runs never mix.
"""

import numpy as np

from compiler.circuits.matrices import Matrix
from compiler.compiled import cached_njit
from compiler.verification.simulation.table.table_rows import (
    NOBODY,
    SCATTER,
    Bits,
    Numbers,
    Place,
    TableRows,
    Words,
)
from compiler.verification.simulation.wide_gates import NEGLIGIBLE


@cached_njit()
def _partners(rows: TableRows, ones: Bits, qubit: Place, asked: Bits) -> Numbers:
    """Return for each row the one that differs from it in one qubit alone, or -1.

    Equal fingerprints only tell where to look; the basis states decide.

    Args:
        rows: that are looked at.
        ones: shape (rows,), where the qubit is 1.
        qubit: in which partners differ.
        asked: shape (runs,), the runs that are looked at.
    """
    words, keys, run_of, _ = rows
    size = 0
    for row in range(len(keys)):
        size += asked[run_of[row]] and not ones[row]
    width = 2
    while 1 << width < 2 * size:
        width += 1
    slots = np.full(1 << width, NOBODY, dtype=np.int64)
    last, shift = (1 << width) - 1, np.uint64(64 - width)
    partners = np.full(len(keys), NOBODY, dtype=np.int64)
    for row in range(len(keys)):
        if asked[run_of[row]] and not ones[row]:
            slot = np.int64((keys[row] * SCATTER) >> shift)
            while slots[slot] != NOBODY:
                slot = (slot + 1) & last
            slots[slot] = row
    for row in range(len(keys)):
        if asked[run_of[row]] and ones[row]:
            key = keys[row] ^ qubit.mark
            slot = np.int64((key * SCATTER) >> shift)
            while slots[slot] != NOBODY:
                other = slots[slot]
                same = keys[other] == key and run_of[other] == run_of[row]
                if same and _differ_alone(words, row, other, qubit):
                    partners[row], partners[other] = other, row
                    break
                slot = (slot + 1) & last
    return partners


@cached_njit()
def _differ_alone(words: Words, one: int, zero: int, qubit: Place) -> bool:
    """Tell whether a row with 1 and a row with 0 are equal but for a qubit."""
    for word in range(len(words)):
        differ = words[word, one] ^ words[word, zero]
        if differ != (qubit.bit if word == qubit.word else np.uint64(0)):
            return False
    return True


@cached_njit()
def _ones(words: Words, qubit: Place) -> Bits:
    """Tell where a qubit is 1."""
    ones = np.empty(words.shape[1], dtype=np.bool_)
    for row in range(len(ones)):
        ones[row] = words[qubit.word, row] & qubit.bit != 0
    return ones


@cached_njit()
def turned(rows: TableRows, qubit: Place, frame: Matrix) -> TableRows:
    """Return the rows that a gate on a qubit makes of these.

    Args:
        rows: are changed where the gate needs no more of them.
        qubit: that it acts on.
        frame: shape (1, 2, 2), or (runs, 2, 2) if runs differ.
    """
    words, keys, run_of, amplitudes = rows
    ones, differ = _ones(words, qubit), len(frame) > 1
    straight, crossed = True, True
    for run in range(len(frame)):
        straight &= abs(frame[run, 0, 1]) < NEGLIGIBLE
        crossed &= abs(frame[run, 0, 0]) < NEGLIGIBLE
    if straight or crossed:
        for row in range(len(keys)):
            run, old = run_of[row] if differ else 0, 1 if ones[row] else 0
            amplitudes[row] *= frame[run, old if straight else 1 - old, old]
            if crossed:
                words[qubit.word, row] ^= qubit.bit
                keys[row] ^= qubit.mark
        return rows
    partners = _partners(rows, ones, qubit, np.ones(run_of.max() + 1, dtype=np.bool_))
    size = 0
    for row in range(len(keys)):
        size += 2 if partners[row] == NOBODY else 1
    source, flips = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.bool_)
    values, count = np.empty(size, dtype=np.complex128), 0
    for row in range(len(keys)):
        other = partners[row]
        if ones[row] and other != NOBODY:
            continue
        zero = 0j if ones[row] else amplitudes[row]
        one = amplitudes[row] if ones[row] else (0j if other == NOBODY else amplitudes[other])
        run = run_of[row] if differ else 0
        for new in range(2):
            value = frame[run, new, 0] * zero + frame[run, new, 1] * one
            if value.real**2 + value.imag**2 > NEGLIGIBLE**2:
                source[count], flips[count] = row, ones[row] != (new == 1)
                values[count] = value
                count += 1
    return _taken(rows, qubit, source[:count], flips[:count], values[:count].copy())


@cached_njit()
def _taken(
    rows: TableRows, qubit: Place, source: Numbers, flips: Bits, values: Matrix
) -> TableRows:
    """Return some rows, with a qubit flipped in some of them, and other amplitudes."""
    words, keys, run_of, _ = rows
    new_words = np.empty((len(words), len(source)), dtype=np.uint64)
    new_keys = np.empty(len(source), dtype=np.uint64)
    new_runs = np.empty(len(source), dtype=np.int64)
    for word in range(len(words)):
        for to in range(len(source)):
            new_words[word, to] = words[word, source[to]]
    for to in range(len(source)):
        row = source[to]
        new_keys[to], new_runs[to] = keys[row], run_of[row]
        if flips[to]:
            new_words[qubit.word, to] ^= qubit.bit
            new_keys[to] ^= qubit.mark
    return TableRows(new_words, new_keys, new_runs, values)


@cached_njit()
def straightened(rows: TableRows, runs: int, qubit: Place) -> tuple[TableRows, Matrix, Bits]:
    """Rotate a qubit, in every run, to the basis in which the run is smaller, if there is one.

    That is so where every row has a partner that differs in this qubit alone, and all pairs are
    parallel or orthogonal to one state of the qubit.

    Args:
        rows: of which each run has at least one.
        runs: how many there are.
        qubit: that is rotated.

    Returns:
        The new rows, the rotation of each run, shape (runs, 2, 2), and which runs it made smaller,
        shape (runs,); the other rotations are of no use.
    """
    words, keys, run_of, amplitudes = rows
    ones = _ones(words, qubit)
    good, basis = _balanced(rows, ones, runs, qubit), np.zeros((runs, 2, 2), dtype=np.complex128)
    if not good.any():
        return rows, basis, good
    partners = _partners(rows, ones, qubit, good)
    _find_axes(rows, ones, partners, good, basis)
    if not good.any():
        return rows, basis, good
    size = 0
    for row in range(len(keys)):
        size += not (good[run_of[row]] and ones[row])
    source, flips = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.bool_)
    values, count = np.empty(size, dtype=np.complex128), 0
    for row in range(len(keys)):
        run = run_of[row]
        if good[run] and ones[row]:
            continue
        source[count], flips[count], values[count] = row, False, amplitudes[row]
        if good[run]:
            zero, one = _rotated(basis[run], amplitudes[row], amplitudes[partners[row]])
            flips[count] = one.real**2 + one.imag**2 > NEGLIGIBLE**2
            values[count] = one if flips[count] else zero
        count += 1
    return _taken(rows, qubit, source, flips, values), basis, good


@cached_njit()
def _rotated(matrix: Matrix, zero: complex, one: complex) -> tuple[complex, complex]:
    return matrix[0, 0] * zero + matrix[0, 1] * one, matrix[1, 0] * zero + matrix[1, 1] * one


@cached_njit()
def _balanced(rows: TableRows, ones: Bits, runs: int, qubit: Place) -> Bits:
    """Tell which runs may have a partner for every row: sums of fingerprints nearly always know."""
    _, keys, run_of, _ = rows
    sums, counts = np.zeros(runs, dtype=np.uint64), np.zeros(runs, dtype=np.int64)
    for row in range(len(keys)):
        if ones[row]:
            sums[run_of[row]] -= keys[row] ^ qubit.mark
            counts[run_of[row]] -= 1
        else:
            sums[run_of[row]] += keys[row]
            counts[run_of[row]] += 1
    return (sums == 0) & (counts == 0)


@cached_njit()
def _find_axes(rows: TableRows, ones: Bits, partners: Numbers, good: Bits, basis: Matrix) -> None:
    """Write the rotation of each run that one makes smaller, and strike out all other runs."""
    _, _, run_of, amplitudes = rows
    longest = np.zeros(len(good))
    for row in range(len(run_of)):
        run, other = run_of[row], partners[row]
        if other == NOBODY:
            good[run] = False
        elif not ones[row]:
            a, b = amplitudes[row], amplitudes[other]
            length = np.sqrt(a.real**2 + a.imag**2 + b.real**2 + b.imag**2)
            if length > longest[run]:
                longest[run] = length
                basis[run, 0, 0], basis[run, 0, 1] = a.conjugate() / length, b.conjugate() / length
                basis[run, 1, 0], basis[run, 1, 1] = -b / length, a / length
    for row in range(len(run_of)):
        run = run_of[row]
        if good[run] and not ones[row]:
            zero, one = _rotated(basis[run], amplitudes[row], amplitudes[partners[row]])
            if abs(zero) > NEGLIGIBLE and abs(one) > NEGLIGIBLE:
                good[run] = False
