"""Beam search over gates and swaps, with the cost of a swap by its effect on its neighbours.

Moves of the mirror search, and their scores.

A state's score is the CX that it is expected to come to, the lower the better:

    score = cost + Σ own + per_gate·left + per_swap·Σ_k decay^layer(k)·(d(p_k, q_k) − 1),

with `cost` the CX so far, Σ own the CX of the gates that are not done, `left` their number, and in
the last sum the first `window` of these in order, their two wires being on qubits p_k and q_k at a
distance of d couplers. A gate's layer is the number of gates that it waits for, one after another.
A swap changes the distances of gates on its two qubits alone, so that its score is the state's
plus that change, plus the CX that the swap adds: none but `RENAMING` on qubits that nothing has
acted on, two with a qubit in |0⟩, the extra cost of the block before it if it is followed by a
swap, else three. The idea of weighting a front layer against later ones is that of SABRE.

References:
    Li, Ding, Xie, "Tackling the qubit mapping problem for NISQ-era quantum devices", ASPLOS 2019,
    arXiv:1809.02573.
"""

from typing import NamedTuple

import numpy as np

from compiler.circuits.matrices import Bits, Integers, Numbers, Reals, Words
from compiler.compiled import cached_njit, njit_view
from compiler.lowering.mirror.problem import Problem
from compiler.lowering.mirror.states import (
    FIRST,
    HALF_SWAP_CX,
    LEFT,
    OWN,
    RENAMING,
    STEP,
    SWAP_CX,
    SWAPS,
    Arena,
    States,
    begin,
    copy_state,
    do_gate,
    do_swap,
    empty_states,
    new_arena,
    path_to,
    roomy,
)

STUCK = 16
"""Swaps without a gate after which only the first gate's wires may be brought closer."""


class Weights(NamedTuple):
    """Parameters of the comparison of states.

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
        ends: the two qubits of each.
        weights: how much each counts.
        layers: room for the layer that each wire has reached.
        found: how many there are, and one that can be done next, or -1.
        swaps: the swaps that may be done next, shape (n, 2), as far as they are counted elsewhere.
        seen: room to mark qubits.
    """

    gates: Integers
    ends: Integers
    weights: Reals
    layers: Integers
    found: Integers
    swaps: Integers
    seen: Bits


class Moves(NamedTuple):
    """Steps to choose from: a state's row and two qubits to swap, or -1 to leave it so."""

    scores: Reals
    steps: Integers
    keys: Words
    used: Integers


@njit_view
def look_ahead(problem: Problem, s: States, row: int, w: Weights, outlook: Outlook) -> None:
    """Fill the outlook of a state; prefer gates that merge with earlier gates on their qubits."""
    wires, distance = problem.wires, problem.distance
    at, missing, partner = s.at[row], s.missing[row], s.partner[row]
    gates, ends, weights, layers = outlook.gates, outlook.ends, outlook.weights, outlook.layers
    layers[:] = 0
    count, ready, merging = 0, -1, False
    for gate in range(s.counts[row, FIRST], len(wires)):
        waits = missing[gate]
        if waits < 0:
            continue
        a, b = wires[gate, 0], wires[gate, 1]
        layer = max(layers[a], layers[b]) if waits else 0
        layers[a] = max(layers[a], layer + 1)
        layers[b] = max(layers[b], layer + 1)
        p, q = at[a], at[b]
        gates[count], ends[count, 0], ends[count, 1] = gate, p, q
        weights[count] = w.decay**layer
        count += 1
        if waits == 0 and not merging and distance[p, q] == 1:
            merging = partner[p] == q and partner[q] == p
            if merging or ready < 0:
                ready = gate
        if count == w.window:
            break
    outlook.found[0], outlook.found[1] = count, ready


@njit_view
def score(problem: Problem, s: States, row: int, w: Weights, outlook: Outlook) -> float:
    """Return the CX that a state is expected to come to."""
    distance, ends, weights = problem.distance, outlook.ends, outlook.weights
    away = 0.0
    for k in range(outlook.found[0]):
        away += weights[k] * (distance[ends[k, 0], ends[k, 1]] - 1)
    left = s.counts[row, OWN] + w.per_gate * s.counts[row, LEFT]
    return float(s.cost[row] + left + w.per_swap * away)


