"""How many CZ gates a qubit needs at least in whatever does the same as a unitary.

Between them one-qubit gates leave a unitary's operator Schmidt coefficients across a cut alone
(Nielsen et al., Quantum dynamics as a physical resource, 2003). With no CZ across the cut there is
one coefficient, with one there are two equal ones, with two or more there may be any four.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.complex128]
Real = NDArray[np.floating[Any]]

CLOSE = 1e-6
"""Far above the error up to which templates are fitted: nothing that could be is ruled out."""


def schmidt_coefficients(unitary: Matrix, qubit: int) -> Real:
    """Return a unitary's coefficients across the cut between a qubit and the others.

    Args:
        unitary: shape (2**n, 2**n); qubit 0 is the lowest bit of an index.
        qubit: on one side of the cut.

    Returns:
        The four coefficients, the largest first; their squares add up to 1.
    """
    qubits = len(unitary).bit_length() - 1
    tensor = unitary.reshape((2,) * (2 * qubits))
    axis = qubits - 1 - qubit
    cut = np.moveaxis(tensor, (axis, qubits + axis), (0, 1)).reshape(4, -1)
    coefficients: Real = np.linalg.svd(cut, compute_uv=False)
    return coefficients / np.sqrt(len(unitary))


def ruled_out(unitary: Matrix) -> frozenset[tuple[int, int]]:
    """Return the pairs (qubit, n) for which no template with n CZ gates on the qubit will do."""
    found = set()
    for qubit in range(len(unitary).bit_length() - 1):
        coefficients = schmidt_coefficients(unitary, qubit)
        for crossings, expected in ((0, (1, 0, 0, 0)), (1, (0.5**0.5, 0.5**0.5, 0, 0))):
            if not np.allclose(coefficients, expected, rtol=0, atol=CLOSE):
                found.add((qubit, crossings))
    return frozenset(found)


def crossings(pairs: Sequence[tuple[int, int]], qubits: int) -> frozenset[tuple[int, int]]:
    """Return each qubit with the number of pairs that it is in."""
    return frozenset((q, sum(q in pair for pair in pairs)) for q in range(qubits))
