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

States of the mirror search, and the actions of gates and swaps on them.

Blocks and steps that states of the mirror search share.
"""

from typing import NamedTuple

import numpy as np

from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.matrices import Bits, Integers, Matrix, Numbers, Reals, Words
from compiler.compiled import cached_njit, njit_view
from compiler.lowering.mirror.collapse import mirror, multiply
from compiler.lowering.mirror.problem import Problem
from compiler.lowering.mirror.unitaries import SWAP

SWAP_CX = 3.0


class Arena(NamedTuple):
    """Blocks and steps that states refer to, and how many of each are in use.

    Block 0 is a swap; the problem's blocks follow. `mirrors` are the CX of the blocks followed
    by a swap, and `mirror` is room for one of these. A step is its predecessor, a gate or `SWAP`,
    and two qubits.
    """

    blocks: Matrix
    costs: Integers
    mirrors: Integers
    mirror: Matrix
    steps: Integers
    used: Integers


@cached_njit()
def new_arena(problem: Problem, size: int) -> Arena:
    """Return an arena with the problem's blocks and room for more."""
    base = 1 + len(problem.blocks)
    arena = Arena(
        np.zeros((base + size, 4, 4), np.complex128),
        np.zeros(base + size, np.int32),
        np.zeros(base + size, np.int32),
        np.empty((4, 4), np.complex128),
        np.zeros((size, 4), np.int32),
        np.array([base, 0], np.int32),
    )
    for row, column in ((0, 0), (1, 2), (2, 1), (3, 3)):
        arena.blocks[0, row, column] = 1
    arena.costs[0] = SWAP_CX
    for index in range(len(problem.blocks)):
        arena.blocks[1 + index] = problem.blocks[index]
        arena.costs[1 + index] = problem.costs[index]
        arena.mirrors[1 + index] = problem.costs[index ^ 2]
    return arena


@cached_njit()
def roomy(arena: Arena, needed: int) -> Arena:
    """Return an arena with room for so many more blocks and steps."""
    if max(arena.used[0], arena.used[1]) + needed < len(arena.steps):
        return arena
    size = 2 * len(arena.blocks) + needed
    larger = Arena(
        np.empty((size, 4, 4), np.complex128),
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        arena.mirror,
        np.empty((size, 4), np.int32),
        arena.used,
    )
    larger.blocks[: len(arena.blocks)] = arena.blocks
    larger.costs[: len(arena.costs)] = arena.costs
    larger.mirrors[: len(arena.mirrors)] = arena.mirrors
    larger.steps[: len(arena.steps)] = arena.steps
    return larger


@njit_view
def add_product(arena: Arena, after: int, before: int) -> int:
    """Add the block that two blocks make, for which there must be room; return its index."""
    index, blocks = arena.used[0], arena.blocks
    multiply(blocks[after], blocks[before], blocks[index])
    return _added(arena)


@njit_view
def add_mirrored(arena: Arena, block: int) -> int:
    """Add a block followed by a swap, for which there must be room; return its index."""
    index, blocks = arena.used[0], arena.blocks
    mirror(blocks[block], blocks[index])
    return _added(arena)


@njit_view
def _added(arena: Arena) -> int:
    """Count the CX of a block that has been written, and return its index."""
    index, blocks = arena.used[0], arena.blocks
    arena.used[0] += 1
    arena.costs[index] = cx_cost(blocks[index])
    mirror(blocks[index], arena.mirror)
    arena.mirrors[index] = cx_cost(arena.mirror)
    return int(index)


@njit_view
def add_step(arena: Arena, last: int, step: tuple[int, int, int]) -> int:
    """Add a step after another one, for which there must be room, and return its index."""
    index, steps = arena.used[1], arena.steps
    arena.used[1] += 1
    steps[index, 0] = last
    steps[index, 1], steps[index, 2], steps[index, 3] = step
    return int(index)


@cached_njit()
def path_to(arena: Arena, last: int) -> Integers:
    """Return the steps that lead to a step, shape (n, 3), the first one first."""
    size, step = 0, last
    while step >= 0:
        size += 1
        step = arena.steps[step, 0]
    path = np.empty((size, 3), np.int32)
    step = last
    for index in range(size - 1, -1, -1):
        path[index] = arena.steps[step, 1:]
        step = arena.steps[step, 0]
    return path


HALF_SWAP_CX = 2.0
RENAMING = 0.1
"""The search's cost of a swap of untouched qubits, so that it does not swap on and on."""


