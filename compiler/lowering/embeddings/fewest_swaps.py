"""Beam search for few swaps: after each, all gates run that can."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compiler.compiled import cached_njit, njit_view
from compiler.lowering.arrays import Integers, Reals
from compiler.lowering.embeddings.running import (
    Gates,
    Scene,
    States,
    all_wait,
    apart,
    copy_state,
    exchange,
    front,
    mark,
    new_scene,
    no_states,
    run,
)
from compiler.lowering.mirror.problem import Device
from compiler.lowering.mirror.realise import SWAP

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
