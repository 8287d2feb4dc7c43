"""What a hub search keeps: candidates by how many units they have executed, and states."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compiler.lowering.hub.problem import Integers, Words

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
    """

    filled: Integers
    score: NDArray[np.float64]
    key: Words
    parent: Integers
    hub: Integers
    excess: Integers
    executed: Words


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


@njit(cache=True)
def no_candidates(rows: int, room: int, words: int) -> Candidates:
    """Return room for candidates."""
    return Candidates(
        np.zeros(rows, dtype=np.int64),
        np.zeros((rows, room), dtype=np.float64),
        np.zeros((rows, room), dtype=np.uint64),
        np.zeros((rows, room), dtype=np.int64),
        np.zeros((rows, room), dtype=np.int64),
        np.zeros((rows, room), dtype=np.int64),
        np.zeros((rows, room, words), dtype=np.uint64),
    )


@njit(cache=True)
def no_states(most: int, words: int) -> States:
    """Return room for states."""
    return States(
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros((most, words), dtype=np.uint64),
    )


@njit(cache=True)
def propose(
    candidates: Candidates, row: int, width: int, choice: Candidate, executed: Words
) -> None:
    """Add a candidate; a full row first loses all but its best `width`."""
    if candidates.filled[row] == candidates.score.shape[1]:
        kept = np.sort(best(candidates, row, width))
        for k in range(len(kept)):
            candidates.score[row, k] = candidates.score[row, kept[k]]
            candidates.key[row, k] = candidates.key[row, kept[k]]
            candidates.parent[row, k] = candidates.parent[row, kept[k]]
            candidates.hub[row, k] = candidates.hub[row, kept[k]]
            candidates.excess[row, k] = candidates.excess[row, kept[k]]
            candidates.executed[row, k] = candidates.executed[row, kept[k]]
        candidates.filled[row] = len(kept)
    i = candidates.filled[row]
    candidates.score[row, i] = choice.score
    candidates.key[row, i] = choice.key
    candidates.parent[row, i] = choice.parent
    candidates.hub[row, i] = choice.hub
    candidates.excess[row, i] = choice.excess
    candidates.executed[row, i] = executed
    candidates.filled[row] += 1


@njit(cache=True)
def best(candidates: Candidates, row: int, width: int) -> Integers:
    """Return up to `width` candidates of a row with the lowest scores, one for each key."""
    count = candidates.filled[row]
    found = np.empty(width, dtype=np.int64)
    kept = 0
    seen = {np.uint64(0)}
    for i in np.argsort(candidates.score[row, :count], kind="mergesort"):
        if candidates.key[row, i] in seen:
            continue
        seen.add(candidates.key[row, i])
        found[kept] = i
        kept += 1
        if kept == width:
            break
    return found[:kept]


@njit(cache=True)
def take(candidates: Candidates, row: int, width: int, states: States, first: int) -> int:
    """Make a row's best candidates states, from index `first`; return the index behind them."""
    used = first
    for i in best(candidates, row, width):
        parent, hub = candidates.parent[row, i], candidates.hub[row, i]
        states.parent[used] = parent
        states.hub[used] = hub
        states.excess[used] = candidates.excess[row, i]
        states.executed[used] = candidates.executed[row, i]
        stays = parent >= 0 and states.hub[parent] == hub
        states.base[used] = states.base[parent] if stays else used
        used += 1
    return used
