"""Two-qubit unitaries in compiled code: how many CX they cost, and what they commute with.

A 4×4 matrix acts on two wires, the first of which is the high bit of its index.
"""

import numpy as np
from numba import njit

from compiler.lowering.arrays import Complex

TOLERANCE = 1e-9


@njit(cache=True)
def cx_cost(unitary: Complex) -> int:
    """Return the least number of CX with which a two-qubit unitary can be done, 0 to 3.

    Source: Shende, Bullock, Markov, "Recognizing small-circuit structure in two-qubit
    operators", PRA 70 (2004) 012310, propositions 1 to 3.

    Args:
        unitary: shape (4, 4).
    """
    gamma, determinant = _gamma(unitary), _determinant(unitary)
    trace = gamma[0, 0] + gamma[1, 1] + gamma[2, 2] + gamma[3, 3]
    if abs((trace / np.sqrt(determinant)).imag) > TOLERANCE:
        return 3
    if _is_scalar(gamma):
        return 0
    if abs(trace) < TOLERANCE:
        square = product(gamma, gamma)
        if abs(square[0, 0] + determinant) < TOLERANCE and _is_scalar(square):
            return 1
    return 2


@njit(cache=True)
def _gamma(unitary: Complex) -> Complex:
    """Return U·(Y⊗Y)·Uᵀ·(Y⊗Y)."""
    flipped = np.empty((4, 4), np.complex128)
    for row in range(4):
        for column in range(4):
            sign = 1 if (row in (0, 3)) == (column in (0, 3)) else -1
            flipped[row, column] = sign * unitary[3 - column, 3 - row]
    return product(unitary, flipped)


@njit(cache=True)
def product(left: Complex, right: Complex) -> Complex:
    """Return the product of two 4×4 matrices, for which a library call would take too long."""
    result = np.zeros((4, 4), np.complex128)
    for row in range(4):
        for inner in range(4):
            for column in range(4):
                result[row, column] += left[row, inner] * right[inner, column]
    return result


@njit(cache=True)
def _is_scalar(matrix: Complex) -> bool:
    for row in range(4):
        for column in range(4):
            expected = matrix[0, 0] if row == column else 0
            if abs(matrix[row, column] - expected) > TOLERANCE:
                return False
    return True


@njit(cache=True)
def _determinant(matrix: Complex) -> complex:
    """Expand along the upper two rows: Laplace's rule."""
    total = 0j
    for a in range(4):
        for b in range(a + 1, 4):
            upper = matrix[0, a] * matrix[1, b] - matrix[0, b] * matrix[1, a]
            c, d = _others(a, b)
            lower = matrix[2, c] * matrix[3, d] - matrix[2, d] * matrix[3, c]
            total += (-1) ** (a + b + 1) * upper * lower
    return total


@njit(cache=True)
def _others(a: int, b: int) -> tuple[int, int]:
    c = 0
    while c in (a, b):
        c += 1
    return c, 6 - a - b - c


@njit(cache=True)
def turned(unitary: Complex) -> Complex:
    """Return the same unitary with its wires named the other way round."""
    order = (0, 2, 1, 3)
    result = np.empty((4, 4), np.complex128)
    for row in range(4):
        for column in range(4):
            result[row, column] = unitary[order[row], order[column]]
    return result


@njit(cache=True)
def mirrored(unitary: Complex) -> Complex:
    """Return SWAP·U, U followed by a swap of its wires."""
    result = unitary.copy()
    result[1], result[2] = unitary[2], unitary[1]
    return result


@njit(cache=True)
def axis(unitary: Complex, wire: int) -> Complex:
    """Return the axis on the Bloch sphere that a unitary keeps to on one of its wires.

    Two unitaries that share one wire commute if and only if both keep to the same axis there, or
    one does nothing there.

    Args:
        unitary: shape (4, 4).
        wire: 0 or 1.

    Returns:
        Shape (3,), of norm 1 with its greatest component real and positive; all zeros if there
        is no such axis.
    """
    vectors = np.empty((4, 3), np.complex128)
    outer, inner = (1, 2) if wire == 0 else (2, 1)
    for index in range(4):
        start, end = outer * (index // 2), outer * (index % 2)
        up, down = unitary[start, end], unitary[start + inner, end + inner]
        right, left = unitary[start, end + inner], unitary[start + inner, end]
        vectors[index] = np.array([right + left, 1j * (right - left), up - down])
    return _common_direction(vectors)


@njit(cache=True)
def _common_direction(vectors: Complex) -> Complex:
    longest, length = 0, 0.0
    for index in range(len(vectors)):
        norm = np.sqrt((np.abs(vectors[index]) ** 2).sum())
        if norm > length:
            longest, length = index, norm
    if length < TOLERANCE:
        return np.zeros(3, np.complex128)
    direction = vectors[longest] / length
    for index in range(len(vectors)):
        if not _parallel(direction, vectors[index]):
            return np.zeros(3, np.complex128)
    greatest = np.argmax(np.abs(direction) > 0.5)
    return direction / (direction[greatest] / abs(direction[greatest]))


@njit(cache=True)
def _parallel(a: Complex, b: Complex) -> bool:
    for i in range(3):
        j = (i + 1) % 3
        if abs(a[i] * b[j] - a[j] * b[i]) > TOLERANCE:
            return False
    return True


@njit(cache=True)
def same_axis(a: Complex, b: Complex) -> bool:
    """Tell whether two results of `axis` are the same axis."""
    norm, distance = 0.0, 0.0
    for i in range(3):
        norm += abs(a[i])
        distance = max(distance, abs(a[i] - b[i]))
    return norm > TOLERANCE and distance < 10 * TOLERANCE


@njit(cache=True)
def commute(a: Complex, b: Complex) -> bool:
    """Tell whether two unitaries on the same two wires commute."""
    return bool(np.abs(product(a, b) - product(b, a)).max() < TOLERANCE)
