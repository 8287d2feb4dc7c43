"""Routing from layouts that need no swap for long: the longest windows are embedded as they are.

Some circuits fit a device for hundreds of gates, then again after a few swaps. Swap by swap
nobody finds that: the layout decides. So the circuit is cut into windows that embed, the largest
of them into the device, and swaps are looked for from there to either end.
"""

from collections.abc import Mapping

import numpy as np
from attrs import frozen

from compiler.lowering.arrays import Integers
from compiler.lowering.draft import Setting
from compiler.lowering.embeddings.fewest_swaps import fewest_swaps
from compiler.lowering.embeddings.running import gates_of
from compiler.lowering.embeddings.windows import Embedder, layout_around, windows
from compiler.lowering.mirror.problem import Device, device_of
from compiler.lowering.mirror.realise import SWAP
from compiler.lowering.mirror.source import Routed, Source, largest_component

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
