"""Routing from layouts that need no swap for long: the longest windows are embedded as they are.

Some circuits fit a device for hundreds of gates, then again after a few swaps. Swap by swap
nobody finds that: the layout decides. So the circuit is cut into windows that embed, the largest
of them into the device, and swaps are looked for from there to either end.

Layouts in which gates run as soon as they can.

Beam search for few swaps: after each, all gates run that can.

Stretches of a circuit whose interaction graph is part of the coupling graph.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import rustworkx as rx
from attrs import frozen
from numpy.typing import NDArray

from compiler.circuits.matrices import Integers, Reals
from compiler.compiled import cached_njit, njit_view
from compiler.lowering.draft import Setting
from compiler.lowering.mirror.problem import Device, device_of
from compiler.lowering.mirror.source import Routed, Source, largest_component
from compiler.lowering.mirror.unitaries import SWAP

Bits = NDArray[np.bool_]


class Gates(NamedTuple):
    """Gates by their wires.

    Args:
        wires: shape (gates, 2), in the order of time.
        order: shape (2 gates,), the gates of each wire, wire by wire.
        offsets: shape (wires + 1,), where those of each wire begin.
    """

    wires: Integers
    order: Integers
    offsets: Integers


class States(NamedTuple):
    """Layouts, and how far gates have come in each.

    Args:
        places: shape (states, wires), the qubit of each wire.
        done: shape (states, wires), how many gates of each wire have run.
        ran: shape (states,), how many gates have.
    """

    places: Integers
    done: Integers
    ran: Integers


def gates_of(wires: Integers, count: int) -> Gates:
    """Return gates, sorted by their wires.

    Args:
        wires: shape (gates, 2), in the order of time.
        count: how many wires there are.
    """
    flat = wires.reshape(-1)
    order = np.argsort(flat, kind="stable") // 2
    offsets = np.concatenate([[0], np.cumsum(np.bincount(flat, minlength=count))])
    return Gates(wires.astype(np.int32), order.astype(np.int32), offsets.astype(np.int32))


class Scene(NamedTuple):
    """What is routed on which device, and room for one state.

    Args:
        gates: what is routed.
        device: on which qubits.
        trial: one state.
        waiting: shape (wires,), wires whose gates are to be looked at.
        queued: shape (wires,), which wires these are.
        near: shape (qubits,), which of them have a wire with a gate in front.
        nowhere: shape (0, 3), for steps that are not written down.
    """

    gates: Gates
    device: Device
    trial: States
    waiting: Integers
    queued: Bits
    near: Bits
    nowhere: Integers


@cached_njit()
def new_scene(gates: Gates, device: Device, wires: int) -> Scene:
    """Return what a search works on."""
    return Scene(
        gates,
        device,
        no_states(1, wires),
        np.empty(wires, np.int32),
        np.zeros(wires, np.bool_),
        np.empty(len(device.neighbours), np.bool_),
        np.empty((0, 3), np.int32),
    )


@cached_njit()
def no_states(count: int, wires: int) -> States:
    """Return room for states."""
    return States(
        np.zeros((count, wires), np.int32),
        np.zeros((count, wires), np.int32),
        np.zeros(count, np.int32),
    )


@njit_view
def front(gates: Gates, done: Integers, wire: int) -> int:
    """Return a wire's next gate if nothing else has to come before it, -1 otherwise."""
    order, offsets = gates.order, gates.offsets
    index = offsets[wire] + done[wire]
    if index == offsets[wire + 1]:
        return -1
    gate = order[index]
    other = gates.wires[gate, 0] + gates.wires[gate, 1] - wire
    index = offsets[other] + done[other]
    if index < offsets[other + 1] and order[index] == gate:
        return int(gate)
    return -1


@njit_view
def all_wait(scene: Scene) -> int:
    """Let all wires wait; return how many these are."""
    for wire in range(len(scene.waiting)):
        scene.waiting[wire] = wire
    return len(scene.waiting)


