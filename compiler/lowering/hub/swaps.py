"""What it costs that a wire leaves the hub: swaps merge with the units just before them."""

import numpy as np

from compiler.circuits.cx_cost import cx_cost
from compiler.compiled import njit_view
from compiler.lowering.arrays import Complex
from compiler.lowering.hub.problem import HubProblem, Integers, Words, contains, leaf_of

LONE_SWAP = 3
SWAPPED = (0, 2, 1, 3)


@njit_view
def last_units(problem: HubProblem, executed: Words, base: Words, hub: int, ends: Integers) -> None:
    """Tell which units of a stay can be left for its end, for each leaf.

    Args:
        problem: the units.
        executed: uint64[words], all units up to the end of the stay.
        base: uint64[words], those before it.
        hub: the wire in the hub.
        ends: int64[n], to which is written for each unit the leaf at whose end it can be, or −1.
    """
    starts, by_wire, after = problem.starts, problem.by_wire, problem.after
    ends[:] = -1
    for i in range(starts[hub + 1] - 1, starts[hub] - 1, -1):
        unit = by_wire[i]
        if contains(executed, unit) and not contains(base, unit):
            leaf = leaf_of(problem, unit, hub)
            if _only_at(ends, leaf, executed, base, after[unit]):
                ends[unit] = leaf


@njit_view
def _only_at(ends: Integers, leaf: int, executed: Words, base: Words, after: Words) -> bool:
    """Tell whether all units of a stay that come after one can be at the end for a leaf."""
    for k in range(len(after)):
        rest = executed[k] & ~base[k] & after[k]
        bit = 64 * k
        while rest:
            if rest & np.uint64(1) and ends[bit] != leaf:
                return False
            rest >>= np.uint64(1)
            bit += 1
    return True


@njit_view
def swap_cost(problem: HubProblem, ends: Integers, leaf: int, hub: int, products: Complex) -> int:
    """Return how many CX a swap of hub and leaf adds to the units at its end.

    CX then swap is two CX, two commuting ones then swap is one.

    Args:
        problem: the units.
        ends: int64[n], for each unit the leaf at whose end it can be, or −1.
        leaf: the wire that enters.
        hub: the wire that leaves.
        products: complex128[2, 4, 4], room for products of units.
    """
    by_wire, plain = problem.by_wire, problem.plain
    count = apart = single = 0
    for i in range(problem.starts[hub], problem.starts[hub + 1]):
        unit = by_wire[i]
        if ends[unit] == leaf:
            count += 1
            apart += plain[unit]
            single = problem.swapped[unit]
    if count == 0:
        return LONE_SWAP
    if count == 1:
        return single - apart
    return _merged_cx(problem, ends, leaf, hub, products) - apart


@njit_view
def _merged_cx(problem: HubProblem, ends: Integers, leaf: int, hub: int, products: Complex) -> int:
    """Return how many CX the units at the end for a leaf and a swap need together."""
    by_wire, current = problem.by_wire, 0
    for row in range(4):
        for column in range(4):
            products[0, row, column] = row == column
    for i in range(problem.starts[hub], problem.starts[hub + 1]):
        if ends[by_wire[i]] == leaf:
            _apply(problem, by_wire[i], hub, products[current], products[1 - current])
            current = 1 - current
    product = products[current]
    for column in range(4):
        product[1, column], product[2, column] = product[2, column], product[1, column]
    return cx_cost(product)


@njit_view
def _apply(problem: HubProblem, unit: int, wire: int, before: Complex, after: Complex) -> None:
    """Write what a unit makes of a matrix whose low bit is a wire of it."""
    matrix, is_low = problem.matrices[unit], problem.pairs[unit, 0] == wire
    for row in range(4):
        for column in range(4):
            total = 0j
            for k in range(4):
                factor = matrix[row, k] if is_low else matrix[SWAPPED[row], SWAPPED[k]]
                total += factor * before[k, column]
            after[row, column] = total
