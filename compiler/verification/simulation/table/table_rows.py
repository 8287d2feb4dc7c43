"""Rows of a table of amplitudes, and where qubits are in them, as compiled loops take them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]
Matrix = NDArray[np.complex128]
Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]

SCATTER = np.uint64(0x9E3779B97F4A7C15)
"""Spreads fingerprints over the slots of a table: 2**64 divided by the golden ratio."""
NOBODY = -1


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
