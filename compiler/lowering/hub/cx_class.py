"""How many CX a two-qubit unitary needs, in compiled code."""

import numpy as np
from numpy.typing import NDArray

from compiler.borrowing import borrowing

TOLERANCE = 1e-6


@borrowing
def cx_class(unitary: NDArray[np.complex128]) -> int:
    """Return how many CX a unitary on two qubits needs.

    From the trace of γ(U) = U·(σʸ⊗σʸ)·Uᵀ·(σʸ⊗σʸ) and that of γ², with det U = 1: γ = ±1 for
    none, tr γ = 0 and γ² = −1 for one, tr γ real for two (Shende, Bullock and Markov, 2004,
    Proposition III).

    Args:
        unitary: complex128[4, 4], whose determinant is any phase.
    """
    trace = square = 0j
    for i in range(4):
        trace += _gamma(unitary, i, i)
        for j in range(4):
            square += _gamma(unitary, i, j) * _gamma(unitary, j, i)
    determinant = _determinant(unitary)
    trace /= np.sqrt(determinant)
    square /= determinant
    if abs(abs(trace.real) - 4) < TOLERANCE:
        return 0
    if abs(trace) < TOLERANCE and abs(square + 4) < TOLERANCE:
        return 1
    if abs(trace.imag) < TOLERANCE:
        return 2
    return 3


@borrowing
def _gamma(unitary: NDArray[np.complex128], row: int, column: int) -> complex:
    """Return an entry of U·(σʸ⊗σʸ)·Uᵀ·(σʸ⊗σʸ)."""
    total = 0j
    for k in range(4):
        sign = -1.0 if (k in (0, 3)) != (column in (0, 3)) else 1.0
        total += unitary[row, k] * (sign * unitary[3 - column, 3 - k])
    return total


@borrowing
def _determinant(unitary: NDArray[np.complex128]) -> complex:
    """Return a determinant by Laplace's rule for the upper two rows."""
    total = 0j
    for column in range(3):
        c, d = (column + 1) % 3, (column + 2) % 3
        total += _minor(unitary, 0, column, 3) * _minor(unitary, 2, c, d)
        total += _minor(unitary, 0, c, d) * _minor(unitary, 2, column, 3)
    return total


@borrowing
def _minor(unitary: NDArray[np.complex128], row: int, first: int, second: int) -> complex:
    below = row + 1
    return (
        unitary[row, first] * unitary[below, second] - unitary[row, second] * unitary[below, first]
    )
