"""Blocks and steps that states of the mirror search share."""

from typing import NamedTuple

import numpy as np

from compiler.circuits.cx_cost import cx_cost
from compiler.compiled import cached_njit, njit_view
from compiler.lowering.arrays import Complex, Integers
from compiler.lowering.mirror.problem import Problem
from compiler.lowering.mirror.two_qubit_matrices import mirror, multiply

SWAP_CX = 3.0


class Arena(NamedTuple):
    """Blocks and steps that states refer to, and how many of each are in use.

    Block 0 is a swap; the problem's blocks follow. `mirrors` are the CX of the blocks followed
    by a swap, and `mirror` is room for one of these. A step is its predecessor, a gate or `SWAP`,
    and two qubits.
    """

    blocks: Complex
    costs: Integers
    mirrors: Integers
    mirror: Complex
    steps: Integers
    used: Integers


@cached_njit()
def new_arena(given: Problem, size: int) -> Arena:
    """Return an arena with the problem's blocks and room for more."""
    base = 1 + len(given.blocks)
    arena = Arena(
        np.zeros((base + size, 4, 4), np.complex128),
        np.zeros(base + size, np.int32),
        np.zeros(base + size, np.int32),
        np.empty((4, 4), np.complex128),
        np.zeros((size, 4), np.int32),
        np.array([base, 0], np.int32),
    )
    for row, column in ((0, 0), (1, 2), (2, 1), (3, 3)):
        arena.blocks[0, row, column] = 1
    arena.costs[0] = SWAP_CX
    for index in range(len(given.blocks)):
        arena.blocks[1 + index] = given.blocks[index]
        arena.costs[1 + index] = given.costs[index]
        arena.mirrors[1 + index] = given.costs[index ^ 2]
    return arena


@cached_njit()
def roomy(arena: Arena, needed: int) -> Arena:
    """Return an arena with room for so many more blocks and steps."""
    if max(arena.used[0], arena.used[1]) + needed < len(arena.steps):
        return arena
    size = 2 * len(arena.blocks) + needed
    larger = Arena(
        np.empty((size, 4, 4), np.complex128),
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        arena.mirror,
        np.empty((size, 4), np.int32),
        arena.used,
    )
    larger.blocks[: len(arena.blocks)] = arena.blocks
    larger.costs[: len(arena.costs)] = arena.costs
    larger.mirrors[: len(arena.mirrors)] = arena.mirrors
    larger.steps[: len(arena.steps)] = arena.steps
    return larger


@njit_view
def add_product(arena: Arena, after: int, before: int) -> int:
    """Add the block that two blocks make, for which there must be room; return its index."""
    index, blocks = arena.used[0], arena.blocks
    multiply(blocks[after], blocks[before], blocks[index])
    return _added(arena)


@njit_view
def add_mirrored(arena: Arena, block: int) -> int:
    """Add a block followed by a swap, for which there must be room; return its index."""
    index, blocks = arena.used[0], arena.blocks
    mirror(blocks[block], blocks[index])
    return _added(arena)


@njit_view
def _added(arena: Arena) -> int:
    """Count the CX of a block that has been written, and return its index."""
    index, blocks = arena.used[0], arena.blocks
    arena.used[0] += 1
    arena.costs[index] = cx_cost(blocks[index])
    mirror(blocks[index], arena.mirror)
    arena.mirrors[index] = cx_cost(arena.mirror)
    return int(index)


@njit_view
def add_step(arena: Arena, last: int, step: tuple[int, int, int]) -> int:
    """Add a step after another one, for which there must be room, and return its index."""
    index, steps = arena.used[1], arena.steps
    arena.used[1] += 1
    steps[index, 0] = last
    steps[index, 1], steps[index, 2], steps[index, 3] = step
    return int(index)


@cached_njit()
def path_to(arena: Arena, last: int) -> Integers:
    """Return the steps that lead to a step, shape (n, 3), the first one first."""
    size, step = 0, last
    while step >= 0:
        size += 1
        step = arena.steps[step, 0]
    path = np.empty((size, 3), np.int32)
    step = last
    for index in range(size - 1, -1, -1):
        path[index] = arena.steps[step, 1:]
        step = arena.steps[step, 0]
    return path
