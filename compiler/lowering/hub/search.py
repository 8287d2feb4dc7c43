"""Beam search for the order in which wires enter the hub of a star, in compiled code."""

from typing import NamedTuple

import numpy as np

from compiler.compiled import cached_njit, njit_view
from compiler.lowering.arrays import Complex
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
    Integers,
    Words,
    add,
    contains,
    copy_set,
    covers,
    execute,
    leaf_of,
    no_units,
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


class Room(NamedTuple):
    """Room for what is found out about one state.

    Args:
        whole: the units when the wire in the hub has executed all that it can.
        part: the units when it has left some.
        tried: what another wire in the hub would make of these.
        bridged: uint64[words], all that it can, and one more.
        ends: int64[n], as `last_units` writes them.
        products: complex128[2, 4, 4], as `swap_cost` needs them.
    """

    whole: Growing
    part: Growing
    tried: Growing
    bridged: Words
    ends: Integers
    products: Complex


class Beam(NamedTuple):
    """All that the search works on."""

    problem: HubProblem
    guide: Guide
    candidates: Candidates
    states: States
    room: Room


class Moment(NamedTuple):
    """A set of executed units, how many there are, what they are worth, and their key."""

    executed: Words
    size: int
    worth: float
    key: np.uint64


@njit_view
def _moment(beam: Beam, executed: Words) -> Moment:
    chains, keys, foresight = beam.problem.chains, beam.guide.keys, beam.guide.foresight
    count, worth, key = 0, 0.0, np.uint64(0)
    for unit in range(len(chains)):
        if contains(executed, unit):
            count += 1
            worth += foresight * chains[unit]
            key ^= keys[unit]
    return Moment(executed, count, worth, key)


@njit_view
def _offer(beam: Beam, moment: Moment, hub: int, excess: int, origin: int) -> None:
    """Propose that a wire is in the hub, unless it enters and can execute nothing."""
    tried = beam.room.tried
    copy_set(moment.executed, tried.units)
    welcome = execute(beam.problem, tried, hub, -1, -1)
    if welcome == 0 and (origin < 0 or beam.states.hub[origin] != hub):
        return
    score = excess - moment.worth - beam.guide.welcome * welcome
    key = moment.key ^ beam.guide.keys[len(beam.problem.pairs) + hub]
    choice = Candidate(score, key, origin, hub, excess)
    propose(beam.candidates, moment.size, beam.guide.width, choice, moment.executed)


@njit_view
def _offer_all(beam: Beam) -> None:
    """Propose each wire for the start."""
    nothing = _moment(beam, beam.room.whole.units)
    for wire in range(len(beam.problem.starts) - 1):
        _offer(beam, nothing, wire, 0, -1)


@njit_view
def _offer_bridges(beam: Beam, state: int, now: Words) -> None:
    """Propose to keep the hub and to execute one unit between two leaves."""
    problem, hub, then = beam.problem, beam.states.hub[state], beam.room.bridged
    pairs, plain, before = problem.pairs, problem.plain, problem.before
    for unit in range(len(pairs)):
        if pairs[unit, 0] == hub or pairs[unit, 1] == hub:
            continue
        if plain[unit] != 1 or contains(now, unit):
            continue
        if covers(now, before[unit]):
            copy_set(now, then)
            add(then, unit)
            _offer(beam, _moment(beam, then), hub, beam.states.excess[state] + BRIDGE, state)


@njit_view
def _offer_swaps(beam: Beam, state: int, now: Words, leaf: int) -> None:
    """Propose that a wire enters the hub: `leaf`, or any if it is −1."""
    problem, states, ends = beam.problem, beam.states, beam.room.ends
    hub, products = states.hub[state], beam.room.products
    moment = _moment(beam, now)
    last_units(problem, now, states.executed[states.base[state]], hub, ends)
    for entering in range(len(problem.starts) - 1):
        if entering != hub and leaf in (-1, entering):
            cost = swap_cost(problem, ends, entering, hub, products)
            _offer(beam, moment, entering, states.excess[state] + cost, state)


@njit_view
def _expand(beam: Beam, state: int) -> None:
    """Propose what can follow a state.

    The wire in the hub executes all that it can, or all but one unit and what depends on it:
    that unit can be left for the end, where it merges with a swap, or for another time.
    """
    problem, hub, room = beam.problem, beam.states.hub[state], beam.room
    start, whole, part = beam.states.executed[state], room.whole, room.part
    copy_set(start, whole.units)
    count = execute(problem, whole, hub, -1, -1)
    moment = _moment(beam, whole.units)
    if moment.size == len(problem.pairs):
        _offer(beam, moment, hub, beam.states.excess[state], state)
        return
    _offer_bridges(beam, state, whole.units)
    _offer_swaps(beam, state, whole.units, -1)
    for k in range(count):
        unit = whole.added[k]
        copy_set(start, part.units)
        if execute(problem, part, hub, unit, -1) > 0:
            _offer_swaps(beam, state, part.units, -1)
        leaf = leaf_of(problem, unit, hub)
        execute(problem, part, hub, -1, leaf)
        _offer_swaps(beam, state, part.units, leaf)


@cached_njit()
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
    room = Room(
        no_units(problem),
        no_units(problem),
        no_units(problem),
        np.zeros(words, dtype=np.uint64),
        np.zeros(n, dtype=np.int64),
        np.zeros((2, 4, 4), dtype=np.complex128),
    )
    beam = Beam(problem, guide, candidates, states, room)
    _offer_all(beam)
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
