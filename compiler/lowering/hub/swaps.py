"""What it costs that a wire leaves the hub: swaps merge with the units just before them."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compiler.lowering.hub.cx_class import cx_class
from compiler.lowering.hub.problem import HubProblem, Integers, Words, contains, leaf_of

LONE_SWAP = 3
SWAPPED = np.array([0, 2, 1, 3])


@njit(cache=True)
def last_units(problem: HubProblem, executed: Words, base: Words, hub: int) -> Integers:
    """Tell which units of a stay can be left for its end, for each leaf.

    Args:
        problem: the units.
        executed: uint64[words], all units up to the end of the stay.
        base: uint64[words], those before it.
        hub: the wire in the hub.

    Returns:
        int64[n]: for each unit the leaf at whose end it can be, or −1.
    """
    starts = problem.starts
    ends = np.full(len(problem.pairs), -1, dtype=np.int64)
    stay = executed & ~base
    for i in range(starts[hub + 1] - 1, starts[hub] - 1, -1):
        unit = problem.by_wire[i]
        if contains(stay, unit):
            leaf = leaf_of(problem, unit, hub)
            if _only_at(ends, leaf, stay & problem.after[unit]):
                ends[unit] = leaf
    return ends


@njit(cache=True)
def _only_at(ends: Integers, leaf: int, later: Words) -> bool:
    for k in range(len(later)):
        rest = later[k]
        bit = 64 * k
        while rest:
            if rest & np.uint64(1) and ends[bit] != leaf:
                return False
            rest >>= np.uint64(1)
            bit += 1
    return True


@njit(cache=True)
def swap_cost(problem: HubProblem, ends: Integers, leaf: int, hub: int) -> int:
    """Return how many CX a swap of hub and leaf adds to the units at its end.

    CX then swap is two CX, two commuting ones then swap is one.

    Args:
        problem: the units.
        ends: int64[n], for each unit the leaf at whose end it can be, or −1.
        leaf: the wire that enters.
        hub: the wire that leaves.
    """
    product = np.eye(4, dtype=np.complex128)
    count = apart = single = 0
    for i in range(problem.starts[hub], problem.starts[hub + 1]):
        unit = problem.by_wire[i]
        if ends[unit] == leaf:
            count += 1
            apart += problem.plain[unit]
            single = problem.swapped[unit]
            product = _with_low(problem, unit, hub) @ product
    if count == 0:
        return LONE_SWAP
    if count == 1:
        return single - apart
    return cx_class(np.ascontiguousarray(product[SWAPPED])) - apart


@njit(cache=True)
def _with_low(problem: HubProblem, unit: int, wire: int) -> NDArray[np.complex128]:
    """Return a unit's matrix with a wire as the low bit."""
    matrix = problem.matrices[unit]
    if problem.pairs[unit, 0] == wire:
        return matrix
    return np.ascontiguousarray(matrix[SWAPPED][:, SWAPPED])
