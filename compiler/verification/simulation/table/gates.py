"""Gates that permute the basis states of some qubits, or mix them: compiled loops over rows.

Rows are what `amplitude_table` holds. Amplitudes of different runs never mix.
"""

import numpy as np

from compiler.circuits.matrices import Matrix
from compiler.compiled import cached_njit
from compiler.verification.simulation.table.table_rows import (
    NOBODY,
    SCATTER,
    Numbers,
    Place,
    Places,
    TableRows,
)
from compiler.verification.simulation.wide_gates import NEGLIGIBLE


@cached_njit()
def flip_where(rows: TableRows, target: Place, control: Place) -> None:
    """Flip a qubit where another one is 1."""
    words, keys, _, _ = rows
    for row in range(len(keys)):
        if words[control.word, row] & control.bit:
            words[target.word, row] ^= target.bit
            keys[row] ^= target.mark


@cached_njit()
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


@cached_njit()
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


@cached_njit()
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


@cached_njit()
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


@cached_njit()
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
