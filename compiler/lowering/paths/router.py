"""The router of large circuits: several searches for each part, and the best of them goes on."""

from collections.abc import Iterator, Sequence
from functools import partial
from operator import attrgetter, itemgetter

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Reset
from qiskit.transpiler import Target

from compiler.circuits.gate_order import by_urgency
from compiler.circuits.matrices import Bits, Integers, Matrix
from compiler.compiled import cached_njit
from compiler.dynamic.pieces import of_items
from compiler.lowering.draft import ALL, Draft, Pass, Setting
from compiler.lowering.hub.scheduling import is_star
from compiler.lowering.mirror.collapse import collapse, mirrored
from compiler.lowering.mirror.problem import Device, device_of
from compiler.lowering.mirror.source import SAVING, coupled, largest_component, without_swaps
from compiler.lowering.mirror.unitaries import WINDOW, Unitaries, as_circuit
from compiler.lowering.native import translated
from compiler.lowering.paths.circuit import Parts
from compiler.lowering.paths.search import RESET, Weights, bind, outlook, route
from compiler.lowering.paths.state import Gates, State, beginning, copied
from compiler.lowering.qiskit_level_3 import after, if_all_coupled
from compiler.synthesis.segments import segments

SEARCHES, ROUTED = 64, 1_000_000
"""Searches for each part, unless they route more gates than this in all."""
WAYS, FURTHER = 32, 8
"""Ways that go on, and the factor of searches, where wires are done with."""
LATER = Weights(12, 0.9, 1.0, 0.5, 1, 0.0, 0.0, 0.0, 0)
"""Parameters by which the places at the end of a part are compared."""
PER_COUPLER = 0.2
"""CX that each coupler counts for there."""
RESET_HERE = "reset"
"""Label of a barrier that stands for a reset."""


@frozen(eq=False)
class Route:
    """A routed circuit.

    Args:
        steps: of each part, shape (n, 3), as `route` returns them.
        places: of each part, shape (wires,), the qubit of each wire at its end; -1 if it is done
            with, or begins in a stretch that has not begun.
        start: shape (wires,), the stretch in which each begins, as in `State`.
        end: shape (wires,), the stretch in which each ends.
        cost: CX, before gates that commute are merged.
        moves: whether swaps with fresh qubits are moves, which take two CX.
    """

    steps: Sequence[Integers]
    places: Sequence[Integers]
    start: Integers
    end: Integers
    cost: int
    moves: bool


@frozen(eq=False)
class _Way:
    """A route of the first parts: CX, and the state and the steps of each."""

    cost: int
    states: tuple[State, ...]
    steps: tuple[Integers, ...] = ()


