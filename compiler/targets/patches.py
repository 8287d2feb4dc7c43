"""Lattices: devices on them, and connected patches of any size."""

from collections.abc import Callable

from qiskit.transpiler import CouplingMap, Target

from compiler.errors import MissingExtraError
from compiler.targets.gate_sets import uniform_target
from compiler.targets.ibm_devices import SDK, snapshot_target, snapshots_of
from compiler.targets.target import parse_size


def lattice_target(
    family: str, size: str, gates: str, edges: Callable[[int], list[tuple[int, int]]]
) -> Target:
    """Return the target of an IBM device, or of a patch, whose native gate is CZ by default.

    Args:
        family: of targets.
        size: name of a device of this family, or number of qubits.
        gates: name of a gate set; empty for the default, or the device's own.
        edges: returns the edges of a patch of some qubits.

    Raises:
        MissingExtraError: If a device is named, and IBM's SDK is not installed.
        TargetError: If there is no such device, size or gate set.
    """
    if size in snapshots_of(family):
        return snapshot_target(size, gates)
    if size.isidentifier():
        MissingExtraError.require(SDK)
    qubits = parse_size(family, size)
    return uniform_target(qubits, edges(qubits), gates, default="cz")


def central_patch(lattice: CouplingMap, qubits: int) -> list[tuple[int, int]]:
    """Return the edges of a compact connected part of a lattice, each in one direction.

    The part holds the first qubits of a breadth-first search from the lattice's centre; qubit 0 is
    the centre.

    Args:
        lattice: a lattice with enough qubits; it becomes symmetric.
        qubits: size of the part.
    """
    lattice.make_symmetric()
    neighbours = {q: sorted(lattice.neighbors(q)) for q in range(lattice.size())}
    middle = min(neighbours, key=lambda q: max(lattice.distance_matrix[q]))
    order = [middle]
    for qubit in order:
        order += [q for q in neighbours[qubit] if q not in order]
    index = {qubit: i for i, qubit in enumerate(order[:qubits])}
    return [
        (index[a], index[b])
        for a in index
        for b in neighbours[a]
        if b in index and index[a] < index[b]
    ]
