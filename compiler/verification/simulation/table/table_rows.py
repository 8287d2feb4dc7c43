"""Rows of a table of amplitudes, and where qubits are in them, as compiled loops take them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compiler.circuits.matrices import Matrix

Bits = NDArray[np.bool_]
Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]

WORD = 64
"""Qubits in a word."""

SCATTER = np.uint64(0x9E3779B97F4A7C15)
"""Spreads fingerprints over the slots of a table: 2**64 divided by the golden ratio."""
NOBODY = -1


def packed(bits: Bits) -> Words:
    """Return basis states as words, shape (words, rows), for bits of shape (rows, qubits).

    Qubit q is bit q % 64 of word q // 64.
    """
    rows, qubits = bits.shape
    padded = np.zeros((rows, -(-qubits // WORD) * WORD), dtype=bool)
    padded[:, :qubits] = bits
    words = np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    return np.ascontiguousarray(words.T)


class Place(NamedTuple):
    """Where a qubit is.

    Args:
        word: that holds it.
        bit: its bit in that word.
        mark: its part of fingerprints.
    """

    word: int
    bit: np.uint64
    mark: np.uint64


class Places(NamedTuple):
    """Where several qubits are; see `Place`.

    Args:
        word: shape (qubits,).
        bit: shape (qubits,).
        mark: shape (qubits,).
    """

    word: Numbers
    bit: Words
    mark: Words


class TableRows(NamedTuple):
    """The rows of a table.

    Args:
        words: shape (words, rows).
        keys: shape (rows,), fingerprints.
        run_of: shape (rows,).
        amplitudes: shape (rows,).
    """

    words: Words
    keys: Words
    run_of: Numbers
    amplitudes: Matrix
