"""How many CX a two-qubit unitary needs, in compiled code."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

TOLERANCE = 1e-6


@njit(cache=True)
def cx_class(unitary: NDArray[np.complex128]) -> int:
    """Return how many CX a unitary on two qubits needs.

    From the trace of γ(U) = U·(σʸ⊗σʸ)·Uᵀ·(σʸ⊗σʸ) and that of γ², with det U = 1: γ = ±1 for
    none, tr γ = 0 and γ² = −1 for one, tr γ real for two (Shende, Bullock and Markov, 2004,
    Proposition III).

    Args:
        unitary: complex128[4, 4], whose determinant is any phase.
    """
    flipped = np.empty((4, 4), dtype=np.complex128)
    for i in range(4):
        for j in range(4):
            sign = -1.0 if (i in (0, 3)) != (j in (0, 3)) else 1.0
            flipped[i, j] = sign * unitary[3 - j, 3 - i]
    gamma = unitary @ flipped
    gamma = gamma / np.sqrt(np.linalg.det(unitary) + 0j)
    square = gamma @ gamma
    trace = np.trace(gamma)
    if abs(abs(trace.real) - 4) < TOLERANCE:
        return 0
    if abs(trace) < TOLERANCE and abs(np.trace(square) + 4) < TOLERANCE:
        return 1
    if abs(trace.imag) < TOLERANCE:
        return 2
    return 3
