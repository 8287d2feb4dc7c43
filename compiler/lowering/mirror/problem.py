"""Data of the mirror search: a circuit and a device as arrays."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import rustworkx as rx

from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.matrices import Bits, Integers, Matrix
from compiler.compiled import cached_njit
from compiler.lowering.mirror.collapse import commutes, describe, mirrored, turned
from compiler.lowering.mirror.unitaries import Unitaries

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
    earlier = _dependencies(wires, unitaries)
    offsets = np.concatenate([[0], np.cumsum(earlier.sum(axis=0))]).astype(np.int32)
    dependants = np.nonzero(earlier.T)[1].astype(np.int32)
    blocks, costs = _blocks(unitaries)
    return Problem(
        wires, earlier.sum(axis=1).astype(np.int32), offsets, dependants, blocks, costs, *device
    )


def backwards(gates: Unitaries) -> Unitaries:
    """Return the gates' inverses in reverse order, without those at the ends."""
    inverses = gates.unitaries[::-1].conj().transpose(0, 2, 1).copy()
    return Unitaries(gates.wires[::-1].copy(), inverses, gates.ends)


@cached_njit()
def _dependencies(wires: Integers, unitaries: Matrix) -> Bits:
    """Return the matrix whose entry (j, i) tells whether gate j needs gate i before it."""
    size = len(wires)
    described = describe(wires, unitaries)
    needs = np.zeros((size, size), np.bool_)
    for gate in range(size):
        for old in range(gate):
            needs[gate, old] = not commutes(described, old, gate)
    return needs


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
