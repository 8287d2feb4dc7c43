"""What a search for hub schedules works on: units, and sets of them as bits."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.matrices import SWAP, Matrix
from compiler.compiled import cached_njit, njit_view
from compiler.lowering.interactions.interactions import Interactions
from compiler.lowering.interactions.order import Relation, direct_predecessors


@frozen(eq=False)
class Units:
    """Products of interactions on one pair of wires, and what they cost on a coupled pair.

    Args:
        members: for each of n units its interactions, in time order.
        pairs: int64[n, 2], the wires.
        matrices: complex128[n, 4, 4]; the low bit is `pairs[:, 0]`.
        plain: int64[n], CX of each.
        swapped: int64[n], CX of each followed by a swap of its two wires.
        predecessors: bool[n, n]; `[j, i]` says that i comes before j.
    """

    members: tuple[tuple[int, ...], ...]
    pairs: NDArray[np.int64]
    matrices: Matrix
    plain: NDArray[np.int64]
    swapped: NDArray[np.int64]
    predecessors: Relation


def units_of(interactions: Interactions) -> Units:
    """Return interactions in units: neighbours on one pair that need fewer CX together."""
    members: list[list[int]] = []
    for i in range(len(interactions)):
        if members and _cheaper_together(interactions, members[-1], i):
            members[-1].append(i)
        else:
            members.append([i])
    pairs = np.array([interactions.pairs[unit[0]] for unit in members], dtype=np.int64)
    pairs = pairs.reshape(-1, 2)
    products = [
        interactions.matrix(unit, int(pair[0])) for unit, pair in zip(members, pairs, strict=True)
    ]
    owner = np.repeat(np.arange(len(members)), [len(unit) for unit in members])
    predecessors = np.zeros((len(members),) * 2, dtype=np.bool_)
    later, earlier = np.nonzero(direct_predecessors(interactions))
    predecessors[owner[later], owner[earlier]] = True
    np.fill_diagonal(predecessors, val=False)
    return Units(
        tuple(map(tuple, members)),
        pairs,
        np.array(products, dtype=np.complex128).reshape(-1, 4, 4),
        np.array([cx_cost(product) for product in products], dtype=np.int64),
        np.array([cx_cost(SWAP @ product) for product in products], dtype=np.int64),
        predecessors,
    )


def _cheaper_together(interactions: Interactions, unit: Sequence[int], i: int) -> bool:
    if set(interactions.pairs[unit[0]].tolist()) != set(interactions.pairs[i].tolist()):
        return False
    wire = int(interactions.pairs[i, 0])
    together = cx_cost(interactions.matrix([*unit, i], wire))
    apart = cx_cost(interactions.matrix(unit, wire)) + cx_cost(interactions.matrix([i], wire))
    return together < apart


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
