"""What a search for hub schedules works on: units, and sets of them as bits.

What a hub search keeps: candidates by how many units they have executed, and states.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.matrices import SWAP, Matrix
from compiler.compiled import cached_njit, njit_view
from compiler.lowering.interactions.interactions import Interactions, Relation, direct_predecessors


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


ROOM = 4
"""Candidates kept for each state that will be chosen, before the worst are dropped."""


class Candidates(NamedTuple):
    """States that may be looked at; row k has those with k units executed.

    Args:
        filled: int64[rows], how many there are.
        score: float64[rows, room], the lower the better.
        key: uint64[rows, room], the same for the same state.
        parent: int64[rows, room], the state from which it came, or −1.
        hub: int64[rows, room], the wire that has entered the hub.
        excess: int64[rows, room], CX up to here beyond those of the units.
        executed: uint64[rows, room, words], the units before the wire entered.
        order: int64[2, room], for indices of a row that is put in order.
        is_best: bool[room], for which of them are kept.
        seen: uint64[slots], for their keys: a hash table, of which half the slots stay free.
    """

    filled: Integers
    score: NDArray[np.float64]
    key: Words
    parent: Integers
    hub: Integers
    excess: Integers
    executed: Words
    order: Integers
    is_best: NDArray[np.bool_]
    seen: Words


class Candidate(NamedTuple):
    """One of the `Candidates`, without its units."""

    score: float
    key: np.uint64
    parent: int
    hub: int
    excess: int


class States(NamedTuple):
    """States that are looked at, as in `Candidates`.

    Args:
        parent: int64[most].
        hub: int64[most].
        excess: int64[most].
        base: int64[most], the state in which the hub's wire entered.
        executed: uint64[most, words].
    """

    parent: Integers
    hub: Integers
    excess: Integers
    base: Integers
    executed: Words


@cached_njit()
def no_candidates(rows: int, room: int, words: int) -> Candidates:
    """Return room for candidates."""
    slots = 2
    while slots < 2 * room:
        slots *= 2
    return Candidates(
        np.zeros(rows, dtype=np.int64),
        np.zeros((rows, room), dtype=np.float64),
        np.zeros((rows, room), dtype=np.uint64),
        np.zeros((rows, room), dtype=np.int64),
        np.zeros((rows, room), dtype=np.int64),
        np.zeros((rows, room), dtype=np.int64),
        np.zeros((rows, room, words), dtype=np.uint64),
        np.zeros((2, room), dtype=np.int64),
        np.zeros(room, dtype=np.bool_),
        np.zeros(slots, dtype=np.uint64),
    )


@cached_njit()
def no_states(most: int, words: int) -> States:
    """Return room for states."""
    return States(
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros((most, words), dtype=np.uint64),
    )


@njit_view
def propose(
    candidates: Candidates, row: int, width: int, choice: Candidate, executed: Words
) -> None:
    """Add a candidate; a full row first loses all but its best `width`."""
    if candidates.filled[row] == candidates.score.shape[1]:
        _drop_the_worst(candidates, row, width)
    i = candidates.filled[row]
    candidates.score[row, i] = choice.score
    candidates.key[row, i] = choice.key
    candidates.parent[row, i] = choice.parent
    candidates.hub[row, i] = choice.hub
    candidates.excess[row, i] = choice.excess
    copy_set(executed, candidates.executed[row, i])
    candidates.filled[row] += 1


@njit_view
def _drop_the_worst(candidates: Candidates, row: int, width: int) -> None:
    """Keep the best `width` of a row, as they are ordered."""
    score, key, parent = candidates.score[row], candidates.key[row], candidates.parent[row]
    hub, excess, executed = candidates.hub[row], candidates.excess[row], candidates.executed[row]
    is_best, ranked = candidates.is_best, candidates.order[0]
    is_best[:] = False
    for k in range(_rank(candidates, row, width)):
        is_best[ranked[k]] = True
    kept = 0
    for i in range(candidates.filled[row]):
        if is_best[i]:
            score[kept], key[kept], parent[kept] = score[i], key[i], parent[i]
            hub[kept], excess[kept] = hub[i], excess[i]
            copy_set(executed[i], executed[kept])
            kept += 1
    candidates.filled[row] = kept


@njit_view
def _rank(candidates: Candidates, row: int, width: int) -> int:
    """Put those with the lowest scores in order, one for each key; return how many there are.

    Returns:
        Up to `width`; they are written to `candidates.order[0]`.
    """
    key, seen = candidates.key[row], candidates.seen
    sorted_row = _sort(candidates.score[row], candidates.filled[row], candidates.order)
    ranked, in_order = candidates.order[0], candidates.order[sorted_row]
    seen[:] = 0
    last, kept = len(seen) - 1, 0
    for k in range(candidates.filled[row]):
        i = in_order[k]
        slot = np.int64(key[i] & np.uint64(last))
        while seen[slot] != 0 and seen[slot] != key[i]:
            slot = (slot + 1) & last
        if seen[slot] == key[i]:
            continue
        seen[slot] = key[i]
        ranked[kept] = i
        kept += 1
        if kept == width:
            break
    return kept


@njit_view
def _sort(scores: NDArray[np.float64], count: int, order: Integers) -> int:
    """Sort the first scores by merging, equal ones as they come.

    Args:
        scores: of which the lowest comes first.
        count: how many there are.
        order: int64[2, room], to a row of which their indices are written.

    Returns:
        That row.
    """
    for i in range(count):
        order[0, i] = i
    sorted_row, run = 0, 1
    while run < count:
        source, sink = order[sorted_row], order[1 - sorted_row]
        for start in range(0, count, 2 * run):
            left, right = start, start + run
            middle, end = min(right, count), min(right + run, count)
            for place in range(start, end):
                if left < middle and (
                    right >= end or scores[source[left]] <= scores[source[right]]
                ):
                    sink[place] = source[left]
                    left += 1
                else:
                    sink[place] = source[right]
                    right += 1
        sorted_row, run = 1 - sorted_row, 2 * run
    return sorted_row


@njit_view
def take(candidates: Candidates, row: int, width: int, states: States, first: int) -> int:
    """Make a row's best candidates states, from index `first`; return the index behind them."""
    used = first
    for k in range(_rank(candidates, row, width)):
        i = candidates.order[0, k]
        parent, hub = candidates.parent[row, i], candidates.hub[row, i]
        states.parent[used] = parent
        states.hub[used] = hub
        states.excess[used] = candidates.excess[row, i]
        copy_set(candidates.executed[row, i], states.executed[used])
        stays = parent >= 0 and states.hub[parent] == hub
        states.base[used] = states.base[parent] if stays else used
        used += 1
    return used


@cached_njit()
def path_to_end(candidates: Candidates, states: States) -> tuple[int, Integers, Words]:
    """Return the cheapest way to have all units executed.

    Returns:
        Its excess; the states on the way, in time order; and uint64[k + 1, words], the units that
        are executed before each, and in the end.
    """
    end = len(candidates.filled) - 1
    last = np.argmin(candidates.excess[end, : candidates.filled[end]])
    path = [candidates.parent[end, last]]
    while states.parent[path[-1]] >= 0:
        path.append(states.parent[path[-1]])
    order = np.array(path)[::-1]
    finished = np.zeros((len(order) + 1, candidates.executed.shape[2]), dtype=np.uint64)
    finished[:-1] = states.executed[order]
    finished[-1] = candidates.executed[end, last]
    return candidates.excess[end, last], order, finished
