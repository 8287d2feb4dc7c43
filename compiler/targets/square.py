"""Square lattices: IBM's Nighthawk devices with their calibration, and patches of any size."""

from math import isqrt

from qiskit.transpiler import CouplingMap, Target

from compiler.targets.ibm_devices import SQUARE, central_patch, lattice_target, snapshots_of
from compiler.targets.target import target_family


@target_family(
    SQUARE,
    "square:miami  an IBM device with its calibration; square:N  a patch of N qubits",
    lambda: snapshots_of(SQUARE),
)
def square(size: str, gates: str) -> Target:
    """Return a device's target, or N connected qubits of a square lattice, native CZ."""
    return lattice_target(SQUARE, size, gates, lattice)


def lattice(qubits: int) -> list[tuple[int, int]]:
    """Return the edges of a square of n × n qubits, or of a part of it; see `central_patch`."""
    side = isqrt(qubits - 1) + 1
    return central_patch(CouplingMap.from_grid(side, side, bidirectional=False), qubits)
