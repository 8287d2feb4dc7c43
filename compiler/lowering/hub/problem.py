"""Data of a search for hub schedules: units, and sets of them as bits.

Memory of a hub search: candidates by the number of executed units, and states.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.matrices import SWAP, Bits, Matrix, Numbers, Reals, Words
from compiler.compiled import cached_njit, njit_view
from compiler.lowering.interactions.interactions import Interactions, direct_predecessors


def _cheaper_together(interactions: Interactions, unit: Sequence[int], i: int) -> bool:
    if set(interactions.pairs[unit[0]].tolist()) != set(interactions.pairs[i].tolist()):
        return False
    wire = int(interactions.pairs[i, 0])
    together = cx_cost(interactions.matrix([*unit, i], wire))
    apart = cx_cost(interactions.matrix(unit, wire)) + cx_cost(interactions.matrix([i], wire))
    return together < apart


class HubProblem(NamedTuple):
    """Units, products of interactions on one pair of wires, as arrays for compiled code.

    Args:
        pairs: int64[n, 2], wires of the n units.
        starts: int64[wires + 1], where each wire's units start in `by_wire`.
        by_wire: int64[2n], the units of each wire in time order.
        before: uint64[n, words], a bit for each unit that comes before.
        after: uint64[n, words], a bit for each unit that comes after.
        matrices: complex128[n, 2, 4, 4]; the low bit is `pairs[:, 0]`, and then `pairs[:, 1]`.
        plain: int64[n], CX of each unit.
        swapped: int64[n], CX of each unit followed by a swap of its wires.
        chains: float64[n], the longest chain of units that have to follow each other from here.
    """

    pairs: Numbers
    starts: Numbers
    by_wire: Numbers
    before: Words
    after: Words
    matrices: Matrix
    plain: Numbers
    swapped: Numbers
    chains: Reals


def hub_problem(interactions: Interactions) -> HubProblem:
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
    matrices = np.array(products, dtype=np.complex128).reshape(-1, 4, 4)
    owner = np.repeat(np.arange(len(members)), [len(unit) for unit in members])
    predecessors = np.zeros((len(members),) * 2, dtype=np.bool_)
    later, earlier = np.nonzero(direct_predecessors(interactions))
    predecessors[owner[later], owner[earlier]] = True
    np.fill_diagonal(predecessors, val=False)
    wires = range(len(interactions.ends))
    own = [np.flatnonzero((pairs == wire).any(axis=1)) for wire in wires]
    return HubProblem(
        pairs,
        np.cumsum([0, *map(len, own)]),
        np.concatenate(own),
        _bits(predecessors),
        _bits(predecessors.T),
        np.stack([matrices, SWAP @ matrices @ SWAP], axis=1),
        np.array([cx_cost(product) for product in products], dtype=np.int64),
        np.array([cx_cost(SWAP @ product) for product in products], dtype=np.int64),
        chains(predecessors),
    )


def _bits(relation: Bits) -> Words:
    padded = np.zeros((len(relation), -(-max(len(relation), 1) // 64) * 64), dtype=np.bool_)
    padded[:, : len(relation)] = relation
    packed = np.packbits(padded, axis=1, bitorder="little")
    return packed.view("<u8").astype(np.uint64)


def chains(predecessors: Bits) -> Reals:
    """Return the longest chain of units that have to follow each other from each on, in units."""
    lengths = np.ones(len(predecessors))
    for i in range(len(predecessors) - 1, -1, -1):
        earlier = predecessors[i]
        lengths[earlier] = np.maximum(lengths[earlier], lengths[i] + 1)
    return lengths


@njit_view
def contains(words: Words, unit: int) -> bool:
    """Return whether a set has a unit."""
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
    """Return whether a set has all that another one has."""
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
    added: Numbers


@cached_njit()
def no_units(problem: HubProblem) -> Growing:
    """Return a set without units."""
    n, word_count = problem.before.shape
    return Growing(np.zeros(word_count, dtype=np.uint64), np.zeros(n, dtype=np.int64))


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


PARENT, HUB, EXCESS, SERIAL, BASE = range(5)
"""Columns of an origin: the state from which it came or −1; the wire that has entered the hub; the
CX up to here beyond those of the units; when it was proposed; and of states that in which the
hub's wire entered."""


