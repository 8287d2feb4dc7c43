"""Re-placement of a routed circuit on the device's best qubits and couplers.

Beam search for the cheapest embedding of a circuit's graph in a device's.

What a circuit loses to errors on each of a device's qubits and couplers. How long qubits wait is
taken from where they lie so far, as gates take about as long elsewhere.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import inf, log
from typing import NamedTuple

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.transpiler import Target
from scipy.optimize import linear_sum_assignment

from compiler.circuits.matrices import Integers, Reals
from compiler.compiled import cached_njit, njit_view
from compiler.dynamic.pieces import of_items
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.figures import calibrated, idle_fidelity, idle_seconds
from compiler.lowering.passes import ALL, Pass


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


@frozen(eq=False)
class Losses:
    """What a circuit loses on each qubit and coupler, as -log(1 - error), infinite if not native.

    Args:
        vertices: qubits of the circuit that anything happens to, or that a logical qubit is on.
        single: for each vertex, an array of shape (qubits,).
        double: for each pair of vertices with two-qubit gates, the lower one first, an array of
            shape (qubits, qubits).
    """

    vertices: tuple[int, ...]
    single: dict[int, Reals]
    double: dict[tuple[int, int], Reals]

    @classmethod
    def of(cls, draft: Draft, target: Target) -> "Losses":
        """Add up the losses of all gates, of waiting, and of reading what is or may be measured."""
        gates = _gates(draft)
        tables = {name: _table(target, name) for name, _ in gates}
        single: dict[int, Reals] = defaultdict(lambda: np.zeros(target.num_qubits))
        double: dict[tuple[int, int], Reals] = defaultdict(
            lambda: np.zeros((target.num_qubits, target.num_qubits))
        )
        for (name, places), count in gates.items():
            match places:
                case (qubit,):
                    single[qubit] += count * tables[name]
                case (a, b):
                    loss = tables[name] if a < b else tables[name].T
                    double[min(a, b), max(a, b)] += count * loss
        idle = idle_seconds(draft.circuit, target)
        for place in np.flatnonzero(idle):
            single[int(place)] -= np.log(idle_fidelity(float(idle[place]), target))
        ends = {*single, *(q for pair in double for q in pair)}
        vertices = sorted(ends.union(draft.initial_layout, draft.final_layout))
        return cls(tuple(vertices), {q: single[q] for q in vertices}, dict(double))

    def total(self, places: dict[int, int]) -> float:
        """Return what is lost if each vertex is on the given qubit."""
        alone = sum(float(loss[places[q]]) for q, loss in self.single.items())
        pairs = sum(float(loss[places[a], places[b]]) for (a, b), loss in self.double.items())
        return alone + pairs

    def in_place(self) -> float:
        """Return what is lost where the vertices are."""
        return self.total({q: q for q in self.vertices})

    def order(self, root: int) -> list[int]:
        """Return the vertices, each but the first of a component after one of its neighbours.

        Args:
            root: where to begin.
        """
        near: dict[int, set[int]] = defaultdict(set)
        for a, b in self.double:
            near[a].add(b)
            near[b].add(a)
        found: list[int] = []
        for start in [root, *sorted(self.vertices, key=lambda q: -len(near[q]))]:
            if start in found:
                continue
            found.append(start)
            while fringe := {q for seen in found for q in near[seen]} - set(found):
                found.append(
                    max(fringe, key=lambda q: (len(near[q] & set(found)), len(near[q]), -q))
                )
        return found

    def pattern(self, order: list[int], neighbours: Integers) -> Pattern:
        """Return the graph to embed, its vertices in some order."""
        rank = {q: i for i, q in enumerate(order)}
        offsets, others, edges, later = [0], [], [], [0] * len(order)
        for index, vertex in enumerate(order):
            for (a, b), loss in self.double.items():
                other = b if a == vertex else a
                if vertex in (a, b) and rank[other] < index:
                    others.append(rank[other])
                    edges.append(loss if vertex == a else loss.T)
                    later[rank[other]] += 1
            offsets.append(len(others))
        qubits = len(neighbours)
        return Pattern(
            np.array([self.single[q] for q in order]),
            np.array(offsets, np.int32),
            np.array(others, np.int32),
            np.array(edges).reshape(-1, qubits, qubits),
            np.array(later, np.int32),
            neighbours,
        )


def _gates(draft: Draft) -> Counter[tuple[str, tuple[int, ...]]]:
    """Count what happens where, final measurements included.

    All logical qubits are measured, if it is not known which ones are.
    """
    index = {qubit: i for i, qubit in enumerate(draft.circuit.qubits)}
    counted = Counter(
        (item.operation.name, tuple(index[qubit] for qubit in item.qubits))
        for item in draft.circuit.data
        if item.operation.name != "barrier"
    )
    logical = range(len(draft.final_layout)) if draft.measured is None else draft.measured
    counted.update(("measure", (draft.final_layout[q],)) for q in logical)
    return counted


def _table(target: Target, name: str) -> Reals:
    """Return a gate's losses, shape (qubits,) or (qubits, qubits).

    A gate of which no error is known is as good in one place as in another.
    """
    known = {
        places: None if properties is None else properties.error
        for places, properties in target[name].items()
    }
    silent = all(error is None for error in known.values())
    table = np.full((target.num_qubits,) * target.operation_from_name(name).num_qubits, inf)
    for places, error in known.items():
        if silent:
            table[places] = 0
        elif error is not None and error < 1:
            table[places] = -log(1 - error)
    return table


WORST = 1e6
"""Loss that stands for an infinite one where costs are added up."""

ROOTS = 4
"""Vertices from which the embedding is begun in turn."""


def _names(circuit: QuantumCircuit) -> set[str]:
    return set(circuit.count_ops()) - {"barrier"}


def _neighbours(target: Target) -> Integers:
    coupling = target.build_coupling_map()
    coupling.make_symmetric()
    around = [sorted(coupling.neighbors(q)) for q in range(target.num_qubits)]
    table = np.full((target.num_qubits, max(map(len, around))), -1, np.int32)
    for qubit, near in enumerate(around):
        table[qubit, : len(near)] = near
    return table


def _place(draft: Draft, setting: Setting) -> Draft:
    places = None if setting.start is not None else places_for(draft, setting)
    if places is None:
        return draft
    placed = evolve(
        draft,
        circuit=moved(draft.circuit, places),
        initial_layout=tuple(places[q] for q in draft.initial_layout),
        final_layout=tuple(places[q] for q in draft.final_layout),
    )
    # There gates take other times, and qubits wait longer or less.
    before, after = (Losses.of(each, setting.target).in_place() for each in (draft, placed))
    return placed if after < before - 1e-12 else draft


def places_for(draft: Draft, setting: Setting) -> dict[int, int] | None:
    """Return where each qubit that is used had better lie; None if it lies well already."""
    target = setting.target
    if not places_differ(target) or not _names(draft.circuit) <= set(target.operation_names):
        return None
    losses = Losses.of(draft, target)
    given = losses.in_place()
    neighbours = _neighbours(target)
    found: list[tuple[float, dict[int, int]]] = []
    busiest = Counter(q for pair in losses.double for q in pair)
    for root, _ in busiest.most_common(ROOTS):
        order = [q for q in losses.order(root) if q in busiest]
        places, loss = embed(losses.pattern(order, neighbours), setting.budget)
        if loss < inf:
            found.append((loss, dict(zip(order, places.tolist(), strict=True))))
    _, best = min(found, key=lambda each: each[0], default=(0.0, {}))
    if len(best) < len(busiest):
        return None
    best |= _places_alone(losses, [q for q in losses.vertices if q not in busiest], best)
    return best if losses.total(best) < given - 1e-12 else None


def _places_alone(losses: Losses, vertices: Sequence[int], taken: dict[int, int]) -> dict[int, int]:
    """Return the best places that are left for qubits without two-qubit gates."""
    if not vertices:
        return {}
    costs = np.array([losses.single[q] for q in vertices])
    costs[:, [*taken.values()]] = inf
    costs[np.isinf(costs)] = WORST
    rows, places = linear_sum_assignment(costs)
    return {vertices[row]: place for row, place in zip(rows.tolist(), places.tolist(), strict=True)}


def moved(circuit: QuantumCircuit, places: dict[int, int]) -> QuantumCircuit:
    """Return a circuit on other qubits of the same device.

    Args:
        circuit: on the device's qubits.
        places: the new place of each qubit that is used.
    """
    wires = circuit.qubits
    to = {wire: wires[places[index]] for index, wire in enumerate(wires) if index in places}
    moved = (
        item.replace(qubits=[to[qubit] for qubit in item.qubits if qubit in to])
        for item in circuit.data
    )
    return of_items(moved, circuit)


def places_differ(target: Target) -> bool:
    """Tell whether a target is not fully coupled and has errors for its two-qubit gates."""
    return target.build_coupling_map() is not None and calibrated(target)


placement = Pass("placement", _place, preserves=ALL, suits=places_differ)
