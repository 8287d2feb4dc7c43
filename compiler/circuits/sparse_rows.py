"""Rows of a sparse state in compiled loops: basis states, each of a run, with their amplitudes.

Amplitudes of different runs never mix. Equal fingerprints only tell which rows may belong
together; the basis states decide.
"""

import numpy as np

from compiler.circuits.matrices import Bits, Matrix, Numbers
from compiler.circuits.table_rows import Places, Rows
from compiler.circuits.tolerances import NO_AMPLITUDE, SAME
from compiler.compiled import cached_njit

SCATTER = np.uint64(0x9E3779B97F4A7C15)
"""Spreads fingerprints over the slots of a hash table: 2**64 divided by the golden ratio."""

FREE = -1
"""Entry of a slot that is not used."""


@cached_njit()
def flip_where(rows: Rows, places: Places) -> None:
    """Flip the first of two qubits where the second is 1, in place."""
    words, keys, _, _ = rows
    target, control = words[places.word[0]], words[places.word[1]]
    for row in range(len(keys)):
        if control[row] & places.bit[1]:
            target[row] ^= places.bit[0]
            keys[row] ^= places.mark[0]


@cached_njit()
def times_where(rows: Rows, places: Places, factors: Matrix) -> None:
    """Multiply amplitudes in place by a factor for each value of two qubits, shape (2, 2)."""
    words, _, _, amplitudes = rows
    a, b = words[places.word[0]], words[places.word[1]]
    for row in range(len(amplitudes)):
        first = 1 if a[row] & places.bit[0] else 0
        second = 1 if b[row] & places.bit[1] else 0
        amplitudes[row] *= factors[first, second]


@cached_njit()
def rename(rows: Rows, places: Places, images: Numbers, phases: Matrix) -> None:
    """Rename the basis states of some qubits in place, and multiply each by a factor.

    Args:
        rows: that are changed.
        places: of the qubits, the low bit of a basis state first.
        images: shape (2**qubits,), the basis state that each becomes.
        phases: shape (2**qubits,).
    """
    words, keys, _, amplitudes = rows
    states = _values(rows, places)
    for row in range(len(keys)):
        amplitudes[row] *= phases[states[row]]
        states[row] ^= images[states[row]]
    for i in range(len(places.word)):
        word, bit, mark = words[places.word[i]], places.bit[i], places.mark[i]
        for row in range(len(states)):
            if states[row] >> i & 1:
                word[row] ^= bit
                keys[row] ^= mark


@cached_njit()
def turned(rows: Rows, places: Places, matrices: Matrix) -> Rows:
    """Return the rows that a gate on some qubits makes of these.

    Args:
        rows: are changed where the gate permutes basis states of one qubit.
        places: of the qubits, the low bit of the matrices' index first.
        matrices: shape (1, 2**qubits, 2**qubits), or (runs, …) if runs differ.
    """
    words, keys, run_of, amplitudes = rows
    runs, size = len(matrices), matrices.shape[1]
    straight = crossed = size == 2
    for run in range(runs):
        straight &= abs(matrices[run, 0, 1]) < SAME
        crossed &= abs(matrices[run, 0, 0]) < SAME
    if straight or crossed:
        word, bit, mark = words[places.word[0]], places.bit[0], places.mark[0]
        for row in range(len(keys)):
            run, old = run_of[row] if runs > 1 else 0, 1 if word[row] & bit else 0
            amplitudes[row] *= matrices[run, old if straight else 1 - old, old]
            if crossed:
                word[row] ^= bit
                keys[row] ^= mark
        return rows
    first, table = grouped(rows, places)
    after = np.zeros_like(table)
    for group in range(len(first)):
        run = run_of[first[group]] if runs > 1 else 0
        for new in range(size):
            for old in range(size):
                after[group, new] += matrices[run, new, old] * table[group, old]
    return _spread(rows, places, first, after)