@njit_view
def run(scene: Scene, states: States, size: int, steps: Integers) -> int:
    """Run all gates that can in the first state, looking at some wires first.

    Args:
        scene: with so many wires that wait.
        states: the first of which is changed.
        size: how many wires wait.
        steps: to which the gates are written, if there is room for any.

    Returns:
        How many gates ran.
    """
    gates, waiting, queued = scene.gates, scene.waiting, scene.queued
    wires, distance = gates.wires, scene.device.distance
    places, done = states.places[0], states.done[0]
    count = 0
    for index in range(size):
        queued[waiting[index]] = True
    while size:
        size -= 1
        wire = waiting[size]
        queued[wire] = False
        while True:
            gate = front(gates, done, wire)
            if gate < 0:
                break
            a, b = wires[gate, 0], wires[gate, 1]
            if distance[places[a], places[b]] > 1:
                break
            if len(steps):
                steps[count, 0], steps[count, 1], steps[count, 2] = gate, places[a], places[b]
            done[a] += 1
            done[b] += 1
            count += 1
            other = a + b - wire
            if not queued[other]:
                queued[other] = True
                waiting[size] = other
                size += 1
    return count


@njit_view
def exchange(scene: Scene, states: States, a: int, b: int) -> int:
    """Swap what two qubits hold in the first state, and let these wires wait.

    Returns:
        How many wires these are.
    """
    places, count = states.places[0], 0
    for wire in range(len(places)):
        if places[wire] == a or places[wire] == b:
            places[wire] = a + b - places[wire]
            scene.waiting[count] = wire
            count += 1
    return count


@njit_view
def copy_state(states: States, row: int, to: States, place: int) -> None:
    """Copy a state from a row to a place."""
    for wire in range(states.places.shape[1]):
        to.places[place, wire] = states.places[row, wire]
        to.done[place, wire] = states.done[row, wire]
    to.ran[place] = states.ran[row]


@njit_view
def apart(scene: Scene) -> int:
    """Return the steps between the wires of all gates in front."""
    wires, distance = scene.gates.wires, scene.device.distance
    places, done = scene.trial.places[0], scene.trial.done[0]
    total = 0
    for wire in range(len(places)):
        gate = front(scene.gates, done, wire)
        if gate >= 0 and wires[gate, 0] == wire:
            total += distance[places[wire], places[wires[gate, 1]]] - 1
    return total


@njit_view
def mark(places: Integers) -> np.uint64:
    """Return a number that is another one for another layout, but for rare accidents."""
    mark = np.uint64(14695981039346656037)
    for wire in range(len(places)):
        mark = (mark ^ np.uint64(places[wire])) * np.uint64(1099511628211)
    return mark


CLOSER = 0.01
"""Gates that a step less between the wires of a gate in front counts for."""


class _Moves(NamedTuple):
    """Swaps that can come next.

    Args:
        swaps: shape (moves, 3), the row of a state and two qubits.
        scores: shape (moves,), the best ones are lowest.
        marks: shape (moves,), of the layouts after them.
        chosen: shape (width,), those that are done.
    """

    swaps: Integers
    scores: Reals
    marks: NDArray[np.uint64]
    chosen: Integers