class Candidates(NamedTuple):
    """States that may be looked at; row k has the best that have k units executed.

    Args:
        filled: int64[rows], how many there are.
        proposed: int64[rows], how many there have been.
        score: float64[rows, width], the lower the better.
        key: uint64[rows, width], the same for the same state.
        origin: int64[rows, width, 4], all columns but `BASE`.
        executed: uint64[rows, width, words], the units before the wire entered.
    """

    filled: Numbers
    proposed: Numbers
    score: Reals
    key: Words
    origin: Numbers
    executed: Words


class Candidate(NamedTuple):
    """One of the `Candidates`, without its units."""

    score: float
    key: np.uint64
    parent: int
    hub: int
    excess: int


class States(NamedTuple):
    """States that are looked at.

    Args:
        origin: int64[most, 5], all columns.
        executed: uint64[most, words].
    """

    origin: Numbers
    executed: Words


@cached_njit()
def no_candidates(rows: int, width: int, word_count: int) -> Candidates:
    """Return room for candidates."""
    return Candidates(
        np.zeros(rows, dtype=np.int64),
        np.zeros(rows, dtype=np.int64),
        np.zeros((rows, width), dtype=np.float64),
        np.zeros((rows, width), dtype=np.uint64),
        np.zeros((rows, width, 4), dtype=np.int64),
        np.zeros((rows, width, word_count), dtype=np.uint64),
    )


@njit_view
def propose(candidates: Candidates, row: int, choice: Candidate, executed: Words) -> None:
    """Add a candidate, unless the row is full of better ones; the same state is there once."""
    score, key, origin = candidates.score[row], candidates.key[row], candidates.origin[row]
    filled, place = candidates.filled[row], -1
    candidates.proposed[row] += 1
    for i in range(filled):
        if key[i] == choice.key:
            place = i
            break
    if place < 0 and filled < len(score):
        place = filled
        candidates.filled[row] += 1
    elif place < 0:
        place = 0
        for i in range(1, filled):
            later = origin[i, SERIAL] > origin[place, SERIAL]
            if score[i] > score[place] or (score[i] == score[place] and later):
                place = i
    if place < filled and score[place] <= choice.score:
        return
    score[place], key[place] = choice.score, choice.key
    origin[place, PARENT], origin[place, HUB] = choice.parent, choice.hub
    origin[place, EXCESS], origin[place, SERIAL] = choice.excess, candidates.proposed[row]
    copy_set(executed, candidates.executed[row, place])


@cached_njit()
def take(candidates: Candidates, row: int, states: States, first: int) -> int:
    """Make a row's candidates states, the best first, from index `first`.

    Returns:
        The index behind them.
    """
    filled = candidates.filled[row]
    score, origin = candidates.score[row, :filled], candidates.origin[row, :filled]
    order = np.argsort(origin[:, SERIAL])
    used = first
    for i in order[np.argsort(score[order], kind="mergesort")]:
        states.origin[used, :BASE] = origin[i]
        states.executed[used] = candidates.executed[row, i]
        parent, hub = origin[i, PARENT], origin[i, HUB]
        stays = parent >= 0 and states.origin[parent, HUB] == hub
        states.origin[used, BASE] = states.origin[parent, BASE] if stays else used
        used += 1
    return used


@cached_njit()
def path_to_end(candidates: Candidates, states: States) -> tuple[Numbers, Words]:
    """Return the cheapest way to have all units executed.

    Returns:
        The states on the way, in time order; and uint64[k + 1, words], the units that
        are executed before each, and in the end.
    """
    end = len(candidates.filled) - 1
    last = np.argmin(candidates.origin[end, : candidates.filled[end], EXCESS])
    path = [candidates.origin[end, last, PARENT]]
    while states.origin[path[-1], PARENT] >= 0:
        path.append(states.origin[path[-1], PARENT])
    order = np.array(path)[::-1]
    finished = np.zeros((len(order) + 1, candidates.executed.shape[2]), dtype=np.uint64)
    finished[:-1] = states.executed[order]
    finished[-1] = candidates.executed[end, last]
    return order, finished
