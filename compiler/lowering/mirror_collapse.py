"""Merging of two-qubit unitaries on the same wires, past all that commutes."""

import numpy as np
from numba import njit

from compiler.lowering.mirror_arrays import Complex, Integers
from compiler.lowering.mirror_kak import axis, commute, cx_cost, product, same_axis, turned

Collapsed = tuple[Integers, Complex, Integers]
"""Wires, unitaries and CX costs, in the order of time."""


@njit(cache=True)
def collapse(wires: Integers, unitaries: Complex, window: int) -> Collapsed:
    """Merge unitaries on the same two wires wherever that saves CX.

    Two unitaries are brought together by moving what has to come between them to before the
    first or after the second, which is possible if neither depends on the other through it.
    Unitaries that come out as local gates are left with cost 0.

    Args:
        wires: shape (n, 2), in the order of time.
        unitaries: shape (n, 4, 4).
        window: on how many others a unitary may depend before the search for a partner ends.

    Returns:
        What is left, in the order of time.
    """
    size = len(wires)
    places = np.empty((size, 2), np.int32)
    matrices = np.empty((size, 4, 4), np.complex128)
    axes = np.zeros((size, 2, 3), np.complex128)
    costs = np.zeros(size, np.int32)
    count = 0
    for index in range(size):
        places[count] = wires[index]
        matrices[count] = unitaries[index]
        if places[count, 0] > places[count, 1]:
            places[count] = wires[index, ::-1]
            matrices[count] = turned(unitaries[index])
        _describe(count, matrices, axes, costs)
        if not _merged(count, places, matrices, axes, costs, window):
            count += 1
    return places[:count], matrices[:count], costs[:count]


@njit(cache=True)
def _describe(index: int, matrices: Complex, axes: Complex, costs: Integers) -> None:
    costs[index] = cx_cost(matrices[index])
    for wire in range(2):
        axes[index, wire] = axis(matrices[index], wire)


@njit(cache=True)
def commutes(i: int, j: int, places: Integers, matrices: Complex, axes: Complex) -> bool:
    """Tell whether unitaries i and j commute; wires in rising order, axes as `axis` gives them."""
    shared = 0
    for a in range(2):
        for b in range(2):
            if places[i, a] == places[j, b]:
                shared += 1
                if shared == 1 and not same_axis(axes[i, a], axes[j, b]):
                    return (
                        places[i, 0] == places[j, 0]
                        and places[i, 1] == places[j, 1]
                        and commute(matrices[i], matrices[j])
                    )
    if shared == 2:
        return commute(matrices[i], matrices[j])
    return True


@njit(cache=True)
def _merged(
    new: int, places: Integers, matrices: Complex, axes: Complex, costs: Integers, window: int
) -> bool:
    """Merge the newest unitary with an earlier one if that saves CX."""
    needed = np.empty(window + 1, np.int64)
    depth = 0
    for old in range(new - 1, -1, -1):
        free = True
        for k in range(depth):
            if not commutes(old, needed[k], places, matrices, axes):
                free = False
                break
        same = places[old, 0] == places[new, 0] and places[old, 1] == places[new, 1]
        if free and same:
            merged = product(matrices[new], matrices[old])
            if cx_cost(merged) < costs[old] + costs[new]:
                target = _bring_before(old, needed[:depth], places, matrices, axes, costs)
                matrices[target] = merged
                _describe(target, matrices, axes, costs)
                return True
        if not free or not commutes(old, new, places, matrices, axes):
            needed[depth] = old
            depth += 1
            if depth > window:
                return False
    return False


@njit(cache=True)
def _bring_before(
    old: int,
    needed: Integers,
    places: Integers,
    matrices: Complex,
    axes: Complex,
    costs: Integers,
) -> int:
    """Move what the newest unitary needs to before `old`; return where `old` is then."""
    target = old
    for k in range(len(needed) - 1, -1, -1):
        moved = needed[k]
        place, matrix = places[moved].copy(), matrices[moved].copy()
        direction, cost = axes[moved].copy(), costs[moved]
        for index in range(moved, target, -1):
            places[index], matrices[index] = places[index - 1], matrices[index - 1]
            axes[index], costs[index] = axes[index - 1], costs[index - 1]
        places[target], matrices[target] = place, matrix
        axes[target], costs[target] = direction, cost
        target += 1
    return target
