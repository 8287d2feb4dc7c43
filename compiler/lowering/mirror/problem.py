"""Data of the mirror search: a circuit and a device as arrays."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import rustworkx as rx

from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.matrices import Integers, Matrix
from compiler.compiled import cached_njit
from compiler.lowering.mirror.collapse import commutes, describe, mirrored, same_axis, turned
from compiler.lowering.mirror.unitaries import Unitaries

FEW = 4_096
"""Gates up to which each pair of them is compared."""
DEVICES = 16
"""Devices that are remembered."""


class Device(NamedTuple):
    """Coupled qubits.

    Args:
        distance: shape (qubits, qubits), in couplers.
        neighbours: shape (qubits, most neighbours), filled up with -1.
    """

    distance: Integers
    neighbours: Integers


class Problem(NamedTuple):
    """A circuit to route, and the device.

    Args:
        wires: shape (gates, 2), the logical wires of each gate, rising.
        missing: shape (gates,), on how many earlier gates each depends.
        offsets: shape (gates + 1,), where each gate's dependants begin in `dependants`.
        dependants: the gates that depend on each gate, one gate after the other.
        blocks: shape (4·gates, 4, 4): of each gate its unitary, that with its wires turned, and
            both followed by a swap.
        costs: shape (4·gates,), their CX.
        distance: shape (qubits, qubits), in couplers.
        neighbours: shape (qubits, most neighbours), filled up with -1.
    """

    wires: Integers
    missing: Integers
    offsets: Integers
    dependants: Integers
    blocks: Matrix
    costs: Integers
    distance: Integers
    neighbours: Integers


def problem(gates: Unitaries, device: Device) -> Problem:
    """Return the problem of routing gates on a device; those at the ends do not matter."""
    rising = gates.wires[:, 0] < gates.wires[:, 1]
    wires = np.sort(gates.wires, axis=1)
    unitaries = gates.unitaries.copy()
    unitaries[~rising] = (
        unitaries[~rising].reshape(-1, 2, 2, 2, 2).transpose(0, 2, 1, 4, 3).reshape(-1, 4, 4)
    )
    if len(wires) <= FEW:
        needed = _dependencies(wires, unitaries)
    else:
        needed = np.unique(_dependencies_of_runs(wires, unitaries, len(gates.ends)), axis=0)
    missing = np.bincount(needed[:, 1], minlength=len(wires)).astype(np.int32)
    offsets = np.searchsorted(needed[:, 0], np.arange(len(wires) + 1)).astype(np.int32)
    dependants = needed[:, 1].copy()
    blocks, costs = _blocks(unitaries)
    return Problem(wires, missing, offsets, dependants, blocks, costs, *device)


def backwards(gates: Unitaries) -> Unitaries:
    """Return the gates' inverses in reverse order, without those at the ends."""
    inverses = gates.unitaries[::-1].conj().transpose(0, 2, 1).copy()
    return Unitaries(gates.wires[::-1].copy(), inverses, gates.ends)


@cached_njit()
def _dependencies(wires: Integers, unitaries: Matrix) -> Integers:
    """Return all pairs of gates, shape (n, 2), of which the second needs the first before it."""
    size = len(wires)
    described = describe(wires, unitaries)
    needs = np.zeros((size, size), np.bool_)
    for gate in range(size):
        for old in range(gate):
            needs[old, gate] = not commutes(described, old, gate)
    return np.argwhere(needs).astype(np.int32)


@cached_njit()
def _dependencies_of_runs(wires: Integers, unitaries: Matrix, count: int) -> Integers:
    """Return the same in a time that grows with the gates, without pairs that follow from others.

    On each wire, gates that keep to the same axis form a run, and need those of the run before.
    Gates on the same pair may commute all the same, which is not noticed.
    """
    size = len(wires)
    described = describe(wires, unitaries)
    before_in_run = np.full((size, 2), -1, np.int32)
    # By wire: the last gate of its last run, and of the run before that.
    ends = np.full((count, 2), -1, np.int32)
    total = 0
    for filled in range(2):
        result = np.empty((total, 2), np.int32)
        total, ends[:] = 0, -1
        for gate in range(size):
            for side in range(2):
                wire = wires[gate, side]
                last, before = ends[wire]
                if last >= 0:
                    at = 0 if wires[last, 0] == wire else 1
                    if same_axis(described.axes[last, at], described.axes[gate, side]):
                        before_in_run[gate, side] = last
                    else:
                        before, before_in_run[gate, side] = last, -1
                old = before
                while old >= 0:
                    if filled:
                        result[total, 0], result[total, 1] = old, gate
                    total += 1
                    old = before_in_run[old, 0 if wires[old, 0] == wire else 1]
                ends[wire, 0], ends[wire, 1] = gate, before
    return result


@cached_njit()
def _blocks(unitaries: Matrix) -> tuple[Matrix, Integers]:
    blocks = np.empty((4 * len(unitaries), 4, 4), np.complex128)
    costs = np.empty(4 * len(unitaries), np.int32)
    for gate in range(len(unitaries)):
        blocks[4 * gate] = unitaries[gate]
        blocks[4 * gate + 1] = turned(unitaries[gate])
        for way in range(2):
            blocks[4 * gate + 2 + way] = mirrored(blocks[4 * gate + way])
    for index in range(len(blocks)):
        costs[index] = cx_cost(blocks[index])
    return blocks, costs


def device_of(edges: Integers) -> Device:
    """Return a connected device, given its coupled pairs in one direction, shape (n, 2)."""
    return _device(tuple(map(tuple, edges.tolist())))


@lru_cache(DEVICES)
def _device(edges: tuple[tuple[int, int], ...]) -> Device:
    graph = rx.PyGraph()
    graph.add_nodes_from(range(1 + max(map(max, edges))))
    graph.add_edges_from_no_data(list(edges))
    nearby = [sorted(graph.neighbors(qubit)) for qubit in graph.node_indices()]
    neighbours = np.full((len(nearby), max(map(len, nearby))), -1, np.int32)
    for qubit, around in enumerate(nearby):
        neighbours[qubit, : len(around)] = around
    return Device(rx.distance_matrix(graph).astype(np.int32), neighbours)
