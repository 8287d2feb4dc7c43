"""What a circuit loses to errors on each of a device's qubits and couplers."""

from collections import Counter, defaultdict
from math import inf, log

import numpy as np
from attrs import frozen
from qiskit.transpiler import Target

from compiler.lowering.arrays import Integers, Reals
from compiler.lowering.draft import Draft
from compiler.lowering.placement.embedding import Pattern


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
        """Add up the losses of all gates, and of reading what is or may be measured."""
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
        ends = {*single, *(q for pair in double for q in pair)}
        vertices = sorted(ends.union(draft.initial_layout, draft.final_layout))
        return cls(tuple(vertices), {q: single[q] for q in vertices}, dict(double))

    def total(self, places: dict[int, int]) -> float:
        """Return what is lost if each vertex is on the given qubit."""
        alone = sum(float(loss[places[q]]) for q, loss in self.single.items())
        pairs = sum(float(loss[places[a], places[b]]) for (a, b), loss in self.double.items())
        return alone + pairs

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
