"""Beam search for few swaps: after each, all gates run that can."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compiler.lowering.arrays import Integers
from compiler.lowering.mirror.problem import Device
from compiler.lowering.mirror.realise import SWAP

CLOSER = 0.01
"""Gates that a step less between the wires of a gate in front counts for."""


class Gates(NamedTuple):
    """Gates by their wires.

    Args:
        wires: shape (gates, 2), in the order of time.
        order: shape (2 gates,), the gates of each wire, wire by wire.
        offsets: shape (wires + 1,), where those of each wire begin.
    """

    wires: Integers
    order: Integers
    offsets: Integers


class States(NamedTuple):
    """Layouts, and how far gates have come in each.

    Args:
        places: shape (states, wires), the qubit of each wire.
        done: shape (states, wires), how many gates of each wire have run.
        ran: shape (states,), how many gates have.
    """

    places: Integers
    done: Integers
    ran: Integers


def gates_of(wires: Integers, count: int) -> Gates:
    """Return gates, sorted by their wires.

    Args:
        wires: shape (gates, 2), in the order of time.
        count: how many wires there are.
    """
    flat = wires.reshape(-1)
    order = np.argsort(flat, kind="stable") // 2
    offsets = np.concatenate([[0], np.cumsum(np.bincount(flat, minlength=count))])
    return Gates(wires.astype(np.int32), order.astype(np.int32), offsets.astype(np.int32))


@njit(cache=True)
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
    states = _no_states(width, len(start))
    states.places[0] = start
    steps = np.empty((len(gates.wires) + most, 3), np.int32)
    states.ran[0] = _run(gates, device, states, np.arange(len(start)).astype(np.int32), steps)
    count, level = 1, 0
    parents, swaps = np.zeros((most, width), np.int32), np.zeros((most, width, 2), np.int32)
    while level < most and states.ran[:count].max() < len(gates.wires):
        states, moves = _best_after_a_swap(gates, device, states, count, width)
        count = len(moves)
        parents[level, :count], swaps[level, :count] = moves[:, 0], moves[:, 1:]
        level += 1
    row = int(np.argmax(states.ran[:count]))
    path = np.empty((level, 2), np.int32)
    for back in range(level - 1, -1, -1):
        path[back] = swaps[back, row]
        row = parents[back, row]
    return _replayed(gates, device, start, path, steps)


@njit(cache=True)
def _no_states(count: int, wires: int) -> States:
    return States(
        np.zeros((count, wires), np.int32),
        np.zeros((count, wires), np.int32),
        np.zeros(count, np.int32),
    )


@njit(cache=True)
def _front(gates: Gates, done: Integers, wire: int) -> int:
    """Return a wire's next gate if nothing else has to come before it, -1 otherwise."""
    index = gates.offsets[wire] + done[wire]
    if index == gates.offsets[wire + 1]:
        return -1
    gate = gates.order[index]
    other = gates.wires[gate].sum() - wire
    index = gates.offsets[other] + done[other]
    if index < gates.offsets[other + 1] and gates.order[index] == gate:
        return int(gate)
    return -1


@njit(cache=True)
def _run(gates: Gates, device: Device, states: States, wires: Integers, steps: Integers) -> int:
    """Run all gates that can in the first state, looking at some wires first.

    Returns:
        How many; they are written to `steps`, if that has room for any.
    """
    places, done = states.places[0], states.done[0]
    count = 0
    waiting = np.empty(len(places), np.int32)
    queued = np.zeros(len(places), np.bool_)
    size = len(wires)
    waiting[:size] = wires
    queued[wires] = True
    while size:
        size -= 1
        wire = waiting[size]
        queued[wire] = False
        while True:
            gate = _front(gates, done, wire)
            if gate < 0:
                break
            a, b = gates.wires[gate]
            if device.distance[places[a], places[b]] > 1:
                break
            if len(steps):
                steps[count, 0], steps[count, 1], steps[count, 2] = gate, places[a], places[b]
            done[a] += 1
            done[b] += 1
            count += 1
            other = a + b - wire
            if not queued[other]:
                queued[other] = True
                waiting[size] = other
                size += 1
    return count