@cached_njit()
def fewest_swaps(gates: Gates, device: Device, start: Integers, width: int, most: int) -> Integers:
    """Return swaps between which gates run as soon as they can.

    States after as many swaps compete: more gates done win, then gates in front that are closer.

    Args:
        gates: what is routed.
        device: on which qubits.
        start: shape (wires,), the qubit of each wire.
        width: states that are kept.
        most: swaps at which the search is given up.

    Returns:
        Steps as `realise` takes them, shape (n, 3); all swaps and gates, or as many as were done
        when it was given up.
    """
    scene, moves = new_scene(gates, device, len(start)), _no_moves(device, width)
    states, after = no_states(width, len(start)), no_states(width, len(start))
    states.places[0] = start
    states.ran[0] = run(scene, states, all_wait(scene), scene.nowhere)
    count, level = 1, 0
    kept = np.zeros((most, width, 3), np.int32)
    while level < most and states.ran[:count].max() < len(gates.wires):
        found = _propose(scene, states, count, moves)
        count = _choose(np.argsort(moves.scores[:found], kind="mergesort"), moves)
        _take(scene, states, moves, count, after)
        kept[level, :count] = moves.swaps[moves.chosen[:count]]
        states, after = after, states
        level += 1
    row = int(np.argmax(states.ran[:count]))
    path = np.empty((level, 2), np.int32)
    for back in range(level - 1, -1, -1):
        path[back] = kept[back, row, 1:]
        row = kept[back, row, 0]
    return _replayed(scene, start, path)


@cached_njit()
def _no_moves(device: Device, width: int) -> _Moves:
    most = width * device.neighbours.size
    return _Moves(
        np.empty((most, 3), np.int32),
        np.empty(most),
        np.empty(most, np.uint64),
        np.empty(width, np.int32),
    )


@njit_view
def _propose(scene: Scene, states: States, count: int, moves: _Moves) -> int:
    """Write down what each swap makes of each state; return how many there are."""
    neighbours, near, trial = scene.device.neighbours, scene.near, scene.trial
    swaps, found = moves.swaps, 0
    for row in range(count):
        near[:] = False
        for wire in range(states.places.shape[1]):
            near[states.places[row, wire]] = front(scene.gates, states.done[row], wire) >= 0
        for a in range(len(neighbours)):
            if not near[a]:
                continue
            for k in range(neighbours.shape[1]):
                b = neighbours[a, k]
                if b < 0 or (near[b] and a > b):
                    continue
                swaps[found, 0], swaps[found, 1], swaps[found, 2] = row, a, b
                _after_swap(scene, states, swaps[found])
                moves.scores[found] = CLOSER * apart(scene) - trial.ran[0]
                moves.marks[found] = mark(trial.places[0])
                found += 1
    return found


@njit_view
def _after_swap(scene: Scene, states: States, swap: Integers) -> None:
    """Try what a state is after a swap and all gates that can run then."""
    trial, row = scene.trial, swap[0]
    copy_state(states, row, trial, 0)
    size = exchange(scene, trial, swap[1], swap[2])
    trial.ran[0] += run(scene, trial, size, scene.nowhere)


@njit_view
def _choose(order: NDArray[np.int64], moves: _Moves) -> int:
    """Choose the first moves of an order after which layouts differ; return how many these are."""
    marks, chosen = moves.marks, moves.chosen
    count = 0
    for index in order:
        if count == len(chosen):
            break
        known = False
        for k in range(count):
            known |= marks[chosen[k]] == marks[index]
        if not known:
            chosen[count] = index
            count += 1
    return count


@njit_view
def _take(scene: Scene, states: States, moves: _Moves, count: int, after: States) -> None:
    """Write the states after the moves that have been chosen."""
    for place in range(count):
        _after_swap(scene, states, moves.swaps[moves.chosen[place]])
        copy_state(scene.trial, 0, after, place)


@cached_njit()
def _replayed(scene: Scene, start: Integers, path: Integers) -> Integers:
    """Return the steps of some swaps, and of the gates between them."""
    trial = scene.trial
    trial.places[0], trial.done[0] = start, 0
    steps = np.empty((len(scene.gates.wires) + len(path), 3), np.int32)
    count = run(scene, trial, all_wait(scene), steps)
    for index in range(len(path)):
        a, b = path[index]
        steps[count, 0], steps[count, 1], steps[count, 2] = SWAP, a, b
        count += 1
        size = exchange(scene, trial, a, b)
        count += run(scene, trial, size, steps[count:])
    return steps[:count].copy()


CALLS = 200_000
"""Pairs of vertices that one search for an embedding looks at."""
SEARCHES = 400
"""Embeddings that are looked for in one circuit."""

