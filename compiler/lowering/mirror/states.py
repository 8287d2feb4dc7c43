"""States of the mirror search, and the actions of gates and swaps on them.

Blocks and steps that states of the mirror search share.
"""

from typing import NamedTuple

import numpy as np

from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.matrices import Integers, Matrix, Reals, Words
from compiler.compiled import cached_njit, njit_view
from compiler.lowering.mirror.collapse import mirror, multiply
from compiler.lowering.mirror.problem import Problem
from compiler.lowering.mirror.unitaries import SWAP

SWAP_CX = 3.0


class Arena(NamedTuple):
    """Blocks and steps that states refer to, and how many of each are in use.

    Block 0 is a swap; the problem's blocks follow. `mirrors` are the CX of the blocks followed
    by a swap, and `mirror` is room for one of these. A step is its predecessor, a gate or `SWAP`,
    and two qubits.
    """

    blocks: Matrix
    costs: Integers
    mirrors: Integers
    mirror: Matrix
    steps: Integers
    used: Integers


@cached_njit()
def new_arena(problem: Problem, size: int) -> Arena:
    """Return an arena with the problem's blocks and room for more."""
    base = 1 + len(problem.blocks)
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
    for index in range(len(problem.blocks)):
        arena.blocks[1 + index] = problem.blocks[index]
        arena.costs[1 + index] = problem.costs[index]
        arena.mirrors[1 + index] = problem.costs[index ^ 2]
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


HALF_SWAP_CX = 2.0
RENAMING = 0.1
"""The search's cost of a swap of untouched qubits, so that it does not swap on and on."""


class States(NamedTuple):
    """States of the search, one in each row.

    Invariants: `held[at[w]] = w` for each wire w; where `partner[p] = q`, also `partner[q] = p` and
    `block[p] = block[q]`, unless another gate has taken p or q since; `counts[FIRST]` is the first
    gate with `missing` ≥ 0. `cost` adds up the CX of all blocks so far, a block that a gate or swap
    has joined counting once, and `RENAMING` for each swap of untouched qubits. `key` is the
    exclusive or of one random word for each wire on its qubit and for each gate that is done.

    Args:
        rows: all that follows but `cost` and `key`, side by side, so that it is copied at once.
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

    rows: Integers
    at: Integers
    held: Integers
    missing: Integers
    partner: Integers
    block: Integers
    touched: Integers
    counts: Integers
    cost: Reals
    key: Words


FIRST, LEFT, OWN, SWAPS, STEP = range(5)
"""Columns of `States.counts`."""


@cached_njit()
def empty_states(size: int, problem: Problem, wires: int) -> States:
    """Return rows that are to be filled."""
    qubits, gates = len(problem.distance), len(problem.wires)
    rows = np.full((size, wires + 4 * qubits + gates + 5), -1, np.int32)
    held, missing = wires, wires + qubits
    partner = missing + gates
    block, touched = partner + qubits, partner + 2 * qubits
    counts = touched + qubits
    rows[:, touched:] = 0
    return States(
        rows,
        rows[:, :held],
        rows[:, held:missing],
        rows[:, missing:partner],
        rows[:, partner:block],
        rows[:, block:touched],
        rows[:, touched:counts],
        rows[:, counts:],
        np.zeros(size),
        np.zeros(size, np.uint64),
    )


@cached_njit()
def begin(problem: Problem, start: Integers, s: States) -> None:
    """Fill row 0 with a layout and nothing done."""
    s.at[0] = start
    s.held[0][start] = np.arange(len(start))
    s.missing[0] = problem.missing
    s.counts[0, LEFT] = len(problem.wires)
    s.counts[0, OWN] = problem.costs[::4].sum()
    s.counts[0, STEP] = -1


@njit_view
def copy_state(source: States, row: int, target: States, to: int) -> None:
    """Copy a row."""
    for column in range(source.rows.shape[1]):
        target.rows[to, column] = source.rows[row, column]
    target.cost[to] = source.cost[row]
    target.key[to] = source.key[row]


@njit_view
def do_gate(problem: Problem, arena: Arena, s: States, row: int, gate: int) -> None:
    """Do a gate whose wires are on coupled qubits."""
    p, q = s.at[row, problem.wires[gate, 0]], s.at[row, problem.wires[gate, 1]]
    block = 1 + 4 * gate + (p > q)
    s.cost[row] += arena.costs[block]
    if s.partner[row, p] == q and s.partner[row, q] == p:
        old = s.block[row, p]
        block = add_product(arena, block, old)
        s.cost[row] += arena.costs[block] - arena.costs[old] - problem.costs[4 * gate]
    _join(s, row, p, q, block)
    s.missing[row, gate] = -1
    for k in range(problem.offsets[gate], problem.offsets[gate + 1]):
        s.missing[row, problem.dependants[k]] -= 1
    while s.counts[row, FIRST] < len(problem.wires) and s.missing[row, s.counts[row, FIRST]] < 0:
        s.counts[row, FIRST] += 1
    s.counts[row, LEFT] -= 1
    s.counts[row, OWN] -= problem.costs[4 * gate]
    s.counts[row, SWAPS] = 0
    s.counts[row, STEP] = add_step(arena, s.counts[row, STEP], (gate, p, q))


@njit_view
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
        _join(s, row, p, q, add_mirrored(arena, old))
    else:
        s.cost[row] += SWAP_CX
        _join(s, row, p, q, 0)
    s.counts[row, SWAPS] += 1
    s.held[row, p], s.held[row, q] = b, a
    if a >= 0:
        s.at[row, a] = q
    if b >= 0:
        s.at[row, b] = p
    s.counts[row, STEP] = add_step(arena, s.counts[row, STEP], (SWAP, p, q))


@njit_view
def _join(s: States, row: int, p: int, q: int, block: int) -> None:
    s.partner[row, p], s.partner[row, q] = q, p
    s.block[row, p] = s.block[row, q] = block
    s.touched[row, p] = s.touched[row, q] = 1
