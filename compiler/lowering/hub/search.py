"""Beam search for the order in which wires enter the hub of a star, in compiled code."""

from typing import NamedTuple

import numpy as np
from numba import njit

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
    HubProblem,
    Integers,
    Words,
    add,
    contains,
    covers,
    execute,
    leaf_of,
)
from compiler.lowering.hub.swaps import last_units, swap_cost

BRIDGE = 3
"""CX beyond its own that a CX between two leaves costs while the hub keeps its wire."""


class Guide(NamedTuple):
    """What guides the search.

    Args:
        width: states that are kept among those with as many units executed.
        foresight: CX that an executed unit is worth, for each unit of the chain that starts at it.
        welcome: CX that a unit is worth which the wire that enters can execute at once.
        keys: uint64[n + wires], random keys of units and wires, by which states are told apart.
    """

    width: int
    foresight: float
    welcome: float
    keys: Words


class Beam(NamedTuple):
    """All that the search works on."""

    problem: HubProblem
    guide: Guide
    candidates: Candidates
    states: States


class Moment(NamedTuple):
    """A set of executed units, how many there are, what they are worth, and their key."""

    executed: Words
    size: int
    worth: float
    key: np.uint64


@njit(cache=True)
def _moment(beam: Beam, executed: Words) -> Moment:
    count, worth, key = 0, 0.0, np.uint64(0)
    for unit in range(len(beam.problem.pairs)):
        if contains(executed, unit):
            count += 1
            worth += beam.guide.foresight * beam.problem.chains[unit]
            key ^= beam.guide.keys[unit]
    return Moment(executed, count, worth, key)


@njit(cache=True)
def _offer(beam: Beam, moment: Moment, hub: int, excess: int, origin: int) -> None:
    """Propose that a wire is in the hub, unless it enters and can execute nothing."""
    welcome = len(execute(beam.problem, moment.executed.copy(), hub, -1, -1))
    if welcome == 0 and (origin < 0 or beam.states.hub[origin] != hub):
        return
    score = excess - moment.worth - beam.guide.welcome * welcome
    key = moment.key ^ beam.guide.keys[len(beam.problem.pairs) + hub]
    choice = Candidate(score, key, origin, hub, excess)
    propose(beam.candidates, moment.size, beam.guide.width, choice, moment.executed)


@njit(cache=True)
def _offer_bridges(beam: Beam, state: int, now: Words) -> None:
    """Propose to keep the hub and to execute one unit between two leaves."""
    problem, hub = beam.problem, beam.states.hub[state]
    for unit in range(len(problem.pairs)):
        if problem.pairs[unit, 0] == hub or problem.pairs[unit, 1] == hub:
            continue
        if problem.plain[unit] != 1 or contains(now, unit):
            continue
        if covers(now, problem.before[unit]):
            then = now.copy()
            add(then, unit)
            _offer(beam, _moment(beam, then), hub, beam.states.excess[state] + BRIDGE, state)


@njit(cache=True)
def _offer_swaps(beam: Beam, state: int, now: Words, leaf: int) -> None:
    """Propose that a wire enters the hub: `leaf`, or any if it is −1."""
    hub, states = beam.states.hub[state], beam.states
    moment = _moment(beam, now)
    ends = last_units(beam.problem, now, states.executed[states.base[state]], hub)
    for entering in range(len(beam.problem.starts) - 1):
        if entering != hub and leaf in (-1, entering):
            excess = states.excess[state] + swap_cost(beam.problem, ends, entering, hub)
            _offer(beam, moment, entering, excess, state)


@njit(cache=True)
def _expand(beam: Beam, state: int) -> None:
    """Propose what can follow a state.

    The wire in the hub executes all that it can, or all but one unit and what depends on it:
    that unit can be left for the end, where it merges with a swap, or for another time.
    """
    problem, hub = beam.problem, beam.states.hub[state]
    start = beam.states.executed[state]
    now = start.copy()
    added = execute(problem, now, hub, -1, -1)
    moment = _moment(beam, now)
    if moment.size == len(problem.pairs):
        _offer(beam, moment, hub, beam.states.excess[state], state)
        return
    _offer_bridges(beam, state, now)
    _offer_swaps(beam, state, now, -1)
    for unit in added:
        now = start.copy()
        if len(execute(problem, now, hub, unit, -1)) > 0:
            _offer_swaps(beam, state, now, -1)
        leaf = leaf_of(problem, unit, hub)
        execute(problem, now, hub, -1, leaf)
        _offer_swaps(beam, state, now, leaf)


@njit(cache=True)
def search(problem: HubProblem, guide: Guide) -> tuple[int, Integers, Words]:
    """Return the cheapest way found to execute all units on a star.

    States are looked at by how many units they have executed, and each time only the `width`
    that score best.

    Args:
        problem: at least one unit.
        guide: what the score is made of.

    Returns:
        How many CX it takes beyond those of the units; the wires in the hub in time order,
        twice in a row after a bridge; and uint64[k + 1, words], the units that are executed
        before each, and in the end.
    """
    n, words = problem.before.shape
    wires = len(problem.starts) - 1
    candidates = no_candidates(n + 1, max(ROOM * guide.width, wires), words)
    states = no_states(n * guide.width + 1, words)
    beam = Beam(problem, guide, candidates, states)
    nothing = _moment(beam, np.zeros(words, dtype=np.uint64))
    for wire in range(wires):
        _offer(beam, nothing, wire, 0, -1)
    used = 0
    for row in range(n):
        first = used
        used = take(candidates, row, guide.width, states, first)
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
    return candidates.excess[n, last], states.hub[order], finished
