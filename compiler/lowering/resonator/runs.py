"""Runs on a resonator: interactions that share one wire with one axis, done in one visit."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from attrs import frozen

from compiler.circuits.tolerances import SAME_AXIS
from compiler.compiled import cached_njit, njit_view
from compiler.lowering.hub.beam import (
    ROOM,
    Candidate,
    Candidates,
    States,
    no_candidates,
    no_states,
    propose,
    take,
)
from compiler.lowering.hub.problem import (
    Growing,
    HubProblem,
    Units,
    Words,
    contains,
    copy_set,
    execute,
    hub_problem,
    no_units,
)
from compiler.lowering.interactions.interactions import Interactions, Vectors
from compiler.lowering.interactions.order import direct_predecessors

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
                if np.linalg.norm(np.cross(first, axis)) < SAME_AXIS:
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


class _Beam(NamedTuple):
    """All that the search works on, and room for one set."""

    problem: HubProblem
    width: int
    keys: Words
    candidates: Candidates
    states: States
    now: Growing


@njit_view
def _expand(beam: _Beam, state: int) -> None:
    """Propose each run that can follow a state."""
    problem, states, now = beam.problem, beam.states, beam.now
    for line in range(len(problem.starts) - 1):
        copy_set(states.executed[state], now.units)
        if execute(problem, now, line, -1, -1) > 0:
            _propose_run(beam, state, states.excess[state] + 1)


@njit_view
def _propose_run(beam: _Beam, origin: int, runs: int) -> None:
    keys, chains, now = beam.keys, beam.problem.chains, beam.now.units
    count, worth, key = 0, 0.0, np.uint64(1)
    for i in range(len(keys)):
        if contains(now, i):
            count += 1
            worth += FORESIGHT * chains[i]
            key ^= keys[i]
    choice = Candidate(runs - worth, key, origin, 0, runs)
    propose(beam.candidates, count, beam.width, choice, now)


@cached_njit()
def _search(problem: HubProblem, width: int, keys: Words) -> Words:
    """Return what is executed before each run and in the end, uint64[runs + 1, words]."""
    n, words = problem.before.shape
    candidates = no_candidates(n + 1, ROOM * width + 1, words)
    states = no_states(n * width + 1, words)
    now = no_units(problem)
    beam = _Beam(problem, width, keys, candidates, states, now)
    start = Candidate(0.0, np.uint64(1), -1, 0, 0)
    propose(candidates, 0, width, start, now.units)
    used = 0
    for row in range(n):
        first = used
        used = take(candidates, row, width, states, first)
        for state in range(first, used):
            _expand(beam, state)
    last = np.argmin(candidates.excess[n, : candidates.filled[n]])
    path = [candidates.parent[n, last]]
    while states.parent[path[-1]] >= 0:
        path.append(states.parent[path[-1]])
    order = np.array(path)[::-1]
    finished = np.zeros((len(order) + 1, words), dtype=np.uint64)
    finished[:-1] = states.executed[order]
    finished[-1] = candidates.executed[n, last]
    return finished
