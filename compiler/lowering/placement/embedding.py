"""Beam search for the cheapest embedding of a circuit's graph in a device's."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compiler.compiled import cached_njit, njit_view
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


@cached_njit()
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


class _Beam(NamedTuple):
    """Partial embeddings, and room for what can follow them.

    Args:
        places: shape (width, n), the qubits of the vertices that are placed.
        costs: shape (width,).
        moves: shape (width · qubits, 2), a row and the qubit that the next vertex is placed on.
        scores: shape (width · qubits,), what each of these comes to.
        taken: shape (qubits,), which qubits are taken in one row.
    """

    places: Integers
    costs: Reals
    moves: Integers
    scores: Reals
    taken: NDArray[np.bool_]


@cached_njit()
def _embed_at(pattern: Pattern, width: int, root: int, limit: float) -> tuple[Integers, float]:
    size, qubits = pattern.vertices.shape
    beam = _Beam(
        np.full((width, size), -1, np.int32),
        np.zeros(width),
        np.empty((width * qubits, 2), np.int32),
        np.empty(width * qubits),
        np.empty(qubits, np.bool_),
    )
    before = np.empty((width, size), np.int32)
    beam.places[0, 0], beam.costs[0] = root, pattern.vertices[0, root]
    count = 1
    for vertex in range(1, size):
        found = _propose(pattern, vertex, beam, count, limit)
        order = np.argsort(beam.scores[:found])[:width]
        before[:count] = beam.places[:count]
        count = len(order)
        _take(beam, vertex, before, order)
    if count == 0:
        return beam.places[0], np.inf
    return beam.places[0].copy(), beam.costs[0]


@njit_view
def _propose(pattern: Pattern, vertex: int, beam: _Beam, count: int, limit: float) -> int:
    """Write down how a vertex may be placed, as far as its first edge tells; return how often."""
    neighbours, start = pattern.neighbours, pattern.offsets[vertex]
    places, costs, moves, scores = beam.places, beam.costs, beam.moves, beam.scores
    is_free = start == pattern.offsets[vertex + 1]
    choices = pattern.vertices.shape[1] if is_free else neighbours.shape[1]
    found = 0
    for row in range(count):
        if costs[row] >= limit:
            continue
        beam.taken[:] = False
        for earlier in range(vertex):
            beam.taken[places[row, earlier]] = True
        for k in range(choices):
            qubit = k if is_free else neighbours[places[row, pattern.others[start]], k]
            if qubit < 0 or beam.taken[qubit]:
                continue
            added = _added(pattern, vertex, places[row], qubit, beam.taken)
            if added < np.inf:
                moves[found, 0], moves[found, 1] = row, qubit
                scores[found] = costs[row] + added
                found += 1
    return found


@njit_view
def _added(
    pattern: Pattern, vertex: int, places: Integers, qubit: int, taken: NDArray[np.bool_]
) -> float:
    """Return what a vertex costs on a qubit with its edges, infinite if it cannot be there."""
    neighbours, others, edges = pattern.neighbours, pattern.others, pattern.edges
    free = 0
    for k in range(neighbours.shape[1]):
        near = neighbours[qubit, k]
        free += near >= 0 and not taken[near]
    if free < pattern.later[vertex]:
        return np.inf
    total = pattern.vertices[vertex, qubit]
    for index in range(pattern.offsets[vertex], pattern.offsets[vertex + 1]):
        total += edges[index, qubit, places[others[index]]]
    return float(total)


@njit_view
def _take(beam: _Beam, vertex: int, before: Integers, order: NDArray[np.int64]) -> None:
    """Make the best moves the next partial embeddings."""
    places, costs, moves, scores = beam.places, beam.costs, beam.moves, beam.scores
    for row in range(len(order)):
        parent, qubit = moves[order[row]]
        for earlier in range(vertex):
            places[row, earlier] = before[parent, earlier]
        places[row, vertex], costs[row] = qubit, scores[order[row]]
