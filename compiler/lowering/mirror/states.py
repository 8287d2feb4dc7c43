"""States of the mirror search, and what gates and swaps do to them."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compiler.lowering.arrays import Complex, Integers, Reals
from compiler.lowering.mirror.kak import cx_cost, mirrored, product
from compiler.lowering.mirror.problem import Problem
from compiler.lowering.mirror.realise import SWAP

SWAP_CX = 3.0
HALF_SWAP_CX = 2.0
RENAMING = 0.1
"""What the search charges for a swap of untouched qubits, so that it does not swap on and on."""

Keys = NDArray[np.uint64]


class States(NamedTuple):
    """States of the search, one in each row.

    Args:
        at: the qubit of each wire.
        held: the wire of each qubit, or -1.
        missing: for how many gates each gate still waits, or -1 if it is done.
        partner: the qubit with which each qubit shares its last block, or -1.
        block: that block's index in the arena.
        touched: 1 for qubits that something has acted on.
        counts: the first gate that is not done, the number of gates not done, their CX, the
            swaps since the last gate, and the last step's index in the arena.
        cost: CX so far.
        key: a hash of the layout and of the gates that are done.
    """

    at: Integers
    held: Integers
    missing: Integers
    partner: Integers
    block: Integers
    touched: Integers
    counts: Integers
    cost: Reals
    key: Keys


FIRST, LEFT, OWN, SWAPS, STEP = range(5)
"""Columns of `States.counts`."""


class Arena(NamedTuple):
    """Blocks and steps that states refer to, and how many of each are in use.

    Block 0 is a swap; the problem's blocks follow. `mirrors` are the CX of the blocks followed
    by a swap. A step is its predecessor, a gate or `SWAP`, and two qubits.
    """

    blocks: Complex
    costs: Integers
    mirrors: Integers
    steps: Integers
    used: Integers


@njit(cache=True)
def empty_states(size: int, given: Problem, wires: int) -> States:
    """Return rows that are to be filled."""
    qubits = len(given.distance)
    return States(
        np.zeros((size, wires), np.int32),
        np.full((size, qubits), -1, np.int32),
        np.zeros((size, len(given.wires)), np.int32),
        np.full((size, qubits), -1, np.int32),
        np.full((size, qubits), -1, np.int32),
        np.zeros((size, qubits), np.int32),
        np.zeros((size, 5), np.int32),
        np.zeros(size),
        np.zeros(size, np.uint64),
    )


@njit(cache=True)
def begin(given: Problem, start: Integers, s: States) -> None:
    """Fill row 0 with a layout and nothing done."""
    s.at[0] = start
    s.held[0][start] = np.arange(len(start))
    s.missing[0] = given.missing
    s.counts[0, LEFT] = len(given.wires)
    s.counts[0, OWN] = given.costs[::4].sum()
    s.counts[0, STEP] = -1


@njit(cache=True)
def copy_state(source: States, row: int, target: States, to: int) -> None:
    """Copy a row."""
    target.at[to] = source.at[row]
    target.held[to] = source.held[row]
    target.missing[to] = source.missing[row]
    target.partner[to] = source.partner[row]
    target.block[to] = source.block[row]
    target.touched[to] = source.touched[row]
    target.counts[to] = source.counts[row]
    target.cost[to] = source.cost[row]
    target.key[to] = source.key[row]


@njit(cache=True)
def new_arena(given: Problem, size: int) -> Arena:
    """Return an arena with the problem's blocks and room for more."""
    base = 1 + len(given.blocks)
    arena = Arena(
        np.zeros((base + size, 4, 4), np.complex128),
        np.zeros(base + size, np.int32),
        np.zeros(base + size, np.int32),
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


@njit(cache=True)
def roomy(arena: Arena, needed: int) -> Arena:
    """Return an arena with room for so many more blocks and steps."""
    if max(arena.used[0], arena.used[1]) + needed < len(arena.steps):
        return arena
    size = 2 * len(arena.blocks) + needed
    larger = Arena(
        np.empty((size, 4, 4), np.complex128),
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        np.empty((size, 4), np.int32),
        arena.used,
    )
    larger.blocks[: len(arena.blocks)] = arena.blocks
    larger.costs[: len(arena.costs)] = arena.costs
    larger.mirrors[: len(arena.mirrors)] = arena.mirrors
    larger.steps[: len(arena.steps)] = arena.steps
    return larger


@njit(cache=True)
def do_gate(given: Problem, arena: Arena, s: States, row: int, gate: int) -> None:
    """Do a gate whose wires are on coupled qubits."""
    p, q = s.at[row, given.wires[gate, 0]], s.at[row, given.wires[gate, 1]]
    block = 1 + 4 * gate + (p > q)
    s.cost[row] += arena.costs[block]
    if s.partner[row, p] == q and s.partner[row, q] == p:
        old = s.block[row, p]
        block = _new_block(arena, product(arena.blocks[block], arena.blocks[old]))
        s.cost[row] += arena.costs[block] - arena.costs[old] - given.costs[4 * gate]
    _join(s, row, p, q, block)
    s.missing[row, gate] = -1
    for k in range(given.offsets[gate], given.offsets[gate + 1]):
        s.missing[row, given.dependants[k]] -= 1
    while s.counts[row, FIRST] < len(given.wires) and s.missing[row, s.counts[row, FIRST]] < 0:
        s.counts[row, FIRST] += 1
    s.counts[row, LEFT] -= 1
    s.counts[row, OWN] -= given.costs[4 * gate]
    s.counts[row, SWAPS] = 0
    _record(arena, s, row, (gate, p, q))


@njit(cache=True)
def do_swap(arena: Arena, s: States, row: int, p: int, q: int) -> None:
    """Swap two coupled qubits, at least one of which holds a wire."""
    a, b = s.held[row, p], s.held[row, q]
    merges = s.partner[row, p] == q and s.partner[row, q] == p
    if not (s.touched[row, p] or s.touched[row, q]):
        s.cost[row] += RENAMING
    elif a < 0 or b < 0:
        s.cost[row] += HALF_SWAP_CX
        _join(s, row, p, q, -1)
        s.partner[row, p] = s.partner[row, q] = -1
    elif merges:
        old = s.block[row, p]
        s.cost[row] += arena.mirrors[old] - arena.costs[old]
        _join(s, row, p, q, _new_block(arena, mirrored(arena.blocks[old])))
    else:
        s.cost[row] += SWAP_CX
        _join(s, row, p, q, 0)
    s.counts[row, SWAPS] += 1
    s.held[row, p], s.held[row, q] = b, a
    if a >= 0:
        s.at[row, a] = q
    if b >= 0:
        s.at[row, b] = p
    _record(arena, s, row, (SWAP, p, q))


@njit(cache=True)
def _join(s: States, row: int, p: int, q: int, block: int) -> None:
    s.partner[row, p], s.partner[row, q] = q, p
    s.block[row, p] = s.block[row, q] = block
    s.touched[row, p] = s.touched[row, q] = 1


@njit(cache=True)
def _new_block(arena: Arena, matrix: Complex) -> int:
    index = arena.used[0]
    arena.used[0] += 1
    arena.blocks[index] = matrix
    arena.costs[index] = cx_cost(matrix)
    arena.mirrors[index] = cx_cost(mirrored(matrix))
    return int(index)


@njit(cache=True)
def _record(arena: Arena, s: States, row: int, step: tuple[int, int, int]) -> None:
    index = arena.used[1]
    arena.used[1] += 1
    arena.steps[index, 0] = s.counts[row, STEP]
    arena.steps[index, 1], arena.steps[index, 2], arena.steps[index, 3] = step
    s.counts[row, STEP] = index


@njit(cache=True)
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
