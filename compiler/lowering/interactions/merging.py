"""Fewer interactions: those on one pair of wires that can meet become one product."""

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from compiler.circuits.matrices import Matrix
from compiler.lowering.interactions.interactions import (
    Interactions,
    Vectors,
    canonical,
    exponential,
    turned_back,
)
from compiler.lowering.interactions.order import commute

MOST_TOGETHER = 4
"""Interactions that are merged at once; any product needs no more than three."""


@frozen(eq=False)
class _Item:
    pair: NDArray[np.int64]
    axes: Vectors
    angle: float

    def commutes(self, other: "_Item") -> bool:
        return bool(commute(self.pair, self.axes, other.pair, other.axes))

    def axis(self, wire: int) -> Vectors:
        axis: Vectors = self.axes[int(self.pair[1] == wire)]
        return axis

    def turned_back(self, wire: int, unitary: Matrix) -> "_Item":
        if wire not in self.pair:
            return self
        axes = self.axes.copy()
        k = int(self.pair[1] == wire)
        axes[k] = turned_back(axes[k], unitary)
        return _Item(self.pair, axes, self.angle)


def merged(interactions: Interactions) -> Interactions:
    """Return the same unitary in fewer interactions if there are any that can be merged.

    Interactions on one pair of wires that can be brought together, past all that they commute
    with, are replaced by their product's canonical form if that has fewer interactions; it
    never needs more CX. Of two CX that share an axis one interaction with another angle is
    left, of two equal ones nothing.
    """
    while len(fewer := _merged_once(interactions)) < len(interactions):
        interactions = fewer
    return interactions


def _merged_once(interactions: Interactions) -> Interactions:
    items: list[_Item] = []
    ends: list[Matrix] = [np.eye(2, dtype=np.complex128) for _ in interactions.ends]
    for i in range(len(interactions)):
        pair = interactions.pairs[i]
        axes = [turned_back(interactions.axes[i, k], ends[pair[k]]) for k in range(2)]
        items.append(_Item(pair, np.array(axes), float(interactions.angles[i])))
        for group in _meetings(items):
            if _replace(items, group, ends):
                break
    return Interactions(
        np.array([item.pair for item in items], dtype=np.int64).reshape(-1, 2),
        np.array([item.axes for item in items], dtype=np.float64).reshape(-1, 2, 3),
        np.array([item.angle for item in items], dtype=np.float64),
        interactions.ends @ np.array(ends).reshape(-1, 2, 2),
    )


def _meetings(items: Sequence[_Item]) -> Iterator[list[int]]:
    """Yield groups on the last item's pair that can be moved to where their first one is."""
    last = len(items) - 1
    wires = set(items[last].pair.tolist())
    for i in range(last - 1, -1, -1):
        if wires == set(items[i].pair.tolist()):
            yield [i, last]
        if not items[last].commutes(items[i]):
            break
    group = [last]
    for i in range(last - 1, -1, -1):
        if wires == set(items[i].pair.tolist()):
            group.insert(0, i)
            if len(group) > 2:
                yield group
            if len(group) == MOST_TOGETHER:
                break
        elif not all(items[j].commutes(items[i]) for j in group):
            break


def _replace(items: list[_Item], group: Sequence[int], ends: list[Matrix]) -> bool:
    """Merge a group if that leaves fewer, and pull the one-qubit gates this gives through."""
    pair = items[group[0]].pair
    product = np.eye(4, dtype=np.complex128)
    for j in group:
        low, high = (items[j].axis(wire) for wire in pair)
        product = exponential(low, high, items[j].angle) @ product
    angles, before, after = canonical(product)
    if len(angles) >= len(group):
        return False
    place = group[0]
    for j in reversed(group):
        del items[j]
    for k in range(2):
        turn, wire = after[k] @ before[k], pair[k]
        ends[wire] = ends[wire] @ turn
        for j in range(place, len(items)):
            items[j] = items[j].turned_back(int(wire), turn)
    for k, theta in angles:
        axes = np.array([turned_back(np.eye(3)[k], gate) for gate in before])
        axes[0] *= np.sign(theta)
        items.insert(place, _Item(pair, axes, abs(theta)))
    return True
