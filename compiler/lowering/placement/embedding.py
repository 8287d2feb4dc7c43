"""Beam search for the cheapest embedding of a circuit's graph in a device's."""

from typing import NamedTuple

import numpy as np
from numba import njit

from compiler.lowering.arrays import Integers, Reals


class Pattern(NamedTuple):
    """A graph to embed, its vertices in the order in which they are placed.

    Args:
        vertices: shape (n, qubits), what each vertex costs on each qubit.
        offsets: shape (n + 1,), where each vertex's edges begin in `others` and `edges`.
        others: the earlier vertices that each vertex has edges with.
        edges: shape (edges, qubits, qubits), what each costs with its later end on the first
            qubit and its earlier end on the second; infinite where these are not coupled.
        later: shape (n,), how many later vertices each has edges with.
        neighbours: shape (qubits, most neighbours), filled up with -1.
    """

    vertices: Reals
    offsets: Integers
    others: Integers
    edges: Reals
    later: Integers
    neighbours: Integers


@njit(cache=True)
def embed(pattern: Pattern, width: int) -> tuple[Integers, float]:
    """Return the cheapest embedding found, shape (n,), and its cost, infinite if there is none.

    Every qubit is tried for the first vertex, with a beam of its own.

    Args:
        pattern: what to embed.
        width: partial embeddings that are kept at each step.
    """
    best = np.full(len(pattern.vertices), -1, np.int32)
    cost = np.inf
    for root in range(pattern.vertices.shape[1]):
        found, total = _embed_at(pattern, width, root, cost)
        if total < cost:
            best, cost = found, total
    return best, cost


@njit(cache=True)
def _embed_at(pattern: Pattern, width: int, root: int, limit: float) -> tuple[Integers, float]:
    size, qubits = pattern.vertices.shape
    places, costs = np.full((width, size), -1, np.int32), np.zeros(width)
    places[0, 0], costs[0] = root, pattern.vertices[0, root]
    count = 1
    moves, scores = np.empty((width * qubits, 2), np.int32), np.empty(width * qubits)
    for vertex in range(1, size):
        found = 0
        for row in range(count):
            if costs[row] >= limit:
                continue
            for qubit in _candidates(pattern, vertex, places[row]):
                added = _added(pattern, vertex, places[row], qubit)
                if added < np.inf:
                    moves[found, 0], moves[found, 1] = row, qubit
                    scores[found] = costs[row] + added
                    found += 1
        order = np.argsort(scores[:found])[:width]
        before = places.copy()
        count = len(order)
        for row in range(count):
            places[row] = before[moves[order[row], 0]]
            places[row, vertex] = moves[order[row], 1]
        costs[:count] = scores[order]
    if count == 0:
        return places[0], np.inf
    return places[0].copy(), costs[0]


@njit(cache=True)
def _candidates(pattern: Pattern, vertex: int, places: Integers) -> Integers:
    """Return the qubits that a vertex may be placed on, as far as its first edge tells."""
    start = pattern.offsets[vertex]
    if start == pattern.offsets[vertex + 1]:
        return np.arange(pattern.vertices.shape[1], dtype=np.int32)
    around = pattern.neighbours[places[pattern.others[start]]]
    return around[around >= 0]


@njit(cache=True)
def _added(pattern: Pattern, vertex: int, places: Integers, qubit: int) -> float:
    """Return what a vertex costs on a qubit with its edges, infinite if it cannot be there."""
    free = 0
    for other in pattern.neighbours[qubit]:
        free += other >= 0
    for other in places[:vertex]:
        if other == qubit:
            return np.inf
        for near in pattern.neighbours[qubit]:
            free -= near == other
    if free < pattern.later[vertex]:
        return np.inf
    total = pattern.vertices[vertex, qubit]
    for index in range(pattern.offsets[vertex], pattern.offsets[vertex + 1]):
        total += pattern.edges[index, qubit, places[pattern.others[index]]]
    return float(total)
