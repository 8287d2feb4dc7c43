"""What a search for hub schedules works on: units, and sets of them as bits."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compiler.compiled import cached_njit, njit_view
from compiler.lowering.hub.units import Units
from compiler.lowering.interactions.order import Relation

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]


class HubProblem(NamedTuple):
    """Units on some wires, as arrays for compiled code.

    Args:
        pairs: int64[n, 2], wires of the n units.
        starts: int64[wires + 1], where each wire's units start in `by_wire`.
        by_wire: int64[2n], the units of each wire in time order.
        before: uint64[n, words], a bit for each unit that comes before.
        after: uint64[n, words], a bit for each unit that comes after.
        matrices: complex128[n, 4, 4]; the low bit is `pairs[:, 0]`.
        plain: int64[n], CX of each unit.
        swapped: int64[n], CX of each unit followed by a swap of its wires.
        chains: float64[n], the longest chain of units that have to follow each other from here.
    """

    pairs: Integers
    starts: Integers
    by_wire: Integers
    before: Words
    after: Words
    matrices: NDArray[np.complex128]
    plain: Integers
    swapped: Integers
    chains: NDArray[np.float64]


def hub_problem(units: Units, wires: int) -> HubProblem:
    """Return units on some wires as arrays."""
    own = [np.flatnonzero((units.pairs == wire).any(axis=1)) for wire in range(wires)]
    return HubProblem(
        units.pairs,
        np.cumsum([0, *map(len, own)]),
        np.concatenate(own),
        _bits(units.predecessors),
        _bits(units.predecessors.T),
        units.matrices,
        units.plain,
        units.swapped,
        _chains(units.predecessors),
    )


def _bits(relation: Relation) -> Words:
    padded = np.zeros((len(relation), -(-max(len(relation), 1) // 64) * 64), dtype=np.bool_)
    padded[:, : len(relation)] = relation
    packed = np.packbits(padded, axis=1, bitorder="little")
    return packed.view("<u8").astype(np.uint64)


def _chains(predecessors: Relation) -> NDArray[np.float64]:
    lengths = np.ones(len(predecessors))
    for i in range(len(predecessors) - 1, -1, -1):
        earlier = predecessors[i]
        lengths[earlier] = np.maximum(lengths[earlier], lengths[i] + 1)
    return lengths


@njit_view
def contains(words: Words, unit: int) -> bool:
    """Tell whether a set has a unit."""
    return (words[unit >> 6] >> np.uint64(unit & 63)) & np.uint64(1) != 0


@njit_view
def add(words: Words, unit: int) -> None:
    """Put a unit into a set, in place."""
    words[unit >> 6] |= np.uint64(1) << np.uint64(unit & 63)


@njit_view
def copy_set(words: Words, to: Words) -> None:
    """Write a set to where another one was."""
    for k in range(len(words)):
        to[k] = words[k]


@njit_view
def covers(words: Words, needed: Words) -> bool:
    """Tell whether a set has all that another one has."""
    missing = np.uint64(0)
    for k in range(len(words)):
        missing |= needed[k] & ~words[k]
    return missing == 0


class Growing(NamedTuple):
    """A set that units are added to.

    Args:
        units: uint64[words].
        added: int64[n], those that were added last.
    """

    units: Words
    added: Integers


@cached_njit()
def no_units(problem: HubProblem) -> Growing:
    """Return a set without units."""
    n, words = problem.before.shape
    return Growing(np.zeros(words, dtype=np.uint64), np.zeros(n, dtype=np.int64))


@njit_view
def leaf_of(problem: HubProblem, unit: int, hub: int) -> int:
    """Return the other wire of a unit on the hub's wire."""
    return problem.pairs[unit, 0] + problem.pairs[unit, 1] - hub


@njit_view
def execute(problem: HubProblem, done: Growing, hub: int, skipped: int, leaf: int) -> int:
    """Mark all units as executed that are possible while a wire stays in the hub.

    Args:
        problem: the units.
        done: the units that have been executed, changed in place.
        hub: the wire.
        skipped: a unit that is not executed, or −1.
        leaf: the only leaf whose units are; −1 for all.

    Returns:
        How many were added.
    """
    by_wire, before, executed, added = problem.by_wire, problem.before, done.units, done.added
    count = 0
    for i in range(problem.starts[hub], problem.starts[hub + 1]):
        unit = by_wire[i]
        if unit == skipped or contains(executed, unit):
            continue
        if leaf >= 0 and leaf_of(problem, unit, hub) != leaf:
            continue
        if covers(executed, before[unit]):
            add(executed, unit)
            added[count] = unit
            count += 1
    return count