@njit(cache=True)
def _best_after_a_swap(
    gates: Gates, device: Device, states: States, count: int, width: int
) -> tuple[States, Integers]:
    """Return the best different states after one more swap, and the row and swap of each."""
    wires, qubits = states.places.shape[1], len(device.neighbours)
    room = count * device.neighbours.size
    moves, scores = np.empty((room, 3), np.int32), np.empty(room)
    marks = np.empty(room, np.uint64)
    trial = _no_states(1, wires)
    found = 0
    for row in range(count):
        near = np.zeros(qubits, np.bool_)
        for wire in range(wires):
            near[states.places[row, wire]] = _front(gates, states.done[row], wire) >= 0
        for a in range(qubits):
            for b in device.neighbours[a]:
                if b < 0 or not near[a] or (near[b] and a > b):
                    continue
                moves[found, 0], moves[found, 1], moves[found, 2] = row, a, b
                _after_swap(gates, device, states, moves[found], trial)
                scores[found] = CLOSER * _apart(gates, device, trial) - trial.ran[0]
                marks[found] = _mark(trial.places[0])
                found += 1
    chosen = _first_different(
        np.argsort(scores[:found], kind="mergesort").astype(np.int64), marks, width
    )
    after = _no_states(width, wires)
    kept = np.empty((len(chosen), 3), np.int32)
    for place, index in enumerate(chosen):
        row = moves[index, 0]
        _after_swap(gates, device, states, moves[index], trial)
        after.places[place], after.done[place] = trial.places[0], trial.done[0]
        after.ran[place], kept[place] = trial.ran[0], moves[index]
    return after, kept


@njit(cache=True)
def _after_swap(
    gates: Gates, device: Device, states: States, move: Integers, after: States
) -> None:
    """Write to `after` what a state is after a swap and all gates that can run then."""
    row, a, b = move
    after.places[0], after.done[0] = states.places[row], states.done[row]
    nothing = np.empty((0, 3), np.int32)
    after.ran[0] = states.ran[row]
    after.ran[0] += _run(gates, device, after, _swapped(after.places[0], a, b), nothing)


@njit(cache=True)
def _swapped(places: Integers, a: int, b: int) -> Integers:
    """Swap what two qubits hold, and return these wires."""
    moved = np.empty(2, np.int32)
    count = 0
    for wire in range(len(places)):
        if places[wire] == a or places[wire] == b:
            places[wire] = a + b - places[wire]
            moved[count] = wire
            count += 1
    return moved[:count]


@njit(cache=True)
def _apart(gates: Gates, device: Device, state: States) -> int:
    """Return the steps between the wires of all gates in front."""
    total = 0
    for wire in range(state.places.shape[1]):
        gate = _front(gates, state.done[0], wire)
        if gate >= 0 and gates.wires[gate, 0] == wire:
            other = gates.wires[gate, 1]
            total += device.distance[state.places[0, wire], state.places[0, other]] - 1
    return total


@njit(cache=True)
def _mark(places: Integers) -> np.uint64:
    """Return a number that is another one for another layout, but for rare accidents."""
    mark = np.uint64(14695981039346656037)
    for place in places:
        mark = (mark ^ np.uint64(place)) * np.uint64(1099511628211)
    return mark


@njit(cache=True)
def _first_different(order: NDArray[np.int64], marks: NDArray[np.uint64], width: int) -> Integers:
    """Return the first indices of an order whose marks differ."""
    chosen = np.empty(width, np.int32)
    count = 0
    for index in order:
        if count == width:
            break
        if not (marks[chosen[:count]] == marks[index]).any():
            chosen[count] = index
            count += 1
    return chosen[:count]


@njit(cache=True)
def _replayed(
    gates: Gates, device: Device, start: Integers, path: Integers, steps: Integers
) -> Integers:
    """Return the steps of some swaps, and of the gates between them."""
    states = _no_states(1, len(start))
    states.places[0] = start
    count = _run(gates, device, states, np.arange(len(start)).astype(np.int32), steps)
    for index in range(len(path)):
        a, b = path[index]
        steps[count, 0], steps[count, 1], steps[count, 2] = SWAP, a, b
        count += 1
        moved = _swapped(states.places[0], a, b)
        count += _run(gates, device, states, moved, steps[count:])
    return steps[:count].copy()
