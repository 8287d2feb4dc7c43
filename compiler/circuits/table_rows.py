"""Rows of a table of amplitudes, and where qubits are in them, as compiled loops take them."""

from typing import NamedTuple

import numpy as np

from compiler.circuits.matrices import Bits, Matrix, Numbers, Words

WORD = 64
"""Qubits in a word."""

MASKS: Words = np.uint64(1) << np.arange(WORD, dtype=np.uint64)


class Places(NamedTuple):
    """Places of qubits in the rows.

    Args:
        word: shape (qubits,), the word that holds each.
        bit: shape (qubits,), its bit in that word.
        mark: shape (qubits,), its part of fingerprints.
    """

    word: Numbers
    bit: Words
    mark: Words


class Rows(NamedTuple):
    """The rows of a state.

    Args:
        words: shape (words, rows), basis states.
        keys: shape (rows,), fingerprints.
        run_of: shape (rows,).
        amplitudes: shape (rows,).
    """

    words: Words
    keys: Words
    run_of: Numbers
    amplitudes: Matrix


def integers(bits: Bits) -> list[int]:
    """Return each row as the integer whose bit q is its column q."""
    rows = np.packbits(bits, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in rows]


def packed(bits: Bits) -> Words:
    """Return basis states as words, shape (words, rows), for bits of shape (rows, qubits).

    Qubit q is bit q % 64 of word q // 64.
    """
    rows, qubits = bits.shape
    size = WORD // 8 * -(-qubits // WORD)
    padded = np.zeros((rows, size), np.uint8)
    padded[:, : -(-qubits // 8)] = np.packbits(bits, axis=1, bitorder="little")
    return np.ascontiguousarray(padded.view("<u8").T)


def numbered(bits: Bits, groups: Numbers | None = None) -> Numbers:
    """Return the number of each row among the different rows, shape (rows,).

    Words are numbered one after the other, as NumPy sorts whole rows fifty times as slowly.

    Args:
        bits: shape (rows, columns).
        groups: shape (rows,), rows of different groups get different numbers; one group if None.
    """
    numbers = np.zeros(len(bits), np.int64) if groups is None else groups
    for word in packed(bits):
        values, ranks = np.unique(word, return_inverse=True)
        _, numbers = np.unique(numbers * len(values) + ranks, return_inverse=True)
    return numbers
