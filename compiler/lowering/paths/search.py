"""Routing of one stretch of a circuit, gate by gate along cheapest paths.

Of the gates that can be done next, a few whose wires are close are compared. The wires of a gate
meet somewhere on a cheapest path between their qubits, and all wires on the path move on by one
coupler. A candidate's score is

    CX of its swaps + pull·(Σ_w φ(w) after them − Σ_w φ(w) before),
    φ(w) = home·d(w, home of w) + Σ_k decay^k·d(w, partner of w's k-th next gate),

with distances d in couplers, over the wires w on the path. A wire gets its qubit at its first gate:
any one that no gate has acted on will do, and the wire has been there from the start. A swap that
follows a CX on the same qubits takes one more CX, one with a qubit in |0⟩ two, any other three.

A wire that is done with is reset after its last gate: what is on its qubit is fresh again, the
beginning of another stretch.
"""

from typing import NamedTuple

import numpy as np

from compiler.circuits.matrices import Bits, Integers, Reals
from compiler.compiled import cached_njit, njit_view
from compiler.lowering.mirror.problem import Device
from compiler.lowering.paths.state import Gates, State

SWAP, RESET = -1, -2
"""Stand for a swap, and for the end of a wire's stretch, where a step would name a gate."""
HOME = 10.0
"""CX that each coupler from its home counts for when a wire gets its qubit."""
HERE = 0.5
"""Distance of a gate that merges with the one before it on the same qubits."""
PLACING, PLACING_BOTH = 1.5, 1.7
"""Distance that stands for a gate with a wire that has no qubit, or with two."""
ROOM = 64
"""Steps for each gate that there is room for."""


class Weights(NamedTuple):
    """Parameters of the scores.

    Args:
        ahead: gates of each wire that are looked ahead to.
        decay: by how much each counts less than the one before it.
        pull: CX that each coupler counts for.
        home: by how much the distance from home counts more than a gate's.
        choices: gates that are compared.
        slack: couplers by which they may be farther away than the nearest one.
        order: couplers that a gate counts as farther away for each place in the program's order.
        noise: the greatest random addition to a score.
        seed: of random additions.
    """

    ahead: int
    decay: float
    pull: float
    home: float
    choices: int
    slack: float
    order: float
    noise: float
    seed: int


class Scene(NamedTuple):
    """All that stays while the gates before `end` are done, and room for one search."""

    gates: Gates
    end: int
    device: Device
    w: Weights
    length: Reals
    before: Integers
    seen: Bits
    path: Integers
    best: Integers


@njit_view
def _pull(scene: Scene, s: State, wire: int, place: int, without: int) -> float:
    """Return φ of a wire as if it were on a qubit, without one of its gates."""
    gates, distance, w = scene.gates, scene.device.distance, scene.w
    total, weight, count = 0.0, 1.0, 0
    if gates.homes[wire] >= 0:
        total += w.home * distance[place, gates.homes[wire]]
    for k in range(s.next[wire], gates.firsts[wire + 1]):
        gate = gates.own[k]
        if s.done[gate] or gate == without:
            continue
        a, b = gates.wires[gate]
        other = b if a == wire else a
        there = s.at[other] if s.at[other] >= 0 else gates.homes[other]
        if there >= 0:
            total += weight * distance[place, there]
        weight *= w.decay
        count += 1
        if count == w.ahead:
            break
    return total


@njit_view
def _bind(scene: Scene, s: State, wire: int, near: int, without: int) -> None:
    """Put a wire without a gate so far on a free qubit."""
    distance, home = scene.device.distance, scene.gates.homes[wire]
    best, least = -1, np.inf
    for place in range(len(s.held)):
        if s.held[place] < 0 and s.fresh[place]:
            score = scene.w.pull * _pull(scene, s, wire, place, without)
            if home >= 0:
                score += HOME * distance[place, home]
            if near >= 0:
                score += 2.0 * (distance[place, near] - 1)
            if score < least:
                best, least = place, score
    if best < 0:
        raise ValueError("no qubit is free")
    s.at[wire], s.held[best], s.start[wire] = best, wire, s.origin[best]


