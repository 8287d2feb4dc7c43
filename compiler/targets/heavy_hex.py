"""Heavy-hex lattices: IBM's devices with their calibration, and patches of any size."""

from itertools import count

from qiskit.transpiler import CouplingMap, Target

from compiler.targets.ibm_devices import HEAVY_HEX, central_patch, lattice_target, snapshots_of
from compiler.targets.target import target_family


@target_family(
    HEAVY_HEX,
    "heavy-hex:boston  an IBM device with its calibration; heavy-hex:N  a patch of N qubits",
    lambda: snapshots_of(HEAVY_HEX),
)
def heavy_hex(size: str, gates: str) -> Target:
    """Return a device's target, or N connected qubits of a heavy-hex lattice, native CZ."""
    return lattice_target(HEAVY_HEX, size, gates, lattice)


def lattice(qubits: int) -> list[tuple[int, int]]:
    """Return the edges of a connected patch of heavy-hex; see `central_patch`."""
    lattices = (
        CouplingMap.from_heavy_hex(distance, bidirectional=False) for distance in count(3, 2)
    )
    return central_patch(next(each for each in lattices if each.size() >= qubits), qubits)
