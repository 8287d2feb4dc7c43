"""What the mirror search may do next, and how promising it is."""

from typing import NamedTuple

import numpy as np
from numba import njit

from compiler.lowering.arrays import Integers, Reals
from compiler.lowering.mirror.arena import SWAP_CX, Arena
from compiler.lowering.mirror.problem import Problem
from compiler.lowering.mirror.states import (
    FIRST,
    HALF_SWAP_CX,
    LEFT,
    OWN,
    RENAMING,
    SWAPS,
    Keys,
    States,
)

STUCK = 16
"""Swaps without a gate after which only the first gate's wires may be brought closer."""


class Weights(NamedTuple):
    """How states are compared.

    Args:
        beam: states that are kept at each step.
        window: gates that are looked ahead to.
        per_swap: CX that each coupler between the wires of a gate is expected to cost.
        decay: by how much a gate counts less than those that it waits for.
        per_gate: CX that each gate not done is expected to cost beyond its own.
        noise: the greatest random addition to a score.
    """

    beam: int
    window: int
    per_swap: float
    decay: float
    per_gate: float
    noise: float


class Outlook(NamedTuple):
    """The gates that a state looks ahead to.

    Args:
        gates: their indices.
        weights: how much each counts.
        layers: room for the layer that each wire has reached.
        found: how many there are, and one that can be done next, or -1.
    """

    gates: Integers
    weights: Reals
    layers: Integers
    found: Integers


class Moves(NamedTuple):
    """Steps to choose from: a state's row and two qubits to swap, or -1 to leave it so."""

    scores: Reals
    steps: Integers
    keys: Keys
    used: Integers


@njit(cache=True)
def look_ahead(given: Problem, s: States, row: int, w: Weights, outlook: Outlook) -> None:
    """Fill the outlook of a state; prefer gates that merge with what is on their qubits."""
    outlook.layers[:] = 0
    count, ready, merging = 0, -1, False
    for gate in range(s.counts[row, FIRST], len(given.wires)):
        waits = s.missing[row, gate]
        if waits < 0:
            continue
        a, b = given.wires[gate]
        layer = max(outlook.layers[a], outlook.layers[b]) if waits else 0
        outlook.layers[a] = max(outlook.layers[a], layer + 1)
        outlook.layers[b] = max(outlook.layers[b], layer + 1)
        outlook.gates[count], outlook.weights[count] = gate, w.decay**layer
        count += 1
        p, q = s.at[row, a], s.at[row, b]
        if waits == 0 and not merging and given.distance[p, q] == 1:
            merging = s.partner[row, p] == q and s.partner[row, q] == p
            if merging or ready < 0:
                ready = gate
        if count == w.window:
            break
    outlook.found[0], outlook.found[1] = count, ready


@njit(cache=True)
def score(given: Problem, s: States, row: int, w: Weights, outlook: Outlook) -> float:
    """Return the CX that a state is expected to come to."""
    away = 0.0
    for k in range(outlook.found[0]):
        a, b = given.wires[outlook.gates[k]]
        away += outlook.weights[k] * (given.distance[s.at[row, a], s.at[row, b]] - 1)
    left = s.counts[row, OWN] + w.per_gate * s.counts[row, LEFT]
    return float(s.cost[row] + left + w.per_swap * away)


class Scene(NamedTuple):
    """All that stays while moves are proposed."""

    given: Problem
    w: Weights
    arena: Arena
    outlook: Outlook
    layout_keys: Keys


@njit(cache=True)
def swaps_nearby(scene: Scene, s: States, row: int) -> Integers:
    """Return the swaps of wires whose gates can be done next, shape (n, 2)."""
    given, outlook = scene.given, scene.outlook
    stuck = s.counts[row, SWAPS] > STUCK
    found = np.empty((2 * outlook.found[0] * given.neighbours.shape[1], 2), np.int32)
    seen = np.zeros(len(given.distance), np.bool_)
    count = 0
    for k in range(outlook.found[0]):
        gate = outlook.gates[k]
        if s.missing[row, gate] != 0:
            continue
        for end in range(2):
            p = s.at[row, given.wires[gate, end]]
            other = s.at[row, given.wires[gate, 1 - end]]
            if seen[p]:
                continue
            seen[p] = True
            for q in given.neighbours[p]:
                closer = given.distance[q, other] < given.distance[p, other]
                if q < 0 or seen[q]:
                    continue
                if closer or not stuck:
                    found[count, 0], found[count, 1] = p, q
                    count += 1
        if stuck:
            break
    return found[:count]


@njit(cache=True)
def propose(scene: Scene, s: States, row: int, swaps: Integers, moves: Moves) -> None:
    """Add what each of some swaps makes of a state."""
    given, w, outlook = scene.given, scene.w, scene.outlook
    base = score(given, s, row, w, outlook)
    for index in range(len(swaps)):
        p, q = swaps[index]
        first, second = s.held[row, p], s.held[row, q]
        change = 0.0
        for k in range(outlook.found[0]):
            a, b = given.wires[outlook.gates[k]]
            if a in (first, second) or b in (first, second):
                x, y = s.at[row, a], s.at[row, b]
                u = q if x == p else (p if x == q else x)
                v = q if y == p else (p if y == q else y)
                change += outlook.weights[k] * (given.distance[u, v] - given.distance[x, y])
        if not (s.touched[row, p] or s.touched[row, q]):
            cost = RENAMING
        elif first < 0 or second < 0:
            cost = HALF_SWAP_CX
        elif s.partner[row, p] == q and s.partner[row, q] == p:
            block = s.block[row, p]
            cost = float(scene.arena.mirrors[block] - scene.arena.costs[block])
        else:
            cost = SWAP_CX
        key = s.key[row]
        if first >= 0:
            key ^= scene.layout_keys[first, p] ^ scene.layout_keys[first, q]
        if second >= 0:
            key ^= scene.layout_keys[second, p] ^ scene.layout_keys[second, q]
        hope = base + cost + w.per_swap * change + w.noise * np.random.random()
        add_move(moves, hope, (row, p, q), key)


@njit(cache=True)
def add_move(moves: Moves, hope: float, step: tuple[int, int, int], key: np.uint64) -> None:
    """Add one move to those to choose from."""
    index = moves.used[0]
    moves.used[0] += 1
    moves.scores[index], moves.keys[index] = hope, key
    moves.steps[index, 0], moves.steps[index, 1], moves.steps[index, 2] = step
