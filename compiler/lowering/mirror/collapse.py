"""Merging of two-qubit unitaries on the same wires, past all that commutes.

Two-qubit unitaries in compiled code: products, mirrors, and their commutation.

A 4×4 matrix acts on two wires, the first of which is the high bit of its index.
"""

from typing import NamedTuple

import numpy as np

from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.matrices import Bits, Integers, Matrix
from compiler.circuits.tolerances import SAME
from compiler.compiled import cached_njit, njit_view


@njit_view
def multiply(left: Matrix, right: Matrix, result: Matrix) -> None:
    """Write the product of two 4×4 matrices into a third; a library call would take too long."""
    for row in range(4):
        for column in range(4):
            result[row, column] = 0
        for inner in range(4):
            for column in range(4):
                result[row, column] += left[row, inner] * right[inner, column]


@cached_njit()
def turned(unitary: Matrix) -> Matrix:
    """Return the same unitary with its wires named the other way round."""
    order = (0, 2, 1, 3)
    result = np.empty((4, 4), np.complex128)
    for row in range(4):
        for column in range(4):
            result[row, column] = unitary[order[row], order[column]]
    return result


@cached_njit()
def mirrored(unitary: Matrix) -> Matrix:
    """Return SWAP·U, U followed by a swap of its wires."""
    result = np.empty((4, 4), np.complex128)
    mirror(unitary, result)
    return result


@njit_view
def mirror(unitary: Matrix, result: Matrix) -> None:
    """Write the result of `mirrored` into another matrix."""
    order = (0, 2, 1, 3)
    for row in range(4):
        for column in range(4):
            result[row, column] = unitary[order[row], column]


@cached_njit()
def axis(unitary: Matrix, wire: int) -> Matrix:
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
def find_axis(unitary: Matrix, wire: int, result: Matrix) -> None:
    """Write the result of `axis` into an array of shape (3,)."""
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
def _vector(unitary: Matrix, wire: int, index: int) -> tuple[complex, complex, complex]:
    """Return the coefficients of X, Y and Z of a wire, for one matrix element of the other."""
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
def same_axis(a: Matrix, b: Matrix) -> bool:
    """Return whether two results of `axis` are the same axis."""
    norm, distance = 0.0, 0.0
    for i in range(3):
        norm += abs(a[i])
        distance = max(distance, abs(a[i] - b[i]))
    return norm > SAME and distance < 10 * SAME


@njit_view
def commute(a: Matrix, b: Matrix) -> bool:
    """Return whether two unitaries on the same two wires commute."""
    for row in range(4):
        for column in range(4):
            left, other = 0j, 0j
            for inner in range(4):
                left += a[row, inner] * b[inner, column]
                other += b[row, inner] * a[inner, column]
            if not abs(left - other) < SAME:
                return False
    return True


class Described(NamedTuple):
    """Unitaries with their axes and costs, in the order of time.

    Args:
        wires: shape (n, 2), rising.
        unitaries: shape (n, 4, 4).
        axes: shape (n, 2, 3), the axis of each on each of its wires, as `axis` returns it.
        costs: shape (n,), their CX.
    """

    wires: Integers
    unitaries: Matrix
    axes: Matrix
    costs: Integers


@cached_njit()
def collapse(
    wires: Integers, unitaries: Matrix, window: int, saving: int
) -> tuple[Integers, Matrix, Integers]:
    """Merge unitaries on the same two wires wherever that saves enough.

    Two unitaries are brought together by moving those that must come between them to before the
    first or after the second, which is possible if neither depends on the other through it.
    Unitaries that come out as local gates are left with cost 0.

    Args:
        wires: shape (n, 2), in the order of time.
        unitaries: shape (n, 4, 4).
        window: on how many others a unitary may depend before the search for a partner ends.
        saving: CX that a merger has to save; with 0, all that can be brought together becomes
            one.

    Returns:
        Wires, unitaries and CX of the result, in the order of time.
    """
    size = len(wires)
    left = Described(
        np.empty((size, 2), np.int32),
        np.empty((size, 4, 4), np.complex128),
        np.empty((size, 2, 3), np.complex128),
        np.empty(size, np.int32),
    )
    room = _Room(
        np.empty(window + 1, np.int32),
        np.empty(1 + wires.max() if size else 0, np.bool_),
        np.empty((4, 4), np.complex128),
    )
    count = 0
    for index in range(size):
        a, b = wires[index]
        left.wires[count, 0], left.wires[count, 1] = min(a, b), max(a, b)
        _describe(left, count, unitaries[index] if a < b else turned(unitaries[index]))
        if not _merged(left, count, saving, room):
            count += 1
    return left.wires[:count], left.unitaries[:count], left.costs[:count]


