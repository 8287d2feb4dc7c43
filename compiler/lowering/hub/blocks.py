"""A hub schedule as unitaries on coupled pairs.

The cost of a wire that leaves the hub: swaps merge with the units just before them.

Beam search for the order in which wires enter the hub of a star, in compiled code. A state is a
set of executed units and the wire in the hub; its score, the lower the better, is

    excess − foresight·Σ chain(u) − welcome·(units that the hub's wire can execute now),

with `excess` the CX beyond those of the units, and the sum over executed units u of the length of
the longest chain of units that starts at u. Sets are bits, shape (words,): unit i is bit i % 64 of
word i // 64.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from attrs import frozen

from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.matrices import PAULIS, SWAP, Matrix, Numbers, Words
from compiler.compiled import cached_njit, njit_view
from compiler.lowering.hub.problem import (
    BASE,
    EXCESS,
    HUB,
    Candidate,
    Candidates,
    Growing,
    HubProblem,
    States,
    add,
    contains,
    copy_set,
    covers,
    execute,
    leaf_of,
    no_candidates,
    no_units,
    path_to_end,
    propose,
    take,
)
from compiler.lowering.interactions.interactions import (
    canonical,
)
from compiler.lowering.mirror.collapse import mirror, multiply

LONE_SWAP = 3


@njit_view
def last_units(problem: HubProblem, executed: Words, base: Words, hub: int, ends: Numbers) -> None:
    """Return the units of a stay that can be left for its end, for each leaf.

    Args:
        problem: the units.
        executed: uint64[words], all units up to the end of the stay.
        base: uint64[words], those before it.
        hub: the wire in the hub.
        ends: int64[n], to which is written for each unit the leaf at whose end it can be, or −1.
    """
    starts, by_wire, after = problem.starts, problem.by_wire, problem.after
    ends[:] = -1
    for i in range(starts[hub + 1] - 1, starts[hub] - 1, -1):
        unit = by_wire[i]
        if contains(executed, unit) and not contains(base, unit):
            leaf = leaf_of(problem, unit, hub)
            if _only_at(ends, leaf, executed, base, after[unit]):
                ends[unit] = leaf


@njit_view
def _only_at(ends: Numbers, leaf: int, executed: Words, base: Words, after: Words) -> bool:
    """Return whether all units of a stay that come after one can be at the end for a leaf."""
    for k in range(len(after)):
        remaining = executed[k] & ~base[k] & after[k]
        bit = 64 * k
        while remaining:
            if remaining & np.uint64(1) and ends[bit] != leaf:
                return False
            remaining >>= np.uint64(1)
            bit += 1
    return True


@njit_view
def swap_cost(problem: HubProblem, ends: Numbers, leaf: int, hub: int, products: Matrix) -> int:
    """Return how many CX a swap of hub and leaf adds to the units at its end.

    CX then swap is two CX, two commuting ones then swap is one.

    Args:
        problem: the units.
        ends: int64[n], for each unit the leaf at whose end it can be, or −1.
        leaf: the wire that enters.
        hub: the wire that leaves.
        products: complex128[2, 4, 4], room for products of units.
    """
    by_wire, plain = problem.by_wire, problem.plain
    count = apart = single = 0
    for i in range(problem.starts[hub], problem.starts[hub + 1]):
        unit = by_wire[i]
        if ends[unit] == leaf:
            count += 1
            apart += plain[unit]
            single = problem.swapped[unit]
    if count == 0:
        return LONE_SWAP
    if count == 1:
        return single - apart
    return _merged_cx(problem, ends, leaf, hub, products) - apart


@njit_view
def _merged_cx(problem: HubProblem, ends: Numbers, leaf: int, hub: int, products: Matrix) -> int:
    """Return how many CX the units at the end for a leaf and a swap need together."""
    by_wire, matrices, current = problem.by_wire, problem.matrices, 0
    for row in range(4):
        for column in range(4):
            products[0, row, column] = row == column
    for i in range(problem.starts[hub], problem.starts[hub + 1]):
        unit = by_wire[i]
        if ends[unit] == leaf:
            is_high = int(problem.pairs[unit, 1] == hub)
            multiply(matrices[unit, is_high], products[current], products[1 - current])
            current = 1 - current
    mirror(products[current], products[1 - current])
    return cx_cost(products[1 - current])


BRIDGE = 3
"""CX beyond its own that a CX between two leaves costs while the hub keeps its wire."""


class Guide(NamedTuple):
    """Parameters of the search's score.

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
    """Buffers for the moves from one state.

    Args:
        whole: the units when the wire in the hub has executed all that it can.
        part: the units when it has left some.
        tried: the units that another wire in the hub would execute of these.
        bridged: uint64[words], all that it can, and one more.
        ends: int64[n], as `last_units` writes them.
        products: complex128[2, 4, 4], as `swap_cost` needs them.
    """

    whole: Growing
    part: Growing
    tried: Growing
    bridged: Words
    ends: Numbers
    products: Matrix