class Scene(NamedTuple):
    """All that stays while moves are proposed."""

    given: Problem
    w: Weights
    arena: Arena
    outlook: Outlook
    layout_keys: Words


@njit_view
def swaps_nearby(scene: Scene, s: States, row: int) -> int:
    """Write down the swaps of wires whose gates can be done next; return how many there are."""
    distance, neighbours = scene.given.distance, scene.given.neighbours
    gates, ends, ahead = scene.outlook.gates, scene.outlook.ends, scene.outlook.found[0]
    missing = s.missing[row]
    stuck = s.counts[row, SWAPS] > STUCK
    swaps, seen = scene.outlook.swaps, scene.outlook.seen
    seen[:] = False
    count = 0
    for k in range(ahead):
        if missing[gates[k]] != 0:
            continue
        for end in range(2):
            p, other = ends[k, end], ends[k, 1 - end]
            if seen[p]:
                continue
            seen[p] = True
            for place in range(neighbours.shape[1]):
                q = neighbours[p, place]
                if q < 0 or seen[q]:
                    continue
                if not stuck or distance[q, other] < distance[p, other]:
                    swaps[count, 0], swaps[count, 1] = p, q
                    count += 1
        if stuck:
            break
    return count


@njit_view
def propose(scene: Scene, s: States, row: int, count: int, moves: Moves) -> None:
    """Add the successor of a state for each of the swaps that are written down."""
    problem, w, outlook = scene.given, scene.w, scene.outlook
    distance, ends, weights, ahead = (
        problem.distance,
        outlook.ends,
        outlook.weights,
        outlook.found[0],
    )
    swaps = outlook.swaps
    held, partner, block, touched = s.held[row], s.partner[row], s.block[row], s.touched[row]
    costs, mirrors, layout_keys = scene.arena.costs, scene.arena.mirrors, scene.layout_keys
    scores, steps, keys, used = moves.scores, moves.steps, moves.keys, moves.used[0]
    base = score(problem, s, row, w, outlook)
    for index in range(count):
        p, q = swaps[index, 0], swaps[index, 1]
        first, second = held[p], held[q]
        change = 0.0
        for k in range(ahead):
            x, y = ends[k, 0], ends[k, 1]
            if x in (p, q) or y in (p, q):
                u = q if x == p else (p if x == q else x)
                v = q if y == p else (p if y == q else y)
                change += weights[k] * (distance[u, v] - distance[x, y])
        if not (touched[p] or touched[q]):
            cost = RENAMING
        elif first < 0 or second < 0:
            cost = HALF_SWAP_CX
        elif partner[p] == q and partner[q] == p:
            cost = float(mirrors[block[p]] - costs[block[p]])
        else:
            cost = SWAP_CX
        key = s.key[row]
        if first >= 0:
            key ^= layout_keys[first, p] ^ layout_keys[first, q]
        if second >= 0:
            key ^= layout_keys[second, p] ^ layout_keys[second, q]
        scores[used] = base + cost + w.per_swap * change + w.noise * np.random.random()
        steps[used, 0], steps[used, 1], steps[used, 2] = row, p, q
        keys[used] = key
        used += 1
    moves.used[0] = used


@njit_view
def add_move(moves: Moves, hope: float, step: tuple[int, int, int], key: np.uint64) -> None:
    """Add one move to those to choose from."""
    index = moves.used[0]
    moves.used[0] += 1
    moves.scores[index], moves.keys[index] = hope, key
    moves.steps[index, 0], moves.steps[index, 1], moves.steps[index, 2] = step


MOVES = 4
"""Moves for each state that is kept which are sorted, unless too many lead to the same states."""


