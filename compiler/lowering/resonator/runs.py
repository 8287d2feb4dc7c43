"""Runs on a resonator: interactions that share one wire with one axis, done in one visit."""

from itertools import pairwise

import numpy as np
from attrs import frozen
from numba import njit

from compiler.lowering.hub.beam import (
    ROOM,
    Candidate,
    Candidates,
    no_candidates,
    no_states,
    propose,
    take,
)
from compiler.lowering.hub.problem import HubProblem, Words, contains, execute, hub_problem
from compiler.lowering.hub.units import Units
from compiler.lowering.interactions.interactions import Interactions, Vectors
from compiler.lowering.interactions.order import TOLERANCE, direct_predecessors

KEYS_SEED = 21
FORESIGHT = 0.02


@frozen
class Run:
    """One visit of a wire's state to the resonator.

    Args:
        wire: whose state it is.
        members: the interactions that are executed meanwhile, in time order; their axes on the
            wire are parallel.
    """

    wire: int
    members: tuple[int, ...]


def runs_of(interactions: Interactions, width: int) -> list[Run]:
    """Return runs that execute all interactions, as few as a beam search finds.

    Args:
        interactions: what is to be executed.
        width: sets that the search keeps among those with as many interactions executed.
    """
    size = len(interactions)
    if not size:
        return []
    lines = _lines(interactions)
    keys = np.random.default_rng(KEYS_SEED).integers(1, 1 << 63, size, dtype=np.uint64)
    finished = _search(_problem(interactions, lines), width, keys)
    runs = []
    for before, after in pairwise(finished):
        bits = np.unpackbits((after & ~before).view(np.uint8), bitorder="little")
        members = np.flatnonzero(bits).tolist()
        line = next(line for line in lines if set(members) <= set(line[1]))
        runs.append(Run(line[0], tuple(members)))
    return runs


def _lines(interactions: Interactions) -> list[tuple[int, list[int]]]:
    """Return wires with the interactions whose axes on them are parallel."""
    lines: list[tuple[int, list[int]]] = []
    for wire in range(len(interactions.ends)):
        own: list[tuple[Vectors, list[int]]] = []
        for i, k in zip(*np.nonzero(interactions.pairs == wire), strict=True):
            axis = interactions.axes[i, k]
            for first, members in own:
                if np.linalg.norm(np.cross(first, axis)) < TOLERANCE:
                    members.append(int(i))
                    break
            else:
                own.append((axis, [int(i)]))
        lines += [(wire, members) for _, members in own]
    return lines


def _problem(interactions: Interactions, lines: list[tuple[int, list[int]]]) -> HubProblem:
    """Return a hub's problem in which lines take the place of wires."""
    size = len(interactions)
    units = Units(
        tuple((i,) for i in range(size)),
        interactions.pairs,
        np.zeros((size, 4, 4), dtype=np.complex128),
        np.ones(size, dtype=np.int64),
        np.ones(size, dtype=np.int64),
        direct_predecessors(interactions),
    )
    return hub_problem(units, len(interactions.ends))._replace(
        starts=np.cumsum([0, *(len(members) for _, members in lines)]),
        by_wire=np.array([i for _, members in lines for i in members], dtype=np.int64),
    )


@njit(cache=True)
def _propose_run(
    beam: tuple[HubProblem, int, Words, Candidates], origin: int, runs: int, now: Words
) -> None:
    problem, width, keys, candidates = beam
    count, worth, key = 0, 0.0, np.uint64(1)
    for i in range(len(keys)):
        if contains(now, i):
            count += 1
            worth += FORESIGHT * problem.chains[i]
            key ^= keys[i]
    propose(candidates, count, width, Candidate(runs - worth, key, origin, 0, runs), now)


@njit(cache=True)
def _search(problem: HubProblem, width: int, keys: Words) -> Words:
    """Return what is executed before each run and in the end, uint64[runs + 1, words]."""
    n, words = problem.before.shape
    lines = len(problem.starts) - 1
    candidates = no_candidates(n + 1, ROOM * width + 1, words)
    states = no_states(n * width + 1, words)
    beam = (problem, width, keys, candidates)
    start = Candidate(0.0, np.uint64(1), -1, 0, 0)
    propose(candidates, 0, width, start, np.zeros(words, dtype=np.uint64))
    used = 0
    for row in range(n):
        first = used
        used = take(candidates, row, width, states, first)
        for state in range(first, used):
            for line in range(lines):
                now = states.executed[state].copy()
                if len(execute(problem, now, line, -1, -1)) > 0:
                    _propose_run(beam, state, states.excess[state] + 1, now)
    last = np.argmin(candidates.excess[n, : candidates.filled[n]])
    path = [candidates.parent[n, last]]
    while states.parent[path[-1]] >= 0:
        path.append(states.parent[path[-1]])
    order = np.array(path)[::-1]
    finished = np.zeros((len(order) + 1, words), dtype=np.uint64)
    finished[:-1] = states.executed[order]
    finished[-1] = candidates.executed[n, last]
    return finished