class Beam(NamedTuple):
    """All that the search works on."""

    problem: HubProblem
    guide: Guide
    candidates: Candidates
    states: States
    room: Room


class Moment(NamedTuple):
    """A set of executed units, with its size, score and key."""

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
    if welcome == 0 and (origin < 0 or beam.states.origin[origin, HUB] != hub):
        return
    score = excess - moment.worth - beam.guide.welcome * welcome
    key = moment.key ^ beam.guide.keys[len(beam.problem.pairs) + hub]
    choice = Candidate(score, key, origin, hub, excess)
    propose(beam.candidates, moment.size, choice, moment.executed)


@njit_view
def _offer_all(beam: Beam) -> None:
    """Propose each wire for the start."""
    nothing = _moment(beam, beam.room.whole.units)
    for wire in range(len(beam.problem.starts) - 1):
        _offer(beam, nothing, wire, 0, -1)


@njit_view
def _offer_bridges(beam: Beam, state: int, now: Words) -> None:
    """Propose to keep the hub and to execute one unit between two leaves."""
    problem, hub, then = beam.problem, beam.states.origin[state, HUB], beam.room.bridged
    pairs, plain, before = problem.pairs, problem.plain, problem.before
    for unit in range(len(pairs)):
        if pairs[unit, 0] == hub or pairs[unit, 1] == hub:
            continue
        if plain[unit] != 1 or contains(now, unit):
            continue
        if covers(now, before[unit]):
            copy_set(now, then)
            add(then, unit)
            _offer(
                beam, _moment(beam, then), hub, beam.states.origin[state, EXCESS] + BRIDGE, state
            )


@njit_view
def _offer_swaps(beam: Beam, state: int, now: Words, leaf: int) -> None:
    """Propose that a wire enters the hub: `leaf`, or any if it is −1."""
    problem, states, ends = beam.problem, beam.states, beam.room.ends
    hub, products = states.origin[state, HUB], beam.room.products
    moment = _moment(beam, now)
    last_units(problem, now, states.executed[states.origin[state, BASE]], hub, ends)
    for entering in range(len(problem.starts) - 1):
        if entering != hub and leaf in (-1, entering):
            cost = swap_cost(problem, ends, entering, hub, products)
            _offer(beam, moment, entering, states.origin[state, EXCESS] + cost, state)


