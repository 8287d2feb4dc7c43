"""Which wire is in the hub of a star at what time, and the two-qubit blocks that this means."""

from collections.abc import Iterator

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from compiler.lowering.hub_search import execute, search
from compiler.lowering.hub_units import Units
from compiler.lowering.interaction_order import Relation

KEYS_SEED = 20
"""Seed of the keys by which the search tells states apart."""


@frozen
class Stay:
    """One wire's time in the hub.

    Args:
        hub: the wire.
        units: what is executed meanwhile, in an order that is possible.
    """

    hub: int
    units: tuple[int, ...]


@frozen(eq=False)
class StarProblem:
    """Units, as the search wants them.

    Args:
        units: what is to be executed.
        wires: how many wires there are.
        starts: int64[wires + 1], where each wire's units start in `by_wire`.
        by_wire: int64[2n], the units of each wire in time order.
        before: uint64[n, words], a bit for each unit that comes before.
        after: uint64[n, words], a bit for each unit that comes after.
    """

    units: Units
    wires: int
    starts: NDArray[np.int64]
    by_wire: NDArray[np.int64]
    before: NDArray[np.uint64]
    after: NDArray[np.uint64]

    @classmethod
    def of(cls, units: Units, wires: int) -> "StarProblem":
        """Return the problem of scheduling units on some wires."""
        own = [np.flatnonzero((units.pairs == wire).any(axis=1)) for wire in range(wires)]
        starts = np.cumsum([0, *map(len, own)])
        before, after = _bits(units.predecessors), _bits(units.predecessors.T)
        return cls(units, wires, starts, np.concatenate(own), before, after)


def _bits(relation: Relation) -> NDArray[np.uint64]:
    padded = np.zeros((len(relation), -(-max(len(relation), 1) // 64) * 64), dtype=np.bool_)
    padded[:, : len(relation)] = relation
    packed = np.packbits(padded, axis=1, bitorder="little")
    return packed.view("<u8").astype(np.uint64)


def schedule(problem: StarProblem, width: int, foresight: float) -> list[Stay]:
    """Return the stays in the hub that the search finds cheapest.

    Args:
        problem: what is to be executed.
        width: states that the search keeps among those with as many units executed.
        foresight: CX that a state may cost more for each unit in the longest chain of units
            that have to follow each other.
    """
    units = problem.units
    keys = np.random.default_rng(KEYS_SEED).integers(
        1, 1 << 63, len(units.pairs) + problem.wires, dtype=np.uint64
    )
    if not len(units.pairs):
        return []
    _, moves = search(
        units.pairs,
        problem.starts,
        problem.by_wire,
        problem.before,
        problem.after,
        units.matrices,
        units.plain,
        units.swapped,
        foresight * _chains(units.predecessors),
        keys,
        width,
    )
    return list(_stays(problem, moves))


def _chains(predecessors: Relation) -> NDArray[np.float64]:
    lengths = np.ones(len(predecessors))
    for i in range(len(predecessors) - 1, -1, -1):
        earlier = predecessors[i]
        lengths[earlier] = np.maximum(lengths[earlier], lengths[i] + 1)
    return lengths


def _stays(problem: StarProblem, moves: NDArray[np.int64]) -> Iterator[Stay]:
    executed = np.zeros(problem.before.shape[1], dtype=np.uint64)
    hub, done = -1, []
    for entering, bridge in moves:
        if entering != hub and hub >= 0:
            yield Stay(hub, tuple(done))
            done = []
        hub = int(entering)
        if bridge >= 0:
            executed[bridge >> 6] |= np.uint64(1) << np.uint64(bridge & 63)
            done.append(int(bridge))
        added = execute(executed, hub, problem.starts, problem.by_wire, problem.before)
        done += added.tolist()
    if hub >= 0:
        yield Stay(hub, tuple(done))
