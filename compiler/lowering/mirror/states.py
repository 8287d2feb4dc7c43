"""States of the mirror search, and what gates and swaps do to them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compiler.compiled import cached_njit, njit_view
from compiler.lowering.arrays import Integers, Reals
from compiler.lowering.mirror.arena import SWAP_CX, Arena, add_mirrored, add_product, add_step
from compiler.lowering.mirror.problem import Problem
from compiler.lowering.mirror.realise import SWAP

HALF_SWAP_CX = 2.0
RENAMING = 0.1
"""What the search charges for a swap of untouched qubits, so that it does not swap on and on."""

Keys = NDArray[np.uint64]


class States(NamedTuple):
    """States of the search, one in each row.

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
    key: Keys


FIRST, LEFT, OWN, SWAPS, STEP = range(5)
"""Columns of `States.counts`."""


@cached_njit()
def empty_states(size: int, given: Problem, wires: int) -> States:
    """Return rows that are to be filled."""
    qubits, gates = len(given.distance), len(given.wires)
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
def begin(given: Problem, start: Integers, s: States) -> None:
    """Fill row 0 with a layout and nothing done."""
    s.at[0] = start
    s.held[0][start] = np.arange(len(start))
    s.missing[0] = given.missing
    s.counts[0, LEFT] = len(given.wires)
    s.counts[0, OWN] = given.costs[::4].sum()
    s.counts[0, STEP] = -1


@njit_view
def copy_state(source: States, row: int, target: States, to: int) -> None:
    """Copy a row."""
    for column in range(source.rows.shape[1]):
        target.rows[to, column] = source.rows[row, column]
    target.cost[to] = source.cost[row]
    target.key[to] = source.key[row]


@njit_view
def do_gate(given: Problem, arena: Arena, s: States, row: int, gate: int) -> None:
    """Do a gate whose wires are on coupled qubits."""
    p, q = s.at[row, given.wires[gate, 0]], s.at[row, given.wires[gate, 1]]
    block = 1 + 4 * gate + (p > q)
    s.cost[row] += arena.costs[block]
    if s.partner[row, p] == q and s.partner[row, q] == p:
        old = s.block[row, p]
        block = add_product(arena, block, old)
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
