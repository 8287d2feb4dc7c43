"""Merging of two-qubit unitaries on the same wires, past all that commutes."""

from typing import NamedTuple

import numpy as np
from numba import njit

from compiler.lowering.arrays import Complex, Integers
from compiler.lowering.mirror.kak import axis, commute, cx_cost, product, same_axis, turned


class Described(NamedTuple):
    """Unitaries, and what is known of them, in the order of time.

    Args:
        wires: shape (n, 2), rising.
        unitaries: shape (n, 4, 4).
        axes: shape (n, 2, 3), what each keeps to on each of its wires, as `axis` returns it.
        costs: shape (n,), their CX.
    """

    wires: Integers
    unitaries: Complex
    axes: Complex
    costs: Integers


@njit(cache=True)
def collapse(
    wires: Integers, unitaries: Complex, window: int, saving: int
) -> tuple[Integers, Complex, Integers]:
    """Merge unitaries on the same two wires wherever that saves enough.

    Two unitaries are brought together by moving what has to come between them to before the
    first or after the second, which is possible if neither depends on the other through it.
    Unitaries that come out as local gates are left with cost 0.

    Args:
        wires: shape (n, 2), in the order of time.
        unitaries: shape (n, 4, 4).
        window: on how many others a unitary may depend before the search for a partner ends.
        saving: CX that a merger has to save; with 0, all that can be brought together becomes
            one.

    Returns:
        Wires, unitaries and CX of what is left, in the order of time.
    """
    size = len(wires)
    left = Described(
        np.empty((size, 2), np.int32),
        np.empty((size, 4, 4), np.complex128),
        np.empty((size, 2, 3), np.complex128),
        np.empty(size, np.int32),
    )
    count = 0
    for index in range(size):
        a, b = wires[index]
        left.wires[count, 0], left.wires[count, 1] = min(a, b), max(a, b)
        _describe(left, count, unitaries[index] if a < b else turned(unitaries[index]))
        if not _merged(left, count, window, saving):
            count += 1
    return left.wires[:count], left.unitaries[:count], left.costs[:count]


@njit(cache=True)
def describe(wires: Integers, unitaries: Complex) -> Described:
    """Describe unitaries on rising wires."""
    size = len(wires)
    described = Described(
        wires, unitaries, np.empty((size, 2, 3), np.complex128), np.empty(size, np.int32)
    )
    for index in range(size):
        _describe(described, index, unitaries[index])
    return described


@njit(cache=True)
def _describe(to: Described, index: int, unitary: Complex) -> None:
    to.unitaries[index] = unitary
    to.costs[index] = cx_cost(unitary)
    for wire in range(2):
        to.axes[index, wire] = axis(unitary, wire)


@njit(cache=True)
def commutes(of: Described, i: int, j: int) -> bool:
    """Tell whether two unitaries commute."""
    if of.wires[i, 0] == of.wires[j, 0] and of.wires[i, 1] == of.wires[j, 1]:
        return commute(of.unitaries[i], of.unitaries[j])
    for a in range(2):
        for b in range(2):
            if of.wires[i, a] == of.wires[j, b]:
                return same_axis(of.axes[i, a], of.axes[j, b])
    return True


@njit(cache=True)
def _merged(left: Described, new: int, window: int, saving: int) -> bool:
    """Merge the newest unitary with an earlier one if that saves enough."""
    needed = np.empty(window + 1, np.int32)
    depth = 0
    around = np.zeros(1 + left.wires[: new + 1].max(), np.bool_)
    around[left.wires[new]] = True
    for old in range(new - 1, -1, -1):
        if not (around[left.wires[old, 0]] or around[left.wires[old, 1]]):
            continue
        free = True
        for k in range(depth):
            if not commutes(left, old, needed[k]):
                free = False
                break
        same = left.wires[old, 0] == left.wires[new, 0] and left.wires[old, 1] == left.wires[new, 1]
        if free and same:
            merged = product(left.unitaries[new], left.unitaries[old])
            if cx_cost(merged) + saving <= left.costs[old] + left.costs[new]:
                _describe(left, _bring_before(left, old, needed[:depth]), merged)
                return True
        if not free or not commutes(left, old, new):
            needed[depth] = old
            depth += 1
            around[left.wires[old]] = True
            if depth > window:
                return False
    return False


@njit(cache=True)
def _bring_before(left: Described, old: int, needed: Integers) -> int:
    """Move what the newest unitary needs to before an old one; return where that is then."""
    target = old
    for moved in needed[::-1]:
        wires, unitary = left.wires[moved].copy(), left.unitaries[moved].copy()
        axes, cost = left.axes[moved].copy(), left.costs[moved]
        for index in range(moved, target, -1):
            left.wires[index], left.unitaries[index] = (
                left.wires[index - 1],
                left.unitaries[index - 1],
            )
            left.axes[index], left.costs[index] = left.axes[index - 1], left.costs[index - 1]
        left.wires[target], left.unitaries[target] = wires, unitary
        left.axes[target], left.costs[target] = axes, cost
        target += 1
    return target