class States(NamedTuple):
    """States of the search, one in each row.

    Invariants: `held[at[w]] = w` for each wire w; where `partner[p] = q`, also `partner[q] = p` and
    `block[p] = block[q]`, unless another gate has taken p or q since; `counts[FIRST]` is the first
    gate with `missing` ≥ 0. `cost` adds up the CX of all blocks so far, a block that a gate or swap
    has joined counting once, and `RENAMING` for each swap of untouched qubits. `key` is the
    exclusive or of one random word for each wire on its qubit and for each gate that is done.

    Args:
        rows: all that follows but `cost` and `key`, side by side, so that it is copied at once.
        at: the qubit of each wire.
        held: the wire of each qubit, or -1.
        missing: for how many gates each gate still waits, or -1 if it is done.
        partner: the qubit with which each qubit shares its last block, or -1.
        block: that block's index in the arena.
        touched: 1 for qubits that something has acted on.
        counts: the first gate that is not done, the number of gates not done, their CX, the
            swaps since the last gate, and the last step's index in the arena.
        cost: CX so far.
        key: a hash of the layout and of the gates that are done.
    """

    rows: Integers
    at: Integers
    held: Integers
    missing: Integers
    partner: Integers
    block: Integers
    touched: Integers
    counts: Integers
    cost: Reals
    key: Words


FIRST, LEFT, OWN, SWAPS, STEP = range(5)
"""Columns of `States.counts`."""


@cached_njit()
def empty_states(size: int, problem: Problem, wires: int) -> States:
    """Return rows that are to be filled."""
    qubits, gates = len(problem.distance), len(problem.wires)
    rows = np.full((size, wires + 4 * qubits + gates + 5), -1, np.int32)
    held, missing = wires, wires + qubits
    partner = missing + gates
    block, touched = partner + qubits, partner + 2 * qubits
    counts = touched + qubits
    rows[:, touched:] = 0
    return States(
        rows,
        rows[:, :held],
        rows[:, held:missing],
        rows[:, missing:partner],
        rows[:, partner:block],
        rows[:, block:touched],
        rows[:, touched:counts],
        rows[:, counts:],
        np.zeros(size),
        np.zeros(size, np.uint64),
    )


@cached_njit()
def begin(problem: Problem, start: Integers, s: States) -> None:
    """Fill row 0 with a layout and nothing done."""
    s.at[0] = start
    s.held[0][start] = np.arange(len(start))
    s.missing[0] = problem.missing
    s.counts[0, LEFT] = len(problem.wires)
    s.counts[0, OWN] = problem.costs[::4].sum()
    s.counts[0, STEP] = -1


@njit_view
def copy_state(source: States, row: int, target: States, to: int) -> None:
    """Copy a row."""
    for column in range(source.rows.shape[1]):
        target.rows[to, column] = source.rows[row, column]
    target.cost[to] = source.cost[row]
    target.key[to] = source.key[row]


@njit_view
def do_gate(problem: Problem, arena: Arena, s: States, row: int, gate: int) -> None:
    """Do a gate whose wires are on coupled qubits."""
    p, q = s.at[row, problem.wires[gate, 0]], s.at[row, problem.wires[gate, 1]]
    block = 1 + 4 * gate + (p > q)
    s.cost[row] += arena.costs[block]
    if s.partner[row, p] == q and s.partner[row, q] == p:
        old = s.block[row, p]
        block = add_product(arena, block, old)
        s.cost[row] += arena.costs[block] - arena.costs[old] - problem.costs[4 * gate]
    _join(s, row, p, q, block)
    s.missing[row, gate] = -1
    for k in range(problem.offsets[gate], problem.offsets[gate + 1]):
        s.missing[row, problem.dependants[k]] -= 1
    while s.counts[row, FIRST] < len(problem.wires) and s.missing[row, s.counts[row, FIRST]] < 0:
        s.counts[row, FIRST] += 1
    s.counts[row, LEFT] -= 1
    s.counts[row, OWN] -= problem.costs[4 * gate]
    s.counts[row, SWAPS] = 0
    s.counts[row, STEP] = add_step(arena, s.counts[row, STEP], (gate, p, q))


@njit_view
def do_swap(arena: Arena, s: States, row: int, p: int, q: int) -> None:
    """Swap two coupled qubits, at least one of which holds a wire."""
    a, b = s.held[row, p], s.held[row, q]
    merges = s.partner[row, p] == q and s.partner[row, q] == p
    if not (s.touched[row, p] or s.touched[row, q]):
        s.cost[row] += RENAMING
    elif a < 0 or b < 0:
        s.cost[row] += HALF_SWAP_CX
        _join(s, row, p, q, -1)
        s.partner[row, p] = s.partner[row, q] = -1
    elif merges:
        old = s.block[row, p]
        s.cost[row] += arena.mirrors[old] - arena.costs[old]
        _join(s, row, p, q, add_mirrored(arena, old))
    else:
        s.cost[row] += SWAP_CX
        _join(s, row, p, q, 0)
    s.counts[row, SWAPS] += 1
    s.held[row, p], s.held[row, q] = b, a
    if a >= 0:
        s.at[row, a] = q
    if b >= 0:
        s.at[row, b] = p
    s.counts[row, STEP] = add_step(arena, s.counts[row, STEP], (SWAP, p, q))


@njit_view
def _join(s: States, row: int, p: int, q: int, block: int) -> None:
    s.partner[row, p], s.partner[row, q] = q, p
    s.block[row, p] = s.block[row, q] = block
    s.touched[row, p] = s.touched[row, q] = 1


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
