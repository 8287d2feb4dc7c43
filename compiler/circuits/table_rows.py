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

MASKS: Words = np.uint64(1) << np.arange(WORD, dtype=np.uint64)


class Places(NamedTuple):
    """Where qubits are in the rows.

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


def packed(bits: Bits) -> Words:
    """Return basis states as words, shape (words, rows), for bits of shape (rows, qubits).

    Qubit q is bit q % 64 of word q // 64.
    """
    rows, qubits = bits.shape
    padded = np.zeros((rows, -(-qubits // WORD) * WORD), dtype=bool)
    padded[:, :qubits] = bits
    words = np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    return np.ascontiguousarray(words.T)