@njit_view
def _expand(beam: Beam, state: int) -> None:
    """Propose the successors of a state.

    The wire in the hub executes all possible units, or all but one and those that depend on it:
    that unit can be left for the end, where it merges with a swap, or for another time.
    """
    problem, hub, room = beam.problem, beam.states.origin[state, HUB], beam.room
    start, growing, part = beam.states.executed[state], room.whole, room.part
    copy_set(start, growing.units)
    count = execute(problem, growing, hub, -1, -1)
    moment = _moment(beam, growing.units)
    if moment.size == len(problem.pairs):
        _offer(beam, moment, hub, beam.states.origin[state, EXCESS], state)
        return
    _offer_bridges(beam, state, growing.units)
    _offer_swaps(beam, state, growing.units, -1)
    for k in range(count):
        unit = growing.added[k]
        copy_set(start, part.units)
        if execute(problem, part, hub, unit, -1) > 0:
            _offer_swaps(beam, state, part.units, -1)
        leaf = leaf_of(problem, unit, hub)
        execute(problem, part, hub, -1, leaf)
        _offer_swaps(beam, state, part.units, leaf)


@cached_njit()
def search(problem: HubProblem, guide: Guide) -> tuple[Numbers, Words]:
    """Return the cheapest way found to execute all units on a star.

    States are looked at by how many units they have executed, and each time only the `width`
    that score best.

    Args:
        problem: at least one unit.
        guide: parameters of the score.

    Returns:
        The wires in the hub in time order, twice in a row after a bridge; and uint64[k + 1,
        words], the units that are executed before each, and in the end.
    """
    n, word_count = problem.before.shape
    candidates = no_candidates(n + 1, guide.width, word_count)
    states = States(
        np.zeros((n * guide.width + 1, 5), dtype=np.int64),
        np.zeros((n * guide.width + 1, word_count), dtype=np.uint64),
    )
    room = Room(
        no_units(problem),
        no_units(problem),
        no_units(problem),
        np.zeros(word_count, dtype=np.uint64),
        np.zeros(n, dtype=np.int64),
        np.zeros((2, 4, 4), dtype=np.complex128),
    )
    beam = Beam(problem, guide, candidates, states, room)
    _offer_all(beam)
    used = 0
    for row in range(n):
        first = used
        used = take(candidates, row, states, first)
        for state in range(first, used):
            _expand(beam, state)
    order, finished = path_to_end(candidates, states)
    return states.origin[order, HUB], finished


KEYS_SEED = 20
FORESIGHT = 0.05
WELCOME = 0.8


@frozen
class Stay:
    """One wire's time in the hub.

    Args:
        hub: the wire.
        units: that are executed meanwhile, in a possible order.
    """

    hub: int
    units: tuple[int, ...]


def schedule(problem: HubProblem, width: int) -> list[Stay]:
    """Return the cheapest schedule that is found, each time another wire in the hub.

    Args:
        problem: units and their order.
        width: states that the search keeps among those with as many units executed.
    """
    units = len(problem.pairs)
    if not units:
        return []
    keys = np.random.default_rng(KEYS_SEED).integers(
        1, 1 << 63, units + len(problem.starts) - 1, dtype=np.uint64
    )
    hubs, finished = search(problem, Guide(width, FORESIGHT, WELCOME, keys))
    stays: list[Stay] = []
    for k, hub in enumerate(hubs.tolist()):
        bits = np.unpackbits((finished[k + 1] & ~finished[k]).view(np.uint8), bitorder="little")
        done = tuple(np.flatnonzero(bits).tolist())
        if stays and stays[-1].hub == hub:
            stays[-1] = Stay(hub, (*stays[-1].units, *done))
        else:
            stays.append(Stay(hub, done))
    return stays


Blocks: TypeAlias = tuple[list[tuple[int, Matrix]], list[int], list[int]]
"""Leaf and unitary of each block, complex128[4, 4], in time order, the low bit being the hub; no
two neighbours are on the same leaf. Then where each wire starts, and where it ends: a leaf, or −1
for the hub."""


def blocks_of(problem: HubProblem, stays: Sequence[Stay]) -> Blocks:
    """Return the blocks of a schedule; leaf k is where wire k starts, if not in the hub."""
    places = list(range(len(problem.starts) - 1))
    places[stays[0].hub if stays else 0] = -1
    first = list(places)
    joined: list[tuple[int, Matrix]] = []
    for wire, matrix, swaps in _steps(problem, stays):
        leaf = places[wire]
        if joined and joined[-1][0] == leaf:
            joined[-1] = leaf, matrix @ joined[-1][1]
        else:
            joined.append((leaf, matrix))
        if swaps:
            places[places.index(-1)] = leaf
            places[wire] = -1
    return joined, first, places


