"""Two-qubit unitaries in compiled code: products, mirrors, and what they commute with.

A 4×4 matrix acts on two wires, the first of which is the high bit of its index.
"""

import numpy as np

from compiler.circuits.tolerances import SAME
from compiler.compiled import cached_njit, njit_view
from compiler.lowering.arrays import Complex


@njit_view
def multiply(left: Complex, right: Complex, result: Complex) -> None:
    """Write the product of two 4×4 matrices into a third; a library call would take too long."""
    for row in range(4):
        for column in range(4):
            result[row, column] = 0
        for inner in range(4):
            for column in range(4):
                result[row, column] += left[row, inner] * right[inner, column]


@cached_njit()
def turned(unitary: Complex) -> Complex:
    """Return the same unitary with its wires named the other way round."""
    order = (0, 2, 1, 3)
    result = np.empty((4, 4), np.complex128)
    for row in range(4):
        for column in range(4):
            result[row, column] = unitary[order[row], order[column]]
    return result


@cached_njit()
def mirrored(unitary: Complex) -> Complex:
    """Return SWAP·U, U followed by a swap of its wires."""
    result = np.empty((4, 4), np.complex128)
    mirror(unitary, result)
    return result


@njit_view
def mirror(unitary: Complex, result: Complex) -> None:
    """Write what `mirrored` returns into another matrix."""
    order = (0, 2, 1, 3)
    for row in range(4):
        for column in range(4):
            result[row, column] = unitary[order[row], column]


@cached_njit()
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
    result = np.empty(3, np.complex128)
    find_axis(unitary, wire, result)
    return result


@njit_view
def find_axis(unitary: Complex, wire: int, result: Complex) -> None:
    """Write what `axis` returns into an array of shape (3,)."""
    result[0] = result[1] = result[2] = 0
    longest, length = 0, 0.0
    for index in range(4):
        x, y, z = _vector(unitary, wire, index)
        norm = np.sqrt(abs(x) ** 2 + abs(y) ** 2 + abs(z) ** 2)
        if norm > length:
            longest, length = index, norm
    if length < SAME:
        return
    x, y, z = _vector(unitary, wire, longest)
    direction = x / length, y / length, z / length
    for index in range(4):
        if not _parallel(direction, _vector(unitary, wire, index)):
            return
    for greatest in range(3):
        if abs(direction[greatest]) > 0.5:
            break
    phase = direction[greatest] / abs(direction[greatest])
    for component in range(3):
        result[component] = direction[component] / phase


@njit_view
def _vector(unitary: Complex, wire: int, index: int) -> tuple[complex, complex, complex]:
    """Return what stands beside X, Y and Z of a wire, for one matrix element of the other."""
    outer, inner = (1, 2) if wire == 0 else (2, 1)
    start, end = outer * (index // 2), outer * (index % 2)
    up, down = unitary[start, end], unitary[start + inner, end + inner]
    right, left = unitary[start, end + inner], unitary[start + inner, end]
    return right + left, 1j * (right - left), up - down


@njit_view
def _parallel(a: tuple[complex, ...], b: tuple[complex, ...]) -> bool:
    for i in range(3):
        j = (i + 1) % 3
        if abs(a[i] * b[j] - a[j] * b[i]) > SAME:
            return False
    return True


@njit_view
def same_axis(a: Complex, b: Complex) -> bool:
    """Tell whether two results of `axis` are the same axis."""
    norm, distance = 0.0, 0.0
    for i in range(3):
        norm += abs(a[i])
        distance = max(distance, abs(a[i] - b[i]))
    return norm > SAME and distance < 10 * SAME


@njit_view
def commute(a: Complex, b: Complex) -> bool:
    """Tell whether two unitaries on the same two wires commute."""
    for row in range(4):
        for column in range(4):
            one, other = 0j, 0j
            for inner in range(4):
                one += a[row, inner] * b[inner, column]
                other += b[row, inner] * a[inner, column]
            if not abs(one - other) < SAME:
                return False
    return True
