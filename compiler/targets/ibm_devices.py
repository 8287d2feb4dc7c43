"""IBM's devices by the snapshots of qiskit-ibm-runtime, and connected patches of lattices."""

import json
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qiskit.transpiler import CouplingMap, Target
from rustworkx import PyGraph, cycle_basis

from compiler.errors import MissingExtraError, TargetError, meant
from compiler.targets.gate_sets import uniform_target
from compiler.targets.target import parse_size, restricted

if TYPE_CHECKING:
    from qiskit_ibm_runtime.fake_provider.fake_backend import FakeBackendV2


CURRENT = (
    "boston", "pittsburgh", "aachen", "kingston", "marrakesh", "fez", "miami", "berlin",
)  # fmt: skip
"""Devices in service in November 2026: Heron r3, Heron r2, then Nighthawk. All others retired."""

HEAVY_HEX, SQUARE = "heavy-hex", "square"
"""Families of targets; see `lattice_of`."""

SDK = "qiskit_ibm_runtime"
"""IBM's package, which ships the snapshots."""

CELL = 12
"""Qubits around one cell of a heavy-hex lattice."""


@cache
def snapshot_names() -> tuple[str, ...]:
    """Return the names of all snapshots, those of `CURRENT` first; none without IBM's SDK."""
    if find_spec(SDK) is None:
        return ()
    shipped = {folder.name for folder in _folder().iterdir() if _configuration_file(folder.name)}
    current = [name for name in CURRENT if name in shipped]
    return (*current, *sorted(shipped - set(current)))


def is_snapshot(name: str) -> bool:
    """Return whether there is a snapshot of a device."""
    return name in snapshot_names()


def is_retired(name: str) -> bool:
    """Return whether there is a snapshot of a device that is no longer in service."""
    return is_snapshot(name) and name not in CURRENT


@cache
def configuration(name: str) -> Mapping[str, Any]:
    """Return a device's configuration as IBM's interface sends it, without importing the SDK.

    Raises:
        MissingExtraError: If IBM's SDK is not installed.
        TargetError: If there is no snapshot of it.
    """
    MissingExtraError.require(SDK)
    if not is_snapshot(name):
        raise TargetError(f"no snapshot of device '{name}'; {meant(name, snapshot_names())}")
    file = _configuration_file(name)
    assert file is not None
    return json.loads(file.read_bytes())


@cache
def lattice_of(name: str) -> str:
    """Return the family of targets that a device belongs to.

    Its smallest cell tells: `HEAVY_HEX` has 12 qubits around a cell, or none in a small part of
    the lattice; all others are parts of `SQUARE`, of the device `yorktown` with diagonals.
    """
    graph = PyGraph(multigraph=False)
    graph.extend_from_edge_list([(a, b) for a, b in configuration(name)["coupling_map"] or []])
    smallest = min(map(len, cycle_basis(graph)), default=CELL)
    return HEAVY_HEX if smallest == CELL else SQUARE


def snapshot_spec(name: str) -> str:
    """Return the spec of a device's target, such as `heavy-hex:boston`."""
    return f"{lattice_of(name)}:{name}"


def snapshots_of(family: str) -> tuple[str, ...]:
    """Return the names of the snapshots that belong to a family of targets."""
    return tuple(name for name in snapshot_names() if lattice_of(name) == family)


@cache
def snapshot(name: str) -> "FakeBackendV2":
    """Return the SDK's fake device, read once; it must not be changed.

    Raises:
        TargetError: if there is no snapshot of it.
    """
    configuration(name)
    # It takes seconds to import, and most targets need no snapshot.
    from qiskit_ibm_runtime.fake_provider.fake_backend import FakeBackendV2

    module = import_module(f"qiskit_ibm_runtime.fake_provider.backends.{name}.fake_{name}")
    fake = next(
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, FakeBackendV2)
        and value is not FakeBackendV2
    )
    with warnings.catch_warnings():  # of a generic device, whose errors are no real one's
        warnings.simplefilter("ignore", UserWarning)
        device: FakeBackendV2 = fake()
    return device


def snapshot_target(name: str, gates: str) -> Target:
    """Return the target of a device's snapshot, as `usable_target`.

    Args:
        name: of the device.
        gates: the gate set of the spec; a device has its own.

    Raises:
        TargetError: if there is no such snapshot, a gate set is given, or no coupler is usable.
    """
    if gates:
        raise TargetError(
            f"target '{snapshot_spec(name)}' has its own native gates; leave out ':{gates}'"
        )
    target = usable_target(snapshot(name).target)
    if not any(len(at) == 2 for places in target.values() for at in places or () if at):
        raise TargetError(
            f"target '{snapshot_spec(name)}': its snapshot has no usable coupler; take another"
        )
    return target


def usable_target(device: Target) -> Target:
    """Return a device without the couplers that no circuit should use.

    These are the ones with a calibrated error of 1, and all those of a qubit of which a gate or
    the measurement has an error of 1.
    """
    dead = {
        at
        for name in device.operation_names
        for at, properties in (device[name] or {}).items()
        if properties is not None and properties.error is not None and properties.error >= 1
    }
    return restricted(
        device,
        lambda _, at: (
            at is None or len(at) == 1 or dead.isdisjoint({at, *((qubit,) for qubit in at)})
        ),
    )


@cache
def _folder() -> Path:
    package = find_spec(SDK)
    assert package is not None and package.origin is not None
    return Path(package.origin).parent / "fake_provider" / "backends"


def properties_file(name: str) -> Path:
    """Return the file of a device's calibration, as IBM's interface sends it."""
    return _folder() / name / f"props_{name}.json"


def _configuration_file(name: str) -> Path | None:
    file = _folder() / name / f"conf_{name}.json"
    return file if file.is_file() else None


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