@njit_view
def _price(s: State, a: int, b: int) -> int:
    """Return the CX that a swap adds which moves a wire from a qubit to another one."""
    if s.partner[a] == b and s.partner[b] == a:
        return 1 if s.block[a] < 3 else 0
    return 2 if s.zero and s.fresh[b] else 3


@njit_view
def _swap(s: State, a: int, b: int) -> int:
    """Swap two qubits; return the CX that are added."""
    first, second = s.held[a], s.held[b]
    s.held[a], s.held[b] = second, first
    if first >= 0:
        s.at[first] = b
    if second >= 0:
        s.at[second] = a
    if s.fresh[a] and s.fresh[b]:
        # They were so from the start.
        if first >= 0:
            s.start[first] = s.origin[b]
        if second >= 0:
            s.start[second] = s.origin[a]
        return 0
    added = _price(s, b, a) if s.fresh[a] else _price(s, a, b)
    again = s.partner[a] == b and s.partner[b] == a
    s.block[a] = s.block[b] = s.block[a] + added if again else added
    s.partner[a], s.partner[b] = b, a
    s.fresh[a], s.fresh[b] = s.fresh[b], s.fresh[a]
    s.origin[a], s.origin[b] = s.origin[b], s.origin[a]
    return added


@njit_view
def _find_path(scene: Scene, s: State, p: int, q: int) -> int:
    """Write a cheapest path between two qubits into `path`; return how many qubits it has."""
    distance, neighbours = scene.device.distance, scene.device.neighbours
    length, before, seen, path = scene.length, scene.before, scene.seen, scene.path
    length[:] = np.inf
    seen[:] = False
    length[p], before[p] = 0.0, -1
    while not seen[q]:
        here, least = -1, np.inf
        for place in range(len(length)):
            if not seen[place] and length[place] < np.inf:
                # Few hops take less than two CX.
                estimate = length[place] + 2.0 * distance[place, q]
                if estimate < least:
                    here, least = place, estimate
        seen[here] = True
        for k in range(neighbours.shape[1]):
            there = neighbours[here, k]
            if there >= 0 and not seen[there]:
                price = float(_price(s, here, there))
                if length[here] + price < length[there]:
                    length[there], before[there] = length[here] + price, here
    size, place = 0, q
    while place >= 0:
        path[size] = place
        size, place = size + 1, before[place]
    for k in range(size // 2):
        path[k], path[size - 1 - k] = path[size - 1 - k], path[k]
    return size


@njit_view
def _moved(s: State, path: Integers, size: int, meeting: int) -> float:
    """Move the wires on a path in `at` alone; return the CX of the swaps.

    The first wire of the path moves to the place `meeting`, and the last one to that after it.
    """
    price = 0.0
    first, last = s.held[path[0]], s.held[path[size - 1]]
    for k in range(1, meeting + 1):
        wire = s.held[path[k]]
        if wire >= 0:
            s.at[wire] = path[k - 1]
        price += _price(s, path[k - 1], path[k])
    for k in range(meeting + 1, size - 1):
        wire = s.held[path[k]]
        if wire >= 0:
            s.at[wire] = path[k + 1]
        price += _price(s, path[k + 1], path[k])
    s.at[first], s.at[last] = path[meeting], path[meeting + 1]
    return price


@njit_view
def _around(scene: Scene, s: State, path: Integers, size: int, gate: int) -> float:
    """Return Σ φ of the wires on a path."""
    total = 0.0
    for k in range(size):
        wire = s.held[path[k]]
        if wire >= 0:
            total += _pull(scene, s, wire, s.at[wire], gate)
    return total


@njit_view
def _nearness(scene: Scene, s: State, gate: int, first: int) -> float:
    """Return by how many couplers a gate counts as away."""
    a, b = scene.gates.wires[gate]
    p, q = s.at[a], s.at[b]
    if p < 0 or q < 0:
        return PLACING_BOTH if p < 0 and q < 0 else PLACING
    distance = scene.device.distance[p, q]
    if distance == 1:
        return HERE if s.partner[p] == q and s.partner[q] == p else 1.0
    return float(distance) + scene.w.order * (gate - first)


@cached_njit()
def _scene(gates: Gates, end: int, device: Device, w: Weights) -> Scene:
    qubits = len(device.distance)
    return Scene(
        gates,
        end,
        device,
        w,
        np.empty(qubits),
        np.empty(qubits, np.int32),
        np.empty(qubits, np.bool_),
        np.empty(qubits, np.int32),
        np.empty(qubits, np.int32),
    )


@njit_view
def _nearest(scene: Scene, s: State, ready: Integers, chosen: Integers, away: Reals) -> int:
    """Write down the gates whose wires are nearest, the nearest first; return how many."""
    first, count = ready[0], 0
    for gate in ready:
        first = min(first, gate)
    for gate in ready:
        distance = _nearness(scene, s, gate, first)
        if count < len(chosen):
            count += 1
        elif distance >= away[count - 1]:
            continue
        place = count - 1
        while place > 0 and away[place - 1] > distance:
            chosen[place], away[place] = chosen[place - 1], away[place - 1]
            place -= 1
        chosen[place], away[place] = gate, distance
    return count


@njit_view
def _place(scene: Scene, s: State, gate: int) -> None:
    """Give a wire of a gate its qubit: if neither has one, to one with a home."""
    a, b = scene.gates.wires[gate]
    if s.at[a] >= 0 or (s.at[b] < 0 and scene.gates.homes[a] < 0):
        a, b = b, a
    if s.at[b] < 0:
        _bind(scene, s, a, -1, -1)
    else:
        _bind(scene, s, a, s.at[b], gate)


@njit_view
def _cheapest(
    scene: Scene, s: State, chosen: Integers, away: Reals, count: int
) -> tuple[int, int, int]:
    """Write the best path into `best`; return its gate, its qubits, and where the wires meet."""
    w, path = scene.w, scene.path
    gate, size, meeting, least = chosen[0], 0, 0, np.inf
    for k in range(count):
        if away[k] > away[0] + w.slack:
            break
        a, b = scene.gates.wires[chosen[k]]
        length = _find_path(scene, s, s.at[a], s.at[b])
        before = _around(scene, s, path, length, chosen[k])
        for middle in range(length - 1):
            score = _moved(s, path, length, middle) + w.noise * np.random.random()
            score += w.pull * (_around(scene, s, path, length, chosen[k]) - before)
            if score < least:
                least, size, meeting, gate = score, length, middle, chosen[k]
                for place in range(size):
                    scene.best[place] = path[place]
        for place in path[:length]:
            if s.held[place] >= 0:
                s.at[s.held[place]] = place
    return gate, size, meeting


@njit_view
def _do(gates: Gates, s: State, gate: int) -> int:
    """Do a gate; return the CX that are added."""
    a, b = gates.wires[gate]
    p, q = s.at[a], s.at[b]
    again = s.partner[p] == q and s.partner[q] == p
    added = 1 if not again or s.block[p] == 1 else 0
    s.block[p] = s.block[q] = s.block[p] + added if again else added
    s.partner[p], s.partner[q] = q, p
    s.fresh[p] = s.fresh[q] = False
    s.done[gate] = True
    for wire in (a, b):
        while s.next[wire] < gates.firsts[wire + 1] and s.done[gates.own[s.next[wire]]]:
            s.next[wire] += 1
    return added


@njit_view
def _release(s: State, wire: int) -> None:
    """Begin another stretch on the qubit of a wire that is done with."""
    place = s.at[wire]
    s.end[wire] = s.stretch[place]
    s.stretch[place] += len(s.held)
    s.origin[place] = s.stretch[place]
    s.at[wire], s.held[place], s.partner[place] = -1, -1, -1
    s.fresh[place] = True


@njit_view
def _update(scene: Scene, s: State, gate: int, ready: Integers, waiting: int) -> int:
    """Replace a gate that is done by those that only waited for it; return how many are ready."""
    gates, place = scene.gates, 0
    while ready[place] != gate:
        place += 1
    waiting -= 1
    ready[place] = ready[waiting]
    for k in range(gates.offsets[gate], gates.offsets[gate + 1]):
        later = gates.dependants[k]
        s.missing[later] -= 1
        if s.missing[later] == 0 and later < scene.end:
            ready[waiting] = later
            waiting += 1
    return waiting


@cached_njit()
def route(
    gates: Gates, device: Device, s: State, span: tuple[int, int], w: Weights
) -> tuple[Integers, int]:
    """Do some gates that follow each other, and change the state.

    Args:
        gates: all gates.
        device: connected qubits, no fewer than wires.
        s: the state before.
        span: the first of them, and the one after the last.
        w: parameters.

    Returns:
        Steps, shape (n, 3), each a gate's index or `SWAP`, and the two qubits that it acts on, or
        `RESET`, a qubit and the wire that ends there; and the CX that they come to.
    """
    np.random.seed(w.seed)
    begin, end = span
    scene = _scene(gates, end, device, w)
    steps = np.empty((ROOM * (end - begin) + len(device.distance), 3), np.int32)
    ready = np.empty(end - begin, np.int32)
    chosen, away = np.empty(w.choices, np.int32), np.empty(w.choices)
    used, cost, waiting = 0, 0, 0
    for gate in range(begin, end):
        if s.missing[gate] == 0:
            ready[waiting] = gate
            waiting += 1
    while waiting:
        count = _nearest(scene, s, ready[:waiting], chosen, away)
        if 1.0 < away[0] < 2.0:
            _place(scene, s, chosen[0])
            continue
        gate, size, meeting = chosen[0], 2, 0
        if away[0] > 1.0:
            gate, size, meeting = _cheapest(scene, s, chosen, away, count)
        for k in range(size - 2):
            here = k if k < meeting else size - 1 - k + meeting
            there = here + 1 if k < meeting else here - 1
            p, q = scene.best[here], scene.best[there]
            steps[used, 0], steps[used, 1], steps[used, 2] = SWAP, p, q
            cost += _swap(s, p, q)
            used += 1
        cost += _do(gates, s, gate)
        a, b = gates.wires[gate]
        steps[used, 0], steps[used, 1], steps[used, 2] = gate, s.at[a], s.at[b]
        used += 1
        for wire in (a, b):
            if gates.done_with[wire] and s.next[wire] == gates.firsts[wire + 1]:
                steps[used, 0], steps[used, 1], steps[used, 2] = RESET, s.at[wire], wire
                used += 1
                _release(s, wire)
        waiting = _update(scene, s, gate, ready, waiting)
    return steps[:used].copy(), cost


@cached_njit()
def bind(gates: Gates, device: Device, s: State, wires: Integers, w: Weights) -> None:
    """Give wires qubits before their first gate on two wires, as others act on them."""
    scene = _scene(gates, len(gates.wires), device, w)
    for wire in wires:
        if s.at[wire] < 0:
            _bind(scene, s, wire, -1, -1)
            s.fresh[s.at[wire]] = False


@cached_njit()
def outlook(gates: Gates, device: Device, s: State, w: Weights) -> float:
    """Return Σ φ of all wires that have gates left."""
    scene = _scene(gates, len(gates.wires), device, w)
    total = 0.0
    for wire in range(len(s.at)):
        if s.at[wire] >= 0 and s.next[wire] < gates.firsts[wire + 1]:
            total += _pull(scene, s, wire, s.at[wire], -1)
    return total
