"""Routing from layouts that need no swap for long: the longest windows are embedded as they are.

Some circuits fit a device for hundreds of gates, then again after a few swaps. Swap by swap
no search finds that: the layout decides. So the circuit is cut into windows that embed, the largest
of them into the device, and the mirror search goes from there to either end.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter

import numpy as np
import rustworkx as rx
from attrs import frozen

from compiler.circuits.matrices import Integers
from compiler.lowering.mirror.beam import Weights
from compiler.lowering.mirror.problem import Device
from compiler.lowering.mirror.routes import BACKWARDS, FORWARDS, steps_of
from compiler.lowering.mirror.source import Routed, Source

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
        device: coupled qubits.

    References:
        Subgraph monomorphisms by VF2++, as rustworkx has it.
    """

    def __init__(self, device: Device) -> None:
        self.left = SEARCHES
        self._graph = rx.PyGraph(multigraph=False)
        self._graph.add_nodes_from(range(len(device.distance)))
        edges = np.argwhere(np.triu(device.distance == 1)).tolist()
        self._graph.add_edges_from_no_data([(a, b) for a, b in edges])
        self._degrees = sorted(map(self._graph.degree, self._graph.node_indices()), reverse=True)

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
        mappings = rx.vf2_mapping(
            self._graph, pattern, subgraph=True, induced=False, id_order=False, call_limit=CALLS
        )
        for mapping in mappings:
            return {wires[vertex]: qubit for qubit, vertex in mapping.items()}
        return None

    def _has_degrees(self, pattern: rx.PyGraph) -> bool:
        """Return whether as many qubits have as many couplings as each vertex needs."""
        needed = sorted(map(pattern.degree, pattern.node_indices()), reverse=True)
        return all(own <= degree for own, degree in zip(needed, self._degrees, strict=False))


def windows(embedder: Embedder, wires: Sequence[Pair]) -> list[Window]:
    """Return the windows of a circuit, each as long as it can be found to be.

    Args:
        embedder: looks for layouts.
        wires: of each gate, in the order of time.

    Returns:
        None at all if there are too many of them for so many searches.
    """
    result, begin = [], 0
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
        result.append(Window(begin, longest, pairs))
        begin = longest
    return result


def layout_around(
    embedder: Embedder, all_windows: Sequence[Window], anchor: int, wires: int
) -> Mapping[int, int] | None:
    """Return a layout of all wires in which one window needs no swap.

    Wires on which it does not act are placed as the windows before and after it would have them,
    the nearest first, as far as that fits.

    Args:
        embedder: looks for layouts.
        all_windows: all windows.
        anchor: the one.
        wires: how many there are.
    """
    pairs = set(all_windows[anchor].pairs)
    placed = embedder.embedding(pairs)
    order = sorted(range(len(all_windows)), key=lambda place: abs(place - anchor))
    for place in order[1:]:
        if placed is None or len(placed) == wires:
            break
        new = [pair for pair in sorted(all_windows[place].pairs) if not set(pair) <= placed.keys()]
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
EACH = 2
"""Swaps for each window below which no other router is tried."""
WEIGHTS = Weights(beam=64, window=40, per_swap=3.0, decay=0.8, per_gate=7.0, noise=0.0)
"""Parameters of the comparison of states: all gates done, a swap costs its three CX, and soon."""


def embedded_route(source: Source) -> tuple[Routed, bool] | None:
    """Return the routing with the fewest swaps that was found, None where this is of no use.

    Args:
        source: gates and device, from any layout.

    Returns:
        The routing, and whether a swap, or two, lead from each window to the next.
    """
    device = source.device
    if source.start is not None:
        return None
    wires, count = source.gates.wires, len(source.gates.ends)
    embedder = Embedder(device)
    all_windows = windows(embedder, [(a, b) for a, b in wires.tolist()])
    if not all_windows or max(len(each.pairs) for each in all_windows) < COVERED * count:
        return None
    best: Routed | None = None
    largest = sorted(range(len(all_windows)), key=lambda place: -len(all_windows[place].pairs))
    for anchor in largest[:ANCHORS]:
        layout = layout_around(embedder, all_windows, anchor, count)
        if layout is None:
            continue
        places = _completed(layout, count, device)
        routed = _to_either_end(source, all_windows[anchor].begin, places)
        best = min(best or routed, routed, key=attrgetter("swaps"))
        if best.swaps < len(all_windows):
            break
    return None if best is None else (best, best.swaps < EACH * len(all_windows))


def _completed(layout: Mapping[int, int], count: int, device: Device) -> Integers:
    """Return a qubit for each wire; those that have none get the free ones."""
    places = np.full(count, -1, np.int32)
    places[list(layout)] = list(layout.values())
    free = np.setdiff1d(np.arange(len(device.neighbours)), places).astype(np.int32)
    places[places < 0] = free[: (places < 0).sum()]
    return places


def _to_either_end(source: Source, begin: int, places: Integers) -> Routed:
    """Search to both ends from the gate before which wires are in some places."""
    gates = np.arange(len(source.gates.wires), dtype=np.int32)
    touched = np.ones(len(source.qubits), np.int32)
    after, _ = steps_of(source, gates[begin:], (places, touched, FORWARDS), WEIGHTS, 0)
    before, start = steps_of(source, gates[:begin], (places, touched, BACKWARDS), WEIGHTS, 0)
    return Routed(source, np.concatenate([before[::-1], after]), start)
