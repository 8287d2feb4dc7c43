"""Least number of CX of a two-qubit unitary, in compiled code."""

import numpy as np

from compiler.circuits.matrices import Matrix
from compiler.circuits.tolerances import SAME
from compiler.compiled import njit_view


@njit_view
def cx_cost(unitary: Matrix) -> int:
    """Return the least number of CX of a two-qubit unitary, 0 to 3.

    With γ(U) = U·(Y⊗Y)·Uᵀ·(Y⊗Y) and det U = 1: γ = ±1 for none; tr γ = 0 and γ² = −1 for one;
    tr γ real for two. With the canonical angles a ≥ b ≥ |c| the imaginary part of tr γ is
    4 sin 2a sin 2b sin 2c, so that b and c below 1e-5 count as 0; `gates_around_cx` adds the CX
    where that shows.

    Args:
        unitary: complex128[4, 4], whose determinant is any phase.

    References:
        Shende, Bullock, Markov, "Recognizing small-circuit structure in two-qubit operators",
        PRA 70 (2004) 012310, propositions 1 to 3.
    """
    trace, determinant = 0j, _determinant(unitary)
    for index in range(4):
        trace += _gamma(unitary, index, index)
    if abs((trace / np.sqrt(determinant)).imag) > SAME:
        return 3
    if _gamma_is_scalar(unitary):
        return 0
    if abs(trace) < SAME and _gamma_squares_to(unitary, -determinant):
        return 1
    return 2


@njit_view
def _gamma(unitary: Matrix, row: int, column: int) -> complex:
    """Return an entry of U·(Y⊗Y)·Uᵀ·(Y⊗Y)."""
    total = 0j
    for inner in range(4):
        sign = 1 if (inner in (0, 3)) == (column in (0, 3)) else -1
        total += unitary[row, inner] * (sign * unitary[3 - column, 3 - inner])
    return total


@njit_view
def _gamma_is_scalar(unitary: Matrix) -> bool:
    scalar = _gamma(unitary, 0, 0)
    for row in range(4):
        for column in range(4):
            expected = scalar if row == column else 0
            if abs(_gamma(unitary, row, column) - expected) > SAME:
                return False
    return True


@njit_view
def _gamma_squares_to(unitary: Matrix, scalar: complex) -> bool:
    for row in range(4):
        for column in range(4):
            total = 0j
            for inner in range(4):
                total += _gamma(unitary, row, inner) * _gamma(unitary, inner, column)
            if abs(total - (scalar if row == column else 0)) > SAME:
                return False
    return True


@njit_view
def _determinant(matrix: Matrix) -> complex:
    """Expand along the upper two rows: Laplace's rule."""
    total = 0j
    for a in range(4):
        for b in range(a + 1, 4):
            upper = matrix[0, a] * matrix[1, b] - matrix[0, b] * matrix[1, a]
            c, d = _others(a, b)
            lower = matrix[2, c] * matrix[3, d] - matrix[2, d] * matrix[3, c]
            total += (-1) ** (a + b + 1) * upper * lower
    return total


@njit_view
def _others(a: int, b: int) -> tuple[int, int]:
    c = 0
    while c in (a, b):
        c += 1
    return c, 6 - a - b - c
