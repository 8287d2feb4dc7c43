"""Layouts by simulated annealing: wires whose gates are many come to lie next to each other.

SABRE improves layouts by routing to and fro, from random ones. On wide devices it ends far from
the best layout of circuits that need few swaps. The sum of distances of all gates knows no order
of time, but leads there.
"""

from typing import NamedTuple

import numpy as np

from compiler.circuits.matrices import Integers, Reals
from compiler.compiled import cached_njit
from compiler.lowering.mirror.problem import Device

MOVES = 5_000
"""Moves that are tried for each wire."""
WARM, COLD = 4.0, 0.1
"""First and last temperature, in couplers times the gates of an average pair."""
FAR = 0.1
"""Share of the moves that lead anywhere; all others lead next to a wire's partner."""


class Partners(NamedTuple):
    """The wires that each wire has gates with.

    Args:
        offsets: shape (wires + 1,), where each wire's partners begin in the other arrays.
        wires: shape (n,), the partners, one wire's after the other's.
        weights: shape (n,), gates with each, over those of an average pair.
    """

    offsets: Integers
    wires: Integers
    weights: Reals


def annealed(
    wires: Integers, count: int, device: Device, seed: int, moves: int = MOVES
) -> Integers:
    """Return a layout in which the distances between the wires of gates are short in all.

    The cost is Σ over gates of (distance − 1), in couplers.

    Args:
        wires: shape (gates, 2), the wires of each gate.
        count: the number of wires, no more than the device's qubits.
        device: connected qubits.
        seed: of the start and of the moves.
        moves: that are tried for each wire.

    Returns:
        The device's qubit of each wire, shape (count,).

    References:
        Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing", Science 220 (1983).
    """
    pairs, gates = np.unique(np.sort(wires, axis=1), axis=0, return_counts=True)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    order = np.lexsort((both[:, 1], both[:, 0]))
    offsets = np.searchsorted(both[order, 0], np.arange(count + 1)).astype(np.int32)
    average = gates.mean() if len(gates) else 1.0
    weights = np.tile(gates / average, 2)[order]
    partners = Partners(offsets, both[order, 1].astype(np.int32), weights)
    start = np.random.default_rng(seed).permutation(len(device.distance))[:count]
    return _anneal(partners, device, start.astype(np.int32), seed, moves * count)


@cached_njit()
def _anneal(of: Partners, device: Device, places: Integers, seed: int, moves: int) -> Integers:
    np.random.seed(seed)
    offsets, partners, weights = of.offsets, of.wires, of.weights
    distance, neighbours = device.distance, device.neighbours
    count, qubits = len(places), len(distance)
    held = np.full(qubits, -1, np.int32)
    for wire in range(count):
        held[places[wire]] = wire
    temperature, cooling = WARM, (COLD / WARM) ** (1.0 / max(moves, 1))
    for _ in range(moves):
        temperature *= cooling
        wire = np.random.randint(count)
        first, last = offsets[wire], offsets[wire + 1]
        if first == last:
            continue
        partner = partners[first + np.random.randint(last - first)]
        there = neighbours[places[partner], np.random.randint(neighbours.shape[1])]
        if np.random.random() < FAR:
            there = np.random.randint(qubits)
        here = places[wire]
        if there < 0 or there == here:
            continue
        other, change = held[there], 0.0
        for k in range(first, last):
            if partners[k] != other:
                at = places[partners[k]]
                change += weights[k] * (distance[there, at] - distance[here, at])
        if other >= 0:
            for k in range(offsets[other], offsets[other + 1]):
                if partners[k] != wire:
                    at = places[partners[k]]
                    change += weights[k] * (distance[here, at] - distance[there, at])
        if change <= 0 or np.random.random() < np.exp(-change / temperature):
            places[wire], held[there], held[here] = there, wire, other
            if other >= 0:
                places[other] = here
    return places
