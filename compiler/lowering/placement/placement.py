"""Re-placement of a routed circuit on the device's best qubits and couplers."""

from collections import Counter
from collections.abc import Sequence
from math import inf

import numpy as np
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.transpiler import Target
from scipy.optimize import linear_sum_assignment

from compiler.dynamic.pieces import of_items
from compiler.lowering.arrays import Integers
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.figures import calibrated
from compiler.lowering.passes import ALL, Pass
from compiler.lowering.placement.embedding import embed
from compiler.lowering.placement.losses import Losses

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
    return evolve(
        draft,
        circuit=moved(draft.circuit, places),
        initial_layout=tuple(places[q] for q in draft.initial_layout),
        final_layout=tuple(places[q] for q in draft.final_layout),
    )


def places_for(draft: Draft, setting: Setting) -> dict[int, int] | None:
    """Return where each qubit that is used had better lie; None if it lies well already."""
    target = setting.target
    if not places_differ(target) or not _names(draft.circuit) <= set(target.operation_names):
        return None
    losses = Losses.of(draft, target)
    given = losses.total({q: q for q in losses.vertices})
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