Pair = tuple[int, int]


@frozen
class Window:
    """Gates that follow each other and need no swap in some layout.

    Args:
        begin: its first gate.
        end: the gate behind its last.
        pairs: of wires that they act on, rising.
    """

    begin: int
    end: int
    pairs: frozenset[Pair]


class Embedder:
    """Looks for layouts in which pairs of wires are coupled, and counts how often.

    Args:
        qubits: how many there are.
        edges: shape (n, 2), couplings, each in one direction.

    References:
        Subgraph monomorphisms by VF2++, as rustworkx has it.
    """

    def __init__(self, qubits: int, edges: Integers) -> None:
        self.left = SEARCHES
        self._graph = rx.PyGraph(multigraph=False)
        self._graph.add_nodes_from(range(qubits))
        self._graph.add_edges_from_no_data([(a, b) for a, b in edges.tolist()])
        degrees = (self._graph.degree(qubit) for qubit in range(qubits))
        self._degrees = sorted(degrees, reverse=True)

    def embedding(self, pairs: Iterable[Pair]) -> dict[int, int] | None:
        """Return a qubit for each wire of some pairs, None if none was found."""
        distinct = sorted({(min(pair), max(pair)) for pair in pairs})
        wires = sorted({wire for pair in distinct for wire in pair})
        index = {wire: place for place, wire in enumerate(wires)}
        pattern = rx.PyGraph(multigraph=False)
        pattern.add_nodes_from(range(len(wires)))
        pattern.add_edges_from_no_data([(index[a], index[b]) for a, b in distinct])
        if len(wires) > len(self._degrees) or not self._has_degrees(pattern):
            return None
        self.left -= 1
        found = rx.vf2_mapping(
            self._graph, pattern, subgraph=True, induced=False, id_order=False, call_limit=CALLS
        )
        for mapping in found:
            return {wires[vertex]: qubit for qubit, vertex in mapping.items()}
        return None

    def _has_degrees(self, pattern: rx.PyGraph) -> bool:
        """Tell whether as many qubits have as many couplings as each vertex needs."""
        needed = sorted(map(pattern.degree, pattern.node_indices()), reverse=True)
        return all(own <= there for own, there in zip(needed, self._degrees, strict=False))


def windows(embedder: Embedder, wires: Sequence[Pair]) -> list[Window]:
    """Return the windows of a circuit, each as long as it can be found to be.

    Args:
        embedder: looks for layouts.
        wires: of each gate, in the order of time.

    Returns:
        None at all if there are too many of them for so many searches.
    """
    found, begin = [], 0
    while begin < len(wires):
        longest, reach = begin + 1, 2
        shortest_failed = len(wires) + 1
        while longest + 1 < shortest_failed:
            if embedder.left <= 0:
                return []
            # Reaching out further and further leaves few searches for windows that are short.
            middle = (longest + shortest_failed) // 2
            end = min(begin + reach, middle) if shortest_failed > len(wires) else middle
            end = max(end, longest + 1)
            reach *= 2
            if embedder.embedding(wires[begin:end]) is None:
                shortest_failed = end
            else:
                longest = end
        pairs = frozenset((min(pair), max(pair)) for pair in wires[begin:longest])
        found.append(Window(begin, longest, pairs))
        begin = longest
    return found


def layout_around(
    embedder: Embedder, found: Sequence[Window], anchor: int, wires: int
) -> Mapping[int, int] | None:
    """Return a layout of all wires in which one window needs no swap.

    Wires on which it does not act are placed as the windows before and after it would have them,
    the nearest first, as far as that fits.

    Args:
        embedder: looks for layouts.
        found: all windows.
        anchor: the one.
        wires: how many there are.
    """
    pairs = set(found[anchor].pairs)
    placed = embedder.embedding(pairs)
    order = sorted(range(len(found)), key=lambda place: abs(place - anchor))
    for place in order[1:]:
        if placed is None or len(placed) == wires:
            break
        new = [pair for pair in sorted(found[place].pairs) if not set(pair) <= placed.keys()]
        for more in [new, *([pair] for pair in new)]:
            if embedder.left <= 0 or not any(wire not in placed for pair in more for wire in pair):
                continue
            if (wider := embedder.embedding(pairs | set(more))) is not None:
                placed = wider
                pairs |= set(more)
    return placed


