"""Beam search over gates and swaps, in which a swap costs what it adds to its neighbours."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from compiler.compiled import cached_njit, njit_view
from compiler.lowering.arrays import Integers
from compiler.lowering.mirror.arena import new_arena, path_to, roomy
from compiler.lowering.mirror.moves import (
    Moves,
    Outlook,
    Scene,
    Weights,
    add_move,
    look_ahead,
    propose,
    score,
    swaps_nearby,
)
from compiler.lowering.mirror.problem import Problem
from compiler.lowering.mirror.states import (
    LEFT,
    STEP,
    Keys,
    States,
    begin,
    copy_state,
    do_gate,
    do_swap,
    empty_states,
)

Order: TypeAlias = NDArray[np.intp]
MOVES = 4
"""Moves for each state that is kept which are sorted, unless too many lead to the same states."""


@cached_njit()
def search(
    given: Problem, start: Integers, touched: Integers, w: Weights, seed: int
) -> tuple[Integers, float, Integers]:
    """Route a circuit.

    Each step does one gate, and may swap its qubits at once; or swaps, where no gate can be
    done. The states that are expected to cost least are kept. A swap may be undone at once, which
    lets a promising state wait for others; forbidding that made routes longer.

    Args:
        given: the circuit and the device.
        start: shape (wires,), the qubit of each.
        touched: shape (qubits,), 1 where something has acted before.
        w: how states are compared.
        seed: of hashes and noise.

    Returns:
        The steps of the best way found, shape (n, 3), as `realise` takes them; its CX, with a
        small charge for renaming; and the qubit on which each wire ends.
    """
    np.random.seed(seed)
    wires, qubits, gates = len(start), len(given.distance), len(given.wires)
    layout_keys = np.random.randint(0, 2**62, (wires, qubits)).astype(np.uint64)
    gate_keys = np.random.randint(0, 2**62, gates).astype(np.uint64)
    outlook = Outlook(
        np.empty(w.window, np.int32),
        np.empty((w.window, 2), np.int32),
        np.empty(w.window),
        np.empty(wires, np.int32),
        np.zeros(2, np.int32),
        np.empty((2 * w.window * given.neighbours.shape[1], 2), np.int32),
        np.empty(qubits, np.bool_),
    )
    now, then = empty_states(w.beam, given, wires), empty_states(w.beam, given, wires)
    begin(given, start, now)
    now.touched[0] = touched
    arena = new_arena(given, 8 * w.beam)
    size, best, last, final = 1, np.inf, -1, start.copy()
    moves = _moves(w.beam * (1 + 2 * wires * given.neighbours.shape[1]))
    while size:
        arena = roomy(arena, 4 * w.beam)
        scene = Scene(given, w, arena, outlook, layout_keys)
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
def _promising(moves: Moves, wanted: int) -> Order:
    """Return the most promising moves, as many as are wanted or some more, the best first."""
    scores = moves.scores[: moves.used[0]]
    if wanted >= len(scores):
        return np.argsort(scores, kind="mergesort")
    found = np.nonzero(scores <= np.partition(scores, wanted)[wanted])[0]
    return found[np.argsort(scores[found], kind="mergesort")]


@njit_view
def _expand(scene: Scene, s: States, row: int, gate_keys: Keys, moves: Moves) -> None:
    """Do a gate, which a swap may follow, or propose all swaps."""
    given, w, outlook = scene.given, scene.w, scene.outlook
    look_ahead(given, s, row, w, outlook)
    gate = outlook.found[1]
    if gate < 0:
        propose(scene, s, row, swaps_nearby(scene, s, row), moves)
        return
    do_gate(given, scene.arena, s, row, gate)
    s.key[row] ^= gate_keys[gate]
    look_ahead(given, s, row, w, outlook)
    add_move(moves, score(given, s, row, w, outlook), (row, -1, -1), s.key[row])
    swaps = outlook.swaps
    swaps[0, 0], swaps[0, 1] = s.at[row, given.wires[gate, 0]], s.at[row, given.wires[gate, 1]]
    propose(scene, s, row, 1, moves)


@njit_view
def _keep(scene: Scene, order: Order, now: States, then: States, moves: Moves) -> int:
    """Do the most promising moves that lead to different states; return their number."""
    size = 0
    for index in order:
        known = False
        for row in range(size):
            if then.key[row] == moves.keys[index]:
                known = True
                break
        if known:
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
