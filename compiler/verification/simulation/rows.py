"""Rows of a table of amplitudes, taken together where they differ in one qubit: compiled loops.

Rows are what `amplitude_table` holds. Amplitudes of different runs never mix.
"""

import numpy as np
from numba import njit

from compiler.verification.simulation.table_rows import (
    Bits,
    Matrix,
    Numbers,
    Place,
    Places,
    TableRows,
    Words,
)
from compiler.verification.simulation.wide_gates import NEGLIGIBLE

SCATTER = np.uint64(0x9E3779B97F4A7C15)
"""Spreads fingerprints over the slots of a table: 2**64 divided by the golden ratio."""
NOBODY = -1


@njit(cache=True)
def flip_where(rows: TableRows, target: Place, control: Place) -> None:
    """Flip a qubit where another one is 1."""
    words, keys, _, _ = rows
    for row in range(len(keys)):
        if words[control.word, row] & control.bit:
            words[target.word, row] ^= target.bit
            keys[row] ^= target.mark


@njit(cache=True)
def times_where(rows: TableRows, a: Place, b: Place, factors: Matrix) -> None:
    """Multiply amplitudes by a factor for each value of two qubits, those of a being first.

    Args:
        rows: that are changed.
        a: a qubit.
        b: another one.
        factors: shape (2, 2).
    """
    words, _, _, amplitudes = rows
    for row in range(len(amplitudes)):
        first = 1 if words[a.word, row] & a.bit else 0
        second = 1 if words[b.word, row] & b.bit else 0
        amplitudes[row] *= factors[first, second]


@njit(cache=True)
def basis_states(rows: TableRows, places: Places) -> Numbers:
    """Return the basis state of some qubits in each row, the first one being its low bit."""
    words = rows.words
    states = np.zeros(words.shape[1], dtype=np.int64)
    for i in range(len(places.word)):
        word, bit = words[places.word[i]], places.bit[i]
        for row in range(len(states)):
            if word[row] & bit:
                states[row] |= 1 << i
    return states


@njit(cache=True)
def rename(rows: TableRows, places: Places, images: Numbers, phases: Matrix) -> None:
    """Rename the basis states of some qubits, and multiply amplitudes by a factor for each.

    Args:
        rows: that are changed.
        places: of the qubits, the low bit of a basis state first.
        images: shape (basis states,), what each one becomes.
        phases: shape (basis states,).
    """
    words, keys, _, amplitudes = rows
    states = basis_states(rows, places)
    for row in range(len(keys)):
        amplitudes[row] *= phases[states[row]]
        states[row] ^= images[states[row]]
    for i in range(len(places.word)):
        word, bit, mark = words[places.word[i]], places.bit[i], places.mark[i]
        for row in range(len(states)):
            if states[row] >> i & 1:
                word[row] ^= bit
                keys[row] ^= mark


@njit(cache=True)
def mixed(rows: TableRows, places: Places, matrix: Matrix) -> TableRows:
    """Return the rows that a gate on some qubits makes of these.

    Args:
        rows: that are read.
        places: of the qubits, the low bit of a basis state first.
        matrix: shape (basis states, basis states).
    """
    words, keys, run_of, amplitudes = rows
    states = basis_states(rows, places)
    group_of, first = _groups(rows, states, places)
    before = np.zeros((len(first), len(matrix)), dtype=np.complex128)
    for row in range(len(keys)):
        before[group_of[row], states[row]] = amplitudes[row]
    after = before @ np.ascontiguousarray(matrix.T)
    size = 0
    for group in range(len(first)):
        for state in range(len(matrix)):
            value = after[group, state]
            size += value.real**2 + value.imag**2 > NEGLIGIBLE**2
    new_words = np.empty((len(words), size), dtype=np.uint64)
    new_keys, new_runs = np.empty(size, dtype=np.uint64), np.empty(size, dtype=np.int64)
    values, count = np.empty(size, dtype=np.complex128), 0
    for group in range(len(first)):
        row = first[group]
        for state in range(len(matrix)):
            value = after[group, state]
            if value.real**2 + value.imag**2 > NEGLIGIBLE**2:
                for word in range(len(words)):
                    new_words[word, count] = words[word, row]
                new_keys[count], new_runs[count], values[count] = keys[row], run_of[row], value
                changed = state ^ states[row]
                for i in range(len(places.word)):
                    if changed >> i & 1:
                        new_words[places.word[i], count] ^= places.bit[i]
                        new_keys[count] ^= places.mark[i]
                count += 1
    return TableRows(new_words, new_keys, new_runs, values)


@njit(cache=True)
def _groups(rows: TableRows, states: Numbers, places: Places) -> tuple[Numbers, Numbers]:
    """Return the group of rows that differ in some qubits alone of each, and the first of each.

    Equal fingerprints only tell where to look; the basis states decide.
    """
    words, keys, run_of, _ = rows
    width = 2
    while 1 << width < 2 * len(keys):
        width += 1
    slots = np.full(1 << width, NOBODY, dtype=np.int64)
    last, shift = (1 << width) - 1, np.uint64(64 - width)
    group_of, first = np.empty(len(keys), dtype=np.int64), np.empty(len(keys), dtype=np.int64)
    masks, groups = np.zeros(len(words), dtype=np.uint64), 0
    for i in range(len(places.word)):
        masks[places.word[i]] |= places.bit[i]
    for row in range(len(keys)):
        key = keys[row]
        for i in range(len(places.word)):
            if states[row] >> i & 1:
                key ^= places.mark[i]
        slot = np.int64((key * SCATTER) >> shift)
        while slots[slot] != NOBODY:
            other = first[slots[slot]]
            same = run_of[other] == run_of[row]
            for word in range(len(words)):
                same &= (words[word, other] ^ words[word, row]) & ~masks[word] == 0
            if same:
                break
            slot = (slot + 1) & last
        if slots[slot] == NOBODY:
            slots[slot], first[groups] = groups, row
            groups += 1
        group_of[row] = slots[slot]
    return group_of, first[:groups]


@njit(cache=True)
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


@njit(cache=True)
def _differ_alone(words: Words, one: int, zero: int, qubit: Place) -> bool:
    """Tell whether a row with 1 and a row with 0 are equal but for a qubit."""
    for word in range(len(words)):
        differ = words[word, one] ^ words[word, zero]
        if differ != (qubit.bit if word == qubit.word else np.uint64(0)):
            return False
    return True


@njit(cache=True)
def _ones(words: Words, qubit: Place) -> Bits:
    """Tell where a qubit is 1."""
    ones = np.empty(words.shape[1], dtype=np.bool_)
    for row in range(len(ones)):
        ones[row] = words[qubit.word, row] & qubit.bit != 0
    return ones


@njit(cache=True)
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


@njit(cache=True)
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


@njit(cache=True)
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


@njit(cache=True)
def _rotated(matrix: Matrix, zero: complex, one: complex) -> tuple[complex, complex]:
    return matrix[0, 0] * zero + matrix[0, 1] * one, matrix[1, 0] * zero + matrix[1, 1] * one


@njit(cache=True)
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


@njit(cache=True)
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