def routed(
    parts: Parts, gates: Gates, device: Device, rng: np.random.Generator, *, moves: bool = False
) -> Route:
    """Route part after part, each by the search after which the fewest CX are expected.

    Where wires are done with, several ways go on side by side, as parts of few wires take little
    time.

    Args:
        parts: the circuit.
        gates: of all parts, with homes.
        device: to be routed on.
        rng: draws parameters of searches.
        moves: whether what is on fresh qubits is in |0⟩, so that a swap with one takes two CX.
    """
    width, searches = 1, max(1, min(SEARCHES, ROUTED // max(parts.begins[-1], 1)))
    if gates.done_with.any():
        width, searches = WAYS, searches * FURTHER
    ways = [_Way(0, (beginning(gates, device, zero=moves),))]
    for number, first in enumerate(parts.begins[:-1]):
        last, found = parts.begins[number + 1], list[tuple[float, _Way]]()
        for way in ways:
            for _ in range(max(1, searches // len(ways)) if last > first else 1):
                then = copied(way.states[-1])
                steps, price = route(gates, device, then, (first, last), _drawn(rng))
                after_it = _Way(way.cost + price, (*way.states, then), (*way.steps, steps))
                score = after_it.cost + PER_COUPLER * outlook(gates, device, then, LATER)
                found.append((score, after_it))
        found.sort(key=itemgetter(0))
        ways = [way for _, way in found[:width]]
        for way in ways:
            bind(gates, device, way.states[-1], parts.early[number], LATER)
    best = min(ways, key=attrgetter("cost"))
    state, states = best.states[-1], best.states[1:]
    start = state.start.copy()
    if (idle := start < 0).any() and not gates.done_with.any():
        free = np.setdiff1d(np.arange(len(device.distance), dtype=np.int32), start)
        start[idle] = free[: idle.sum()]
    places = [_places(each, start) for each in states]
    end = np.where(state.end < 0, np.where(start < 0, -1, state.stretch[places[-1]]), state.end)
    return Route(best.steps, places, start, end, best.cost, moves)


def _places(s: State, start: Integers) -> Integers:
    """Return where wires are whose first stretches are known; see `Route`."""
    place_of = {origin: place for place, origin in enumerate(s.origin.tolist())}
    waiting = [place_of.get(stretch, -1) for stretch in start.tolist()]
    return np.where(s.at >= 0, s.at, np.where(s.end >= 0, -1, waiting)).astype(np.int32)


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
    """Return a routed circuit in the target's native gates, with its barriers.

    Each barrier is on the wires that have a qubit there, in their order. Where others have none, it
    is on all other qubits after them, so that resets stay on their side of it.
    """
    reuses = bool((route_.places[-1] < 0).any())
    circuit = QuantumCircuit(target.num_qubits)
    fresh = np.ones(len(qubits), np.bool_)
    for number, (part, steps, places) in enumerate(
        zip(parts.parts, map(np.copy, route_.steps), route_.places, strict=True)
    ):
        if number:
            before = route_.places[number - 1]
            present = before[before >= 0]
            others = np.setdiff1d(np.arange(len(qubits)), present) if reuses else present[:0]
            circuit.barrier(qubits[np.concatenate([present, others])].tolist())
        steps[steps[:, 0] >= 0, 0] -= parts.begins[number]
        early = parts.early[number]
        # What leaves |0⟩ alone may do so on a qubit that is reset in this part.
        busy = np.setdiff1d(np.flatnonzero(places >= 0), early)
        part_ = part.wires, part.unitaries
        pairs, matrices, resets = _realise(steps, fresh, part_, route_.moves)
        wires, unitaries, _ = collapse(pairs, matrices, WINDOW, SAVING)
        order = _in_time(wires, resets)
        if order is None:
            wires, unitaries, order = pairs, matrices, list(range(len(pairs)))
        place_of = np.append(np.arange(len(qubits)), resets[:, 0])
        for gates, due, is_last in _cut(wires[order], resets):
            at, ends = resets[due, 0], part.ends[resets[due, 1]]
            if is_last:
                # A wire that is yet to begin may have the qubit of one that is done with.
                ending = busy[~np.isin(places[busy], at)]
                at, ends = np.append(at, places[ending]), np.append(ends, part.ends[ending], axis=0)
            chosen = np.array(order[gates], np.int32)
            result = Unitaries(
                qubits[place_of[wires[chosen]]], unitaries[chosen], _on(qubits[at], ends, circuit)
            )
            circuit.compose(as_circuit(result, target.num_qubits), inplace=True)
            is_end = is_last and number == len(parts.parts) - 1
            for place in resets[due, 0].tolist():
                # In the end, only what is measured there has to begin with |0⟩.
                if not is_end or place in places:
                    circuit.barrier(int(qubits[place]), label=RESET_HERE)
        if len(early):
            ends = _on(qubits[places[early]], part.ends[early], circuit)
            alone = Unitaries(np.empty((0, 2), np.int32), np.empty((0, 4, 4), np.complex128), ends)
            circuit.compose(as_circuit(alone, target.num_qubits), inplace=True)
        fresh[places[early]] = False
    initial, final = (
        np.where(each < 0, -1, each // len(qubits) * target.num_qubits + qubits[each % len(qubits)])
        for each in (route_.start, route_.end)
    )
    native = _with_resets(translated(circuit, target))
    return Draft(native, tuple(initial.tolist()), tuple(final.tolist()))


def _on(qubits: Integers, gates: Matrix, circuit: QuantumCircuit) -> Matrix:
    """Return a one-qubit gate for each of a circuit's qubits: these gates, or the identity."""
    ends = np.tile(np.eye(2, dtype=np.complex128), (circuit.num_qubits, 1, 1))
    ends[qubits] = gates
    return ends


def _with_resets(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit with the resets that barriers stand for, as translation knows none."""
    items = (
        item.replace(operation=Reset())
        if item.name == "barrier" and item.operation.label == RESET_HERE
        else item
        for item in circuit.data
    )
    return of_items(items, circuit.copy_empty_like())


def _in_time(wires: Integers, resets: Integers) -> list[int] | None:
    """Return an order of gates in which those before a reset come first; None if there is none.

    Args:
        wires: shape (gates, 2), stretches, as `_realise` returns them.
        resets: likewise.
    """
    before: list[list[int]] = [[] for _ in wires]
    last: dict[int, int] = {}
    follows = dict(resets[:, [3, 2]].tolist())
    for gate, pair in enumerate(wires.tolist()):
        before[gate] = [last[stretch] for stretch in pair if stretch in last]
        last |= dict.fromkeys(pair, gate)
    if not last.keys() >= {*follows.values()}:
        return None
    begun: set[int] = set()
    for gate, pair in enumerate(wires.tolist()):
        before[gate] += [last[follows[stretch]] for stretch in ({*pair} - begun) & {*follows}]
        begun.update(pair)
    order = by_urgency(before, [0] * len(before))
    return order if len(order) == len(before) else None


def _cut(wires: Integers, resets: Integers) -> Iterator[tuple[slice, list[int], bool]]:
    """Yield gates in order, the resets after them, and whether they are the last ones."""
    last = {stretch: gate for gate, pair in enumerate(wires.tolist()) for stretch in pair}
    due, begin = list(range(len(resets))), 0
    first = int(resets[0, 3]) if len(resets) else 0
    for gate, pair in enumerate(wires.tolist()):
        if any(stretch >= first and stretch - first in due for stretch in pair) and due:
            ready = [k for k in due if last[int(resets[k, 2])] < gate]
            yield slice(begin, gate), ready, False
            due, begin = [k for k in due if k not in ready], gate
    yield slice(begin, len(wires)), due, True


@cached_njit()
def _realise(
    steps: Integers, fresh: Bits, gates: tuple[Integers, Matrix], moves: bool
) -> tuple[Integers, Matrix, Integers]:
    """Return the unitaries of a part on the device's qubits; change fresh qubits.

    Args:
        steps: as `route` returns them, with the part's own indices of gates.
        fresh: shape (qubits,), whether no gate has acted on what is on a qubit.
        gates: wires and unitaries of the part.
        moves: whether swaps with fresh qubits, which are in |0⟩, take two CX.

    Returns:
        Pairs of stretches, numbered as their qubits, and after the k-th reset as the number of
        qubits plus k; their unitaries; and resets: qubit, wire, and stretches before and after.
    """
    wires, unitaries = gates
    pairs = np.empty((len(steps), 2), np.int32)
    matrices = np.empty((len(steps), 4, 4), np.complex128)
    resets = np.empty((len(steps), 4), np.int32)
    present = np.arange(len(fresh)).astype(np.int32)
    swap = mirrored(np.eye(4, dtype=np.complex128))
    count, ended = 0, 0
    for gate, a, b in steps:
        if gate == RESET:
            after_it = len(fresh) + ended
            resets[ended, 0], resets[ended, 1] = a, b
            resets[ended, 2], resets[ended, 3] = present[a], after_it
            fresh[a], present[a] = True, after_it
            ended += 1
            continue
        p, q = present[a], present[b]
        if gate >= 0:
            matrices[count] = unitaries[gate]
            fresh[a] = fresh[b] = False
            turned = wires[gate, 0] > wires[gate, 1]
            pairs[count] = (q, p) if turned else (p, q)
        elif fresh[a] and fresh[b]:
            continue
        else:
            matrices[count] = swap
            if moves and (fresh[a] or fresh[b]):
                # A CX that |0⟩ controls does nothing, and before a swap it saves one CX.
                on, other = (3, 2) if fresh[a] else (3, 1)
                matrices[count, :, on] = swap[:, other]
                matrices[count, :, other] = swap[:, on]
            fresh[a], fresh[b] = fresh[b], fresh[a]
            pairs[count] = p, q
        count += 1
    return pairs[:count], matrices[:count], resets[:ended]


def _route(draft: Draft, setting: Setting, *, reusing: bool = False) -> Draft:
    releases = reusing and draft.measured is not None
    # Proofs of moves to |0⟩ compare parts between barriers, with their gates as they are.
    moves = releases and _is_separated(draft.circuit)
    logical = draft if moves else if_all_coupled(draft, setting, "cx")
    logical = after(logical, without_swaps(logical.circuit))
    qubits, edges = largest_component(setting.target, 0 if reusing else logical.circuit.num_qubits)
    device = device_of(edges)
    rng = np.random.default_rng(setting.seed)
    measured = [logical.final_layout[qubit] for qubit in draft.measured or ()] if releases else None
    parts = Parts.of(logical.circuit, device, measured)
    gates = parts.with_homes(device, _seed(rng))
    best = routed(parts, gates, device, rng, moves=moves)
    return after(logical, written(parts, best, qubits, setting.target))


def _is_separated(circuit: QuantumCircuit) -> bool:
    """Return whether there are barriers across a circuit, and no gates on more than two qubits."""
    wide = {item.name for item in circuit.data if len(item.qubits) > 2}
    return wide <= {"barrier"} and len(segments(circuit, circuit.num_qubits)) > 1


def _suits(target: Target) -> bool:
    return coupled(target) and not is_star(target)


paths = Pass("paths", _route, establishes=ALL, suits=_suits)
reusing_paths = Pass(
    "reusing-paths", partial(_route, reusing=True), establishes=ALL, from_zero=True, suits=_suits
)