def _steps(problem: HubProblem, stays: Sequence[Stay]) -> Iterator[tuple[int, Matrix, bool]]:
    """Yield the action on the hub and a wire on a leaf, and whether they then change places."""
    executed = np.zeros_like(problem.before[:1]).reshape(-1)
    for k, stay in enumerate(stays):
        base = executed.copy()
        for unit in stay.units:
            add(executed, unit)
        entering = stays[k + 1].hub if k + 1 < len(stays) else -1
        ends = np.empty(len(problem.pairs), dtype=np.int64)
        last_units(problem, executed, base, stay.hub, ends)
        at_end = [unit for unit in stay.units if entering >= 0 and ends[unit] == entering]
        previous = stays[k - 1].hub if k else -1
        remaining = [unit for unit in stay.units if unit not in at_end]
        for unit in [*_by_leaf(problem, stay.hub, remaining, previous), *at_end]:
            yield from _unit_steps(problem, unit, stay.hub)
        if entering >= 0:
            yield entering, SWAP, True


def _by_leaf(problem: HubProblem, hub: int, units: Sequence[int], leaf: int) -> Iterator[int]:
    """Yield units in a possible order that stays with one leaf, at first `leaf`, if it can."""
    left = list(units)
    while left:
        pairs, before = problem.pairs, problem.before
        ready = [unit for unit in left if not any(contains(before[unit], i) for i in left)]
        unit = next((unit for unit in ready if set(pairs[unit].tolist()) == {hub, leaf}), ready[0])
        leaf = int(pairs[unit].sum()) - hub
        left.remove(unit)
        yield unit


def _unit_steps(problem: HubProblem, unit: int, hub: int) -> Iterator[tuple[int, Matrix, bool]]:
    low, high = problem.pairs[unit].tolist()
    matrix, turned = problem.matrices[unit]
    if hub == low:
        yield high, matrix, False
    elif hub == high:
        yield low, turned, False
    else:
        yield from ((wire, part, False) for wire, part in bridged(matrix, low, high))


def bridged(matrix: Matrix, low: int, high: int) -> list[tuple[int, Matrix]]:
    """Return four blocks that equal a CX between two leaves.

    With P and Q the projectors on one state of either leaf, V = 1 − P + P·X and
    W = 1 − Q + Q·Z on the hub, V·W·V·W is 1 − 2·P·Q for any state of the hub.

    Args:
        matrix: complex128[4, 4], equivalent to CX; its low bit is the wire `low`.
        low: the wire on one leaf.
        high: the wire on the other leaf.

    Returns:
        The leaf's wire and complex128[4, 4], with the hub as the low bit, in time order.
    """
    [(k, theta)], before, after = canonical(matrix)
    identity = np.eye(2)
    down = (identity - PAULIS[k]) / 2
    up = (identity - np.sign(theta) * PAULIS[k]) / 2
    through_x, through_z = (
        np.kron(identity - gate, identity) + np.kron(gate, pauli)
        for gate, pauli in ((down, PAULIS[0]), (up, PAULIS[2]))
    )
    turns = [_quarter(PAULIS[k]), _quarter(np.sign(theta) * PAULIS[k])]
    phase = np.exp(-1j * np.pi / 4)
    return [
        (low, through_x @ np.kron(before[0], identity)),
        (high, through_z @ np.kron(before[1], identity)),
        (low, np.kron(phase * after[0] @ turns[0], identity) @ through_x),
        (high, np.kron(after[1] @ turns[1], identity) @ through_z),
    ]


def _quarter(pauli: Matrix) -> Matrix:
    return (np.eye(2) + 1j * pauli) / np.sqrt(2)
