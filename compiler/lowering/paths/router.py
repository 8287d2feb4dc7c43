"""The router of large circuits: several searches for each part, and the best of them goes on."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from compiler.circuits.matrices import Bits, Integers, Matrix
from compiler.compiled import cached_njit
from compiler.lowering.draft import ALL, Draft, Pass, Setting
from compiler.lowering.hub.scheduling import is_star
from compiler.lowering.mirror.collapse import collapse, mirrored
from compiler.lowering.mirror.problem import Device, device_of
from compiler.lowering.mirror.source import SAVING, coupled, largest_component, without_swaps
from compiler.lowering.mirror.unitaries import WINDOW, Unitaries, as_circuit
from compiler.lowering.native import translated
from compiler.lowering.paths.circuit import Parts
from compiler.lowering.paths.search import Weights, outlook, route
from compiler.lowering.paths.state import Gates, State, beginning, copied
from compiler.lowering.qiskit_level_3 import after, if_all_coupled

SEARCHES, ROUTED = 64, 1_000_000
"""Searches for each part, unless they route more gates than this in all."""
LATER = Weights(12, 0.9, 1.0, 0.5, 1, 0.0, 0.0, 0.0, 0)
"""Parameters by which the places at the end of a part are compared."""
PER_COUPLER = 0.2
"""CX that each coupler counts for there."""


@frozen(eq=False)
class Route:
    """A routed circuit.

    Args:
        steps: of each part, shape (n, 3), as `route` returns them.
        start: shape (wires,), the qubit of each wire at the start.
        cost: CX, before gates that commute are merged.
    """

    steps: Sequence[Integers]
    start: Integers
    cost: int


def routed(parts: Parts, gates: Gates, device: Device, rng: np.random.Generator) -> Route:
    """Route part after part, each by the search after which the fewest CX are expected."""
    state, steps, cost = beginning(gates, device), [], 0
    searches = max(1, min(SEARCHES, ROUTED // max(parts.begins[-1], 1)))
    for number, first in enumerate(parts.begins[:-1]):
        last, best = parts.begins[number + 1], np.inf
        chosen: tuple[State, Integers, int] | None = None
        for _ in range(searches if last > first else 1):
            then = copied(state)
            routed_steps, price = route(gates, device, then, (first, last), _drawn(rng))
            score = price + PER_COUPLER * outlook(gates, device, then, LATER)
            if score < best:
                best, chosen = score, (then, routed_steps, price)
        assert chosen is not None
        state = chosen[0]
        steps.append(chosen[1])
        cost += chosen[2]
    start = state.start.copy()
    free = np.setdiff1d(np.arange(len(device.distance), dtype=np.int32), start)
    start[start < 0] = free[: (start < 0).sum()]
    return Route(steps, start, cost)


def _drawn(rng: np.random.Generator) -> Weights:
    return Weights(
        ahead=int(rng.choice([2, 4, 8, 12])),
        decay=float(rng.uniform(0.6, 0.9)),
        pull=float(rng.uniform(0.2, 0.7)),
        home=float(rng.uniform(0.0, 0.5)),
        choices=int(rng.choice([3, 6])),
        slack=float(rng.uniform(0.0, 2.0)),
        order=float(rng.uniform(0.0, 0.1)),
        noise=1.0,
        seed=_seed(rng),
    )


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))


def written(parts: Parts, route_: Route, qubits: Integers, target: Target) -> Draft:
    """Return a routed circuit in the target's native gates, with its barriers."""
    circuit = QuantumCircuit(target.num_qubits)
    places = route_.start.copy()
    fresh = np.ones(len(qubits), np.bool_)
    for number, (part, steps) in enumerate(
        zip(parts.parts, map(np.copy, route_.steps), strict=True)
    ):
        if number:
            circuit.barrier(qubits[places].tolist())
        steps[steps[:, 0] >= 0, 0] -= parts.begins[number]
        wires, unitaries = _realise(steps, places, fresh, (part.wires, part.unitaries))
        wires, unitaries, _ = collapse(wires, unitaries, WINDOW, SAVING)
        ends = np.tile(np.eye(2, dtype=np.complex128), (target.num_qubits, 1, 1))
        ends[qubits[places]] = part.ends
        result = Unitaries(qubits[wires], unitaries, ends)
        circuit.compose(as_circuit(result, target.num_qubits), inplace=True)
    initial, final = (tuple(qubits[each].tolist()) for each in (route_.start, places))
    return Draft(translated(circuit, target), initial, final)


@cached_njit()
def _realise(
    steps: Integers, places: Integers, fresh: Bits, gates: tuple[Integers, Matrix]
) -> tuple[Integers, Matrix]:
    """Return the unitaries of a part on the device's qubits; change places and fresh qubits.

    Args:
        steps: as `route` returns them, with the part's own indices of gates.
        places: shape (wires,), the qubit of each wire.
        fresh: shape (qubits,), whether no gate has acted on what is on a qubit.
        gates: wires and unitaries of the part.
    """
    wires, unitaries = gates
    held = np.full(len(fresh), -1, np.int32)
    for wire in range(len(places)):
        held[places[wire]] = wire
    pairs = np.empty((len(steps), 2), np.int32)
    matrices = np.empty((len(steps), 4, 4), np.complex128)
    swap = mirrored(np.eye(4, dtype=np.complex128))
    count = 0
    for index in range(len(steps)):
        gate, a, b = steps[index]
        if gate >= 0:
            pairs[count] = places[wires[gate]]
            matrices[count] = unitaries[gate]
            fresh[a] = fresh[b] = False
            count += 1
            continue
        if fresh[a] and fresh[b]:
            continue
        pairs[count], matrices[count] = (a, b), swap
        count += 1
        fresh[a], fresh[b] = fresh[b], fresh[a]
        held[a], held[b] = held[b], held[a]
        for place in (a, b):
            if held[place] >= 0:
                places[held[place]] = place
    return pairs[:count], matrices[:count]


def _route(draft: Draft, setting: Setting) -> Draft:
    logical = if_all_coupled(draft, setting, "cx")
    logical = after(logical, without_swaps(logical.circuit))
    qubits, edges = largest_component(setting.target, logical.circuit.num_qubits)
    device = device_of(edges)
    rng = np.random.default_rng(setting.seed)
    parts = Parts.of(logical.circuit, device)
    gates = parts.with_homes(device, _seed(rng))
    best = routed(parts, gates, device, rng)
    return after(logical, written(parts, best, qubits, setting.target))


def _suits(target: Target) -> bool:
    return coupled(target) and not is_star(target)


paths = Pass("paths", _route, establishes=ALL, suits=_suits)
