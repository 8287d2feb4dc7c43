"""Heavy-hex lattices: IBM's real devices with their calibration, and cuts of any size."""

from collections.abc import Mapping
from functools import cache
from itertools import count
from typing import TYPE_CHECKING

from qiskit.transpiler import CouplingMap, Target

from compiler.errors import TargetError
from compiler.targets.gate_sets import uniform_target
from compiler.targets.target import parse_size, target_family

if TYPE_CHECKING:
    from qiskit_ibm_runtime.fake_provider.fake_backend import FakeBackendV2

DEVICES: Mapping[str, str] = {
    "torino": "FakeTorino",
    "marrakesh": "FakeMarrakesh",
    "fez": "FakeFez",
}
"""Snapshots that qiskit-ibm-runtime ships: coupling map, native gates, errors, durations."""


@target_family(
    "heavy-hex", "heavy-hex:torino  an IBM device with its calibration; heavy-hex:N  a cut", DEVICES
)
def heavy_hex(size: str, gates: str) -> Target:
    """Return a real device's target, or N connected qubits of a heavy-hex lattice.

    A device's couplers with a calibrated error of 1 are left out: no circuit should use them.
    """
    if size not in DEVICES:
        qubits = parse_size("heavy-hex", size)
        return uniform_target(qubits, lattice(qubits), gates, default="cz")
    if gates:
        raise TargetError(
            f"target 'heavy-hex:{size}' has its own native gates; leave out ':{gates}'"
        )
    return _live(snapshot(size).target)


@cache
def snapshot(device: str) -> "FakeBackendV2":
    """Return one of `DEVICES`, read once; nobody may change it."""
    # It takes seconds to import, and most targets need no snapshot.
    from qiskit_ibm_runtime import fake_provider

    found: FakeBackendV2 = getattr(fake_provider, DEVICES[device])()
    return found


def _live(device: Target) -> Target:
    """Return a device without its dead couplers, whose calibrated error is 1."""
    live = Target(
        description=device.description,
        num_qubits=device.num_qubits,
        dt=device.dt,
        qubit_properties=device.qubit_properties,
    )
    for name in device.operation_names:
        places = device[name]
        if places is not None and None not in places:
            places = {
                qubits: properties
                for qubits, properties in places.items()
                if len(qubits) == 1 or properties.error is None or properties.error < 1
            }
            live.add_instruction(device.operation_from_name(name), places, name=name)
        else:
            live.add_instruction(device.operation_from_name(name), name=name)
    return live


def lattice(qubits: int) -> list[tuple[int, int]]:
    """Return the edges of a connected heavy-hex patch, each in one direction.

    The patch is what a breadth-first search from the centre of the smallest heavy-hex code
    lattice with enough qubits reaches first; qubit 0 is the centre.
    """
    distances = count(3, 2)
    lattices = (CouplingMap.from_heavy_hex(d, bidirectional=False) for d in distances)
    whole = next(candidate for candidate in lattices if candidate.size() >= qubits)
    whole.make_symmetric()
    neighbours = {q: sorted(whole.neighbors(q)) for q in range(whole.size())}
    middle = min(neighbours, key=lambda q: max(whole.distance_matrix[q]))
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