@cached_njit()
def straightened(rows: Rows, places: Places, runs: int) -> tuple[Rows, Matrix, Bits]:
    """Rotate a qubit, in every run, to the basis in which the run is smaller, if there is one.

    That is so where every row has a partner that differs in this qubit alone, and all pairs are
    parallel or orthogonal to one state of the qubit.

    Args:
        rows: of which each run has at least one.
        places: of the qubit.
        runs: number of runs.

    Returns:
        The new rows, the rotation of each run, shape (runs, 2, 2), and which runs it made smaller,
        shape (runs,); the other rotations are of no use.
    """
    run_of, basis = rows.run_of, np.zeros((runs, 2, 2), dtype=np.complex128)
    good = _balanced(rows, places, runs)
    if not good.any():
        return rows, basis, good
    first, table = grouped(rows, places)
    longest = np.zeros(runs)
    for group in range(len(first)):
        run, zero, one = run_of[first[group]], table[group, 0], table[group, 1]
        good[run] &= zero != 0 and one != 0
        length = np.sqrt(zero.real**2 + zero.imag**2 + one.real**2 + one.imag**2)
        if length > longest[run]:
            longest[run] = length
            basis[run, 0, 0], basis[run, 0, 1] = zero.conjugate() / length, one.conjugate() / length
            basis[run, 1, 0], basis[run, 1, 1] = -one / length, zero / length
    rotated = np.empty_like(table)
    for group in range(len(first)):
        run = run_of[first[group]]
        for new in range(2):
            rotated[group, new] = (
                basis[run, new, 0] * table[group, 0] + basis[run, new, 1] * table[group, 1]
            )
        good[run] &= not (_is_there(rotated[group, 0]) and _is_there(rotated[group, 1]))
    if not good.any():
        return rows, basis, good
    for group in range(len(first)):
        if good[run_of[first[group]]]:
            table[group] = rotated[group]
    return _spread(rows, places, first, table), basis, good


@cached_njit()
def grouped(rows: Rows, places: Places) -> tuple[Numbers, Matrix]:
    """Take rows together that differ in some qubits alone.

    Args:
        rows: that are read.
        places: of the qubits, the low bit of a column's number first.

    Returns:
        The first row of each group, shape (groups,), and the amplitudes for each value of the
        qubits, shape (groups, 2**qubits).
    """
    words, keys, run_of, amplitudes = rows
    states = _values(rows, places)
    width = 2
    while 1 << width < 2 * len(keys):
        width += 1
    slots = np.full(1 << width, FREE, dtype=np.int64)
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
        while slots[slot] != FREE:
            other = first[slots[slot]]
            same = run_of[other] == run_of[row]
            for word in range(len(words)):
                same &= (words[word, other] ^ words[word, row]) & ~masks[word] == 0
            if same:
                break
            slot = (slot + 1) & last
        if slots[slot] == FREE:
            slots[slot], first[groups] = groups, row
            groups += 1
        group_of[row] = slots[slot]
    table = np.zeros((groups, 1 << len(places.word)), dtype=np.complex128)
    for row in range(len(keys)):
        table[group_of[row], states[row]] = amplitudes[row]
    return first[:groups].copy(), table


@cached_njit()
def _spread(rows: Rows, places: Places, first: Numbers, table: Matrix) -> Rows:
    """Return the rows of a table as `grouped` makes it, without amplitudes that are 0."""
    words, keys, run_of, _ = rows
    states, size = _values(rows, places), 0
    for group in range(len(first)):
        for state in range(table.shape[1]):
            size += _is_there(table[group, state])
    new_words = np.empty((len(words), size), dtype=np.uint64)
    new_keys, new_runs = np.empty(size, dtype=np.uint64), np.empty(size, dtype=np.int64)
    values, count = np.empty(size, dtype=np.complex128), 0
    for group in range(len(first)):
        row = first[group]
        for state in range(table.shape[1]):
            if not _is_there(table[group, state]):
                continue
            for word in range(len(words)):
                new_words[word, count] = words[word, row]
            new_keys[count], new_runs[count] = keys[row], run_of[row]
            values[count], changed = table[group, state], state ^ states[row]
            for i in range(len(places.word)):
                if changed >> i & 1:
                    new_words[places.word[i], count] ^= places.bit[i]
                    new_keys[count] ^= places.mark[i]
            count += 1
    return Rows(new_words, new_keys, new_runs, values)


@cached_njit()
def _values(rows: Rows, places: Places) -> Numbers:
    """Return the value of some qubits in each row, the first one being its low bit."""
    words = rows.words
    states = np.zeros(words.shape[1], dtype=np.int64)
    for i in range(len(places.word)):
        word, bit = words[places.word[i]], places.bit[i]
        for row in range(len(states)):
            if word[row] & bit:
                states[row] |= 1 << i
    return states


@cached_njit()
def _is_there(amplitude: complex) -> bool:
    return bool(amplitude.real**2 + amplitude.imag**2 > NO_AMPLITUDE**2)


@cached_njit()
def _balanced(rows: Rows, places: Places, runs: int) -> Bits:
    """Return the runs that may have a partner for every row, by sums of fingerprints."""
    words, keys, run_of, _ = rows
    word, bit, mark = words[places.word[0]], places.bit[0], places.mark[0]
    sums, counts = np.zeros(runs, dtype=np.uint64), np.zeros(runs, dtype=np.int64)
    for row in range(len(keys)):
        if word[row] & bit:
            sums[run_of[row]] -= keys[row] ^ mark
            counts[run_of[row]] -= 1
        else:
            sums[run_of[row]] += keys[row]
            counts[run_of[row]] += 1
    return (sums == 0) & (counts == 0)