COVERED = 0.8
"""Pairs that the largest window has to act on, for each wire."""
ANCHORS = 4
"""Windows that are embedded, those on most pairs."""
HOPELESS = 0.5
"""Gates that must have run when a search is given up, for others to be worth a try."""
WIDTH = 64
"""States of a search."""
EACH = 2
"""Swaps for each window at which a search is given up."""


@frozen(eq=False)
class Embedded:
    """A circuit that was routed from an embedding.

    Args:
        routed: the circuit.
        windows: how many windows that embed it falls into.
    """

    routed: Routed
    windows: int

    @property
    def swaps(self) -> int:
        """How many swaps it takes."""
        return self.routed.swaps

    @property
    def is_short(self) -> bool:
        """Whether a swap, or two, lead from each window to the next."""
        return self.swaps < EACH * self.windows


def embedded_route(source: Source, setting: Setting) -> Embedded | None:
    """Return the routing with the fewest swaps that was found, None where this is of no use.

    Args:
        source: what is routed, from any layout.
        setting: the target.
    """
    if source.start is not None:
        return None
    wires, count = source.gates.wires, len(source.gates.ends)
    qubits, edges = largest_component(setting.target, count)
    embedder, device = Embedder(len(qubits), edges), device_of(edges)
    found = windows(embedder, [(a, b) for a, b in wires.tolist()])
    if not found or max(len(each.pairs) for each in found) < COVERED * count:
        return None
    best: Embedded | None = None
    largest = sorted(range(len(found)), key=lambda place: -len(found[place].pairs))
    for anchor in largest[:ANCHORS]:
        layout = layout_around(embedder, found, anchor, count)
        if layout is None:
            continue
        steps, start = _to_either_end(
            wires, found[anchor].begin, _completed(layout, count, device), device, EACH * len(found)
        )
        done = (steps[:, 0] != SWAP).sum()
        if done < HOPELESS * len(wires):
            break
        if done < len(wires):
            continue
        steps[:, 1:] = qubits[steps[:, 1:]]
        routed = Embedded(Routed(source, steps, qubits[start]), len(found))
        best = min(best or routed, routed, key=lambda each: each.swaps)
        if best.swaps < len(found):
            break
    return best


def _completed(layout: Mapping[int, int], count: int, device: Device) -> Integers:
    """Return a qubit for each wire; those that have none get the free ones."""
    places = np.full(count, -1, np.int32)
    places[list(layout)] = list(layout.values())
    free = np.setdiff1d(np.arange(len(device.neighbours)), places).astype(np.int32)
    places[places < 0] = free[: (places < 0).sum()]
    return places


def _to_either_end(
    wires: Integers, begin: int, places: Integers, device: Device, most: int
) -> tuple[Integers, Integers]:
    """Search from the gate before which wires are in some places.

    Returns:
        Steps as far as both searches came, and the qubit of each wire before them.
    """
    count = len(places)
    after = fewest_swaps(gates_of(wires[begin:], count), device, places, WIDTH, most)
    before = fewest_swaps(gates_of(wires[:begin][::-1], count), device, places, WIDTH, most)
    gates = before[:, 0] != SWAP
    before[gates, 0] = begin - 1 - before[gates, 0]
    after[after[:, 0] != SWAP, 0] += begin
    start = places.copy()
    for step, a, b in before.tolist():
        if step == SWAP:
            at_a, at_b = start == a, start == b
            start[at_a], start[at_b] = b, a
    return np.concatenate([before[::-1], after]), start