@cached_njit()
def describe(wires: Integers, unitaries: Matrix) -> Described:
    """Describe unitaries on rising wires."""
    size = len(wires)
    described = Described(
        wires, unitaries, np.empty((size, 2, 3), np.complex128), np.empty(size, np.int32)
    )
    for index in range(size):
        _describe(described, index, unitaries[index])
    return described


@njit_view
def _describe(to: Described, index: int, unitary: Matrix) -> None:
    unitaries, axes = to.unitaries, to.axes
    for row in range(4):
        for column in range(4):
            unitaries[index, row, column] = unitary[row, column]
    to.costs[index] = cx_cost(unitary)
    for wire in range(2):
        find_axis(unitary, wire, axes[index, wire])


@njit_view
def commutes(of: Described, i: int, j: int) -> bool:
    """Return whether two unitaries commute."""
    wires, axes = of.wires, of.axes
    if wires[i, 0] == wires[j, 0] and wires[i, 1] == wires[j, 1]:
        return commute(of.unitaries[i], of.unitaries[j])
    for a in range(2):
        for b in range(2):
            if wires[i, a] == wires[j, b]:
                return same_axis(axes[i, a], axes[j, b])
    return True


REACH = 10_000
"""Unitaries, whether in between or elsewhere, past which no partner is sought."""


class _Room(NamedTuple):
    """Buffers for one search for a partner.

    Args:
        needed: shape (window + 1,), the unitaries that the newest one depends on.
        around: shape (wires,), whether it depends on a gate of a wire.
        product: shape (4, 4).
    """

    needed: Integers
    around: Bits
    product: Matrix


@njit_view
def _merged(left: Described, new: int, saving: int, room: _Room) -> bool:
    """Merge the newest unitary with an earlier one if that saves enough."""
    wires, costs, unitaries = left.wires, left.costs, left.unitaries
    needed, around, merged = room.needed, room.around, room.product
    depth = 0
    around[:] = False
    around[wires[new, 0]] = around[wires[new, 1]] = True
    for old in range(new - 1, max(new - REACH, 0) - 1, -1):
        if not (around[wires[old, 0]] or around[wires[old, 1]]):
            continue
        free = True
        for k in range(depth):
            if not commutes(left, old, needed[k]):
                free = False
                break
        same = wires[old, 0] == wires[new, 0] and wires[old, 1] == wires[new, 1]
        if free and same:
            multiply(unitaries[new], unitaries[old], merged)
            if cx_cost(merged) + saving <= costs[old] + costs[new]:
                _describe(left, _bring_before(left, old, needed, depth), merged)
                return True
        if not free or not commutes(left, old, new):
            needed[depth] = old
            depth += 1
            around[wires[old, 0]] = around[wires[old, 1]] = True
            if depth == len(needed):
                return False
    return False


@njit_view
def _bring_before(left: Described, old: int, needed: Integers, depth: int) -> int:
    """Move the dependencies of the newest unitary to before an old one; return its new place."""
    target = old
    for k in range(depth - 1, -1, -1):
        for index in range(needed[k], target, -1):
            _exchange(left, index - 1, index)
        target += 1
    return target


@njit_view
def _exchange(left: Described, i: int, j: int) -> None:
    wires, unitaries, axes, costs = left.wires, left.unitaries, left.axes, left.costs
    costs[i], costs[j] = costs[j], costs[i]
    for wire in range(2):
        wires[i, wire], wires[j, wire] = wires[j, wire], wires[i, wire]
        for k in range(3):
            axes[i, wire, k], axes[j, wire, k] = axes[j, wire, k], axes[i, wire, k]
    for row in range(4):
        for column in range(4):
            value = unitaries[i, row, column]
            unitaries[i, row, column] = unitaries[j, row, column]
            unitaries[j, row, column] = value