@cached_njit()
def search(
    problem: Problem, start: Integers, touched: Integers, w: Weights, seed: int
) -> tuple[Integers, float, Integers]:
    """Route a circuit.

    Each step does one gate, and may swap its qubits at once; or swaps, where no gate can be
    done. The states that are expected to cost least are kept. A swap may be undone at once, which
    lets a promising state wait for others; forbidding that made routes longer.

    Args:
        problem: the circuit and the device.
        start: shape (wires,), the qubit of each.
        touched: shape (qubits,), 1 where something has acted before.
        w: how states are compared.
        seed: of hashes and noise.

    Returns:
        The steps of the best way found, shape (n, 3), as `realise` takes them; its CX, with a
        small charge for renaming; and the qubit on which each wire ends.
    """
    np.random.seed(seed)
    wires, qubits, gates = len(start), len(problem.distance), len(problem.wires)
    layout_keys = np.random.randint(0, 2**62, (wires, qubits)).astype(np.uint64)
    gate_keys = np.random.randint(0, 2**62, gates).astype(np.uint64)
    outlook = Outlook(
        np.empty(w.window, np.int32),
        np.empty((w.window, 2), np.int32),
        np.empty(w.window),
        np.empty(wires, np.int32),
        np.zeros(2, np.int32),
        np.empty((2 * w.window * problem.neighbours.shape[1], 2), np.int32),
        np.empty(qubits, np.bool_),
    )
    now, then = empty_states(w.beam, problem, wires), empty_states(w.beam, problem, wires)
    begin(problem, start, now)
    now.touched[0] = touched
    arena = new_arena(problem, 8 * w.beam)
    size, best, last, final = 1, np.inf, -1, start.copy()
    moves = _moves(w.beam * (1 + 2 * wires * problem.neighbours.shape[1]))
    while size:
        arena = roomy(arena, 4 * w.beam)
        scene = Scene(problem, w, arena, outlook, layout_keys)
        moves.used[0] = 0
        for row in range(size):
            if now.cost[row] >= best:
                continue
            if now.counts[row, LEFT] == 0:
                best, last = now.cost[row], now.counts[row, STEP]
                final[:] = now.at[row]
                continue
            _expand(scene, now, row, gate_keys, moves)
        enough = MOVES * w.beam
        size = _keep(scene, _promising(moves, enough), now, then, moves)
        if size < w.beam and enough < moves.used[0]:
            size = _keep(scene, _promising(moves, moves.used[0]), now, then, moves)
        now, then = then, now
    return path_to(arena, last), best, final


@cached_njit()
def _moves(size: int) -> Moves:
    return Moves(
        np.empty(size),
        np.empty((size, 3), np.int32),
        np.empty(size, np.uint64),
        np.zeros(1, np.int64),
    )


@cached_njit()
def _promising(moves: Moves, wanted: int) -> Numbers:
    """Return the most promising moves, as many as are wanted or some more, the best first."""
    scores = moves.scores[: moves.used[0]]
    if wanted >= len(scores):
        return np.argsort(scores, kind="mergesort")
    places = np.nonzero(scores <= np.partition(scores, wanted)[wanted])[0]
    return places[np.argsort(scores[places], kind="mergesort")]


@njit_view
def _expand(scene: Scene, s: States, row: int, gate_keys: Words, moves: Moves) -> None:
    """Do a gate, which a swap may follow, or propose all swaps."""
    problem, w, outlook = scene.given, scene.w, scene.outlook
    look_ahead(problem, s, row, w, outlook)
    gate = outlook.found[1]
    if gate < 0:
        propose(scene, s, row, swaps_nearby(scene, s, row), moves)
        return
    do_gate(problem, scene.arena, s, row, gate)
    s.key[row] ^= gate_keys[gate]
    look_ahead(problem, s, row, w, outlook)
    add_move(moves, score(problem, s, row, w, outlook), (row, -1, -1), s.key[row])
    swaps = outlook.swaps
    swaps[0, 0], swaps[0, 1] = s.at[row, problem.wires[gate, 0]], s.at[row, problem.wires[gate, 1]]
    propose(scene, s, row, 1, moves)


@njit_view
def _keep(scene: Scene, order: Numbers, now: States, then: States, moves: Moves) -> int:
    """Do the most promising moves that lead to different states; return their number."""
    size = 0
    for index in order:
        seen = False
        for row in range(size):
            if then.key[row] == moves.keys[index]:
                seen = True
                break
        if seen:
            continue
        row, p, q = moves.steps[index]
        copy_state(now, row, then, size)
        if p >= 0:
            do_swap(scene.arena, then, size, p, q)
            then.key[size] = moves.keys[index]
        size += 1
        if size == scene.w.beam:
            break
    return size
