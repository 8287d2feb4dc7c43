"""What a hub search keeps: candidates by how many units they have executed, and states."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compiler.compiled import cached_njit, njit_view
from compiler.lowering.hub.problem import Integers, Words, copy_set

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
