"""Layouts in which gates run as soon as they can."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compiler.compiled import cached_njit, njit_view
from compiler.lowering.arrays import Integers
from compiler.lowering.mirror.problem import Device

Bits = NDArray[np.bool_]


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


class Scene(NamedTuple):
    """What is routed on which device, and room for one state.

    Args:
        gates: what is routed.
        device: on which qubits.
        trial: one state.
        waiting: shape (wires,), wires whose gates are to be looked at.
        queued: shape (wires,), which wires these are.
        near: shape (qubits,), which of them have a wire with a gate in front.
        nowhere: shape (0, 3), for steps that are not written down.
    """

    gates: Gates
    device: Device
    trial: States
    waiting: Integers
    queued: Bits
    near: Bits
    nowhere: Integers


@cached_njit()
def new_scene(gates: Gates, device: Device, wires: int) -> Scene:
    """Return what a search works on."""
    return Scene(
        gates,
        device,
        no_states(1, wires),
        np.empty(wires, np.int32),
        np.zeros(wires, np.bool_),
        np.empty(len(device.neighbours), np.bool_),
        np.empty((0, 3), np.int32),
    )


@cached_njit()
def no_states(count: int, wires: int) -> States:
    """Return room for states."""
    return States(
        np.zeros((count, wires), np.int32),
        np.zeros((count, wires), np.int32),
        np.zeros(count, np.int32),
    )


@njit_view
def front(gates: Gates, done: Integers, wire: int) -> int:
    """Return a wire's next gate if nothing else has to come before it, -1 otherwise."""
    order, offsets = gates.order, gates.offsets
    index = offsets[wire] + done[wire]
    if index == offsets[wire + 1]:
        return -1
    gate = order[index]
    other = gates.wires[gate, 0] + gates.wires[gate, 1] - wire
    index = offsets[other] + done[other]
    if index < offsets[other + 1] and order[index] == gate:
        return int(gate)
    return -1


@njit_view
def all_wait(scene: Scene) -> int:
    """Let all wires wait; return how many these are."""
    for wire in range(len(scene.waiting)):
        scene.waiting[wire] = wire
    return len(scene.waiting)


@njit_view
def run(scene: Scene, states: States, size: int, steps: Integers) -> int:
    """Run all gates that can in the first state, looking at some wires first.

    Args:
        scene: with so many wires that wait.
        states: the first of which is changed.
        size: how many wires wait.
        steps: to which the gates are written, if there is room for any.

    Returns:
        How many gates ran.
    """
    gates, waiting, queued = scene.gates, scene.waiting, scene.queued
    wires, distance = gates.wires, scene.device.distance
    places, done = states.places[0], states.done[0]
    count = 0
    for index in range(size):
        queued[waiting[index]] = True
    while size:
        size -= 1
        wire = waiting[size]
        queued[wire] = False
        while True:
            gate = front(gates, done, wire)
            if gate < 0:
                break
            a, b = wires[gate, 0], wires[gate, 1]
            if distance[places[a], places[b]] > 1:
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


@njit_view
def exchange(scene: Scene, states: States, a: int, b: int) -> int:
    """Swap what two qubits hold in the first state, and let these wires wait.

    Returns:
        How many wires these are.
    """
    places, count = states.places[0], 0
    for wire in range(len(places)):
        if places[wire] == a or places[wire] == b:
            places[wire] = a + b - places[wire]
            scene.waiting[count] = wire
            count += 1
    return count


@njit_view
def copy_state(states: States, row: int, to: States, place: int) -> None:
    """Copy a state from a row to a place."""
    for wire in range(states.places.shape[1]):
        to.places[place, wire] = states.places[row, wire]
        to.done[place, wire] = states.done[row, wire]
    to.ran[place] = states.ran[row]


@njit_view
def apart(scene: Scene) -> int:
    """Return the steps between the wires of all gates in front."""
    wires, distance = scene.gates.wires, scene.device.distance
    places, done = scene.trial.places[0], scene.trial.done[0]
    total = 0
    for wire in range(len(places)):
        gate = front(scene.gates, done, wire)
        if gate >= 0 and wires[gate, 0] == wire:
            total += distance[places[wire], places[wires[gate, 1]]] - 1
    return total


@njit_view
def mark(places: Integers) -> np.uint64:
    """Return a number that is another one for another layout, but for rare accidents."""
    mark = np.uint64(14695981039346656037)
    for wire in range(len(places)):
        mark = (mark ^ np.uint64(places[wire])) * np.uint64(1099511628211)
    return mark
