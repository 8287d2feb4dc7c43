"""Routing along a line of qubits: chains without swaps, and networks in which all wires meet."""

import numpy as np

from compiler.compiled import cached_njit
from compiler.lowering.arrays import Integers
from compiler.lowering.mirror.problem import Problem
from compiler.lowering.mirror.realise import SWAP
from compiler.lowering.mirror.unitaries import Unitaries

DENSE = 0.5
"""Share of all pairs of wires that have a gate where it is worth while that all meet."""
MOST_SWEEPS = 32
"""Times that all wires may pass each other."""


def chain_order(gates: Unitaries) -> Integers:
    """Return the wires in an order in which those that have gates are close to each other."""
    # To import them takes longer than most circuits do.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    wires = len(gates.ends)
    rows, columns = gates.wires.T
    graph = coo_array((np.ones(len(rows)), (rows, columns)), (wires, wires)).tocsr()
    order: Integers = reverse_cuthill_mckee(graph + graph.T, symmetric_mode=True).astype(np.int32)
    return order


def is_dense(gates: Unitaries) -> bool:
    """Tell whether so many pairs of wires have gates that all of them may as well meet."""
    wires = len(gates.ends)
    pairs = {(min(pair), max(pair)) for pair in gates.wires.tolist()}
    return len(pairs) >= DENSE * wires * (wires - 1) / 2


def swap_network(given: Problem, line: Integers) -> Integers | None:
    """Do all gates while the wires of a line pass each other, again and again.

    Neighbours do the gates that they can and then change places, which makes one CX more of a
    controlled phase: a Fourier transform on n qubits takes 3n(n - 1)/2 CX. References: Fowler,
    Devitt, Hollenberg, quant-ph/0402196; Kivlichan et al., arXiv:1711.04789.

    Args:
        given: the problem.
        line: coupled qubits, the i-th of which holds wire i at first.

    Returns:
        Steps as `realise` takes them; None if the wires would have to pass each other too often.
    """
    steps, complete = _network(given.wires, given.missing, given.offsets, given.dependants, line)
    return steps if complete else None


@cached_njit()
def _network(
    pairs: Integers, missing: Integers, offsets: Integers, dependants: Integers, line: Integers
) -> tuple[Integers, bool]:
    gates, wires = len(pairs), len(line)
    waits = missing.copy()
    first = np.full((wires, wires), -1, np.int32)
    later = np.full(gates, -1, np.int32)
    for gate in range(gates - 1, -1, -1):
        a, b = pairs[gate]
        later[gate], first[a, b] = first[a, b], gate
    met = np.zeros((wires, wires), np.int32)
    order, rank = np.arange(wires), np.arange(wires)
    steps = np.empty((gates + MOST_SWEEPS * wires * (wires - 1) // 2, 3), np.int32)
    used, left = 0, gates
    for sweep in range(1, MOST_SWEEPS + 1):
        moved, stuck = True, False
        while left and (moved or not stuck):
            moved, stuck = False, not moved
            for place in range(wires - 1):
                a, b = order[place], order[place + 1]
                if rank[a] > rank[b]:
                    continue
                low, high = min(a, b), max(a, b)
                gate = first[low, high]
                while gate >= 0 and waits[gate] == 0:
                    for k in range(offsets[gate], offsets[gate + 1]):
                        waits[dependants[k]] -= 1
                    steps[used, 0] = gate
                    steps[used, 1:] = line[place : place + 2]
                    gate = first[low, high] = later[gate]
                    met[low, high] = sweep
                    used, left, moved = used + 1, left - 1, True
                # They pass each other but once in a sweep, after a gate if they have one. Where
                # all wait for each other, one pair meets again in the next sweep.
                if gate < 0 or met[low, high] == sweep or (stuck and not moved):
                    steps[used, 0] = SWAP
                    steps[used, 1:] = line[place : place + 2]
                    order[place], order[place + 1] = b, a
                    used, moved = used + 1, True
        if not left:
            return steps[:used], True
        for place in range(wires):
            rank[order[place]] = place
    return steps[:used], False
