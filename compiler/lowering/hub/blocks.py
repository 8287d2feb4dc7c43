"""A hub schedule as unitaries on coupled pairs."""

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import frozen

from compiler.circuits.matrices import SWAP, Matrix
from compiler.lowering.hub.problem import HubProblem, add, contains
from compiler.lowering.hub.search import Guide, search
from compiler.lowering.hub.swaps import last_units
from compiler.lowering.interactions.interactions import PAULIS, canonical

KEYS_SEED = 20
FORESIGHT = 0.05
WELCOME = 0.8


@frozen
class Stay:
    """One wire's time in the hub.

    Args:
        hub: the wire.
        units: what is executed meanwhile, in an order that is possible.
    """

    hub: int
    units: tuple[int, ...]


@frozen
class Schedule:
    """The stays in the hub of a star, from the first to the last.

    Args:
        stays: in time order, each time another wire.
        excess: CX beyond those of the units, at most.
    """

    stays: tuple[Stay, ...]
    excess: int


def schedule(problem: HubProblem, width: int) -> Schedule:
    """Return the cheapest schedule that is found.

    Args:
        problem: what is to be executed.
        width: states that the search keeps among those with as many units executed.
    """
    units = len(problem.pairs)
    if not units:
        return Schedule((), 0)
    keys = np.random.default_rng(KEYS_SEED).integers(
        1, 1 << 63, units + len(problem.starts) - 1, dtype=np.uint64
    )
    excess, hubs, finished = search(problem, Guide(width, FORESIGHT, WELCOME, keys))
    stays: list[Stay] = []
    for k, hub in enumerate(hubs.tolist()):
        bits = np.unpackbits((finished[k + 1] & ~finished[k]).view(np.uint8), bitorder="little")
        done = tuple(np.flatnonzero(bits).tolist())
        if stays and stays[-1].hub == hub:
            stays[-1] = Stay(hub, (*stays[-1].units, *done))
        else:
            stays.append(Stay(hub, done))
    return Schedule(tuple(stays), int(excess))


@frozen(eq=False)
class Blocks:
    """Unitaries on the hub and one leaf each.

    Args:
        unitaries: leaf and complex128[4, 4] in time order, the low bit being the hub; no two
            neighbours are on the same leaf.
        first: where each wire starts: a leaf, or −1 for the hub.
        last: where each wire ends.
    """

    unitaries: list[tuple[int, Matrix]]
    first: tuple[int, ...]
    last: tuple[int, ...]


def blocks_of(problem: HubProblem, stays: Sequence[Stay]) -> Blocks:
    """Return the blocks of a schedule; leaf k is where wire k starts, if not in the hub."""
    places = list(range(len(problem.starts) - 1))
    places[stays[0].hub if stays else 0] = -1
    first = tuple(places)
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
    return Blocks(joined, first, tuple(places))


def _steps(problem: HubProblem, stays: Sequence[Stay]) -> Iterator[tuple[int, Matrix, bool]]:
    """Yield what happens to the hub and a wire on a leaf, and whether they then change places."""
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
        rest = [unit for unit in stay.units if unit not in at_end]
        for unit in [*_by_leaf(problem, stay.hub, rest, previous), *at_end]:
            yield from _unit_steps(problem, unit, stay.hub)
        if entering >= 0:
            yield entering, SWAP, True


def _by_leaf(problem: HubProblem, hub: int, units: Sequence[int], leaf: int) -> Iterator[int]:
    """Yield units in a possible order that stays with one leaf, at first `leaf`, if it can."""
    left = list(units)
    while left:
        ready = [unit for unit in left if not _waits(problem, unit, left)]
        pairs = problem.pairs
        unit = next((unit for unit in ready if set(pairs[unit].tolist()) == {hub, leaf}), ready[0])
        leaf = int(pairs[unit].sum()) - hub
        left.remove(unit)
        yield unit


def _waits(problem: HubProblem, unit: int, others: Sequence[int]) -> bool:
    return any(contains(problem.before[unit], other) for other in others)


def _unit_steps(problem: HubProblem, unit: int, hub: int) -> Iterator[tuple[int, Matrix, bool]]:
    low, high = problem.pairs[unit].tolist()
    matrix = problem.matrices[unit]
    if hub == low:
        yield high, matrix, False
    elif hub == high:
        yield low, SWAP @ matrix @ SWAP, False
    else:
        yield from ((wire, part, False) for wire, part in bridged(matrix, low, high))


def bridged(matrix: Matrix, low: int, high: int) -> list[tuple[int, Matrix]]:
    """Return four blocks that do to two leaves what a CX between them would.

    With P and Q the projectors on one state of either leaf, V = 1 − P + P·X and
    W = 1 − Q + Q·Z on the hub, V·W·V·W is 1 − 2·P·Q whatever the hub is in.

    Args:
        matrix: complex128[4, 4], equivalent to CX; its low bit is the wire `low`.
        low: the wire on one leaf.
        high: the wire on the other leaf.

    Returns:
        The leaf's wire and complex128[4, 4], with the hub as the low bit, in time order.
    """
    [(k, theta)], before, after = canonical(matrix)
    one = np.eye(2)
    down = (one - PAULIS[k]) / 2
    up = (one - np.sign(theta) * PAULIS[k]) / 2
    through_x, through_z = (
        np.kron(one - gate, one) + np.kron(gate, pauli)
        for gate, pauli in ((down, PAULIS[0]), (up, PAULIS[2]))
    )
    turns = [_quarter(PAULIS[k]), _quarter(np.sign(theta) * PAULIS[k])]
    phase = np.exp(-1j * np.pi / 4)
    return [
        (low, through_x @ np.kron(before[0], one)),
        (high, through_z @ np.kron(before[1], one)),
        (low, np.kron(phase * after[0] @ turns[0], one) @ through_x),
        (high, np.kron(after[1] @ turns[1], one) @ through_z),
    ]


def _quarter(pauli: Matrix) -> Matrix:
    turned: Matrix = (np.eye(2) + 1j * pauli) / np.sqrt(2)
    return turned
