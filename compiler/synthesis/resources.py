"""Costs of a circuit before it meets a device, all qubits coupled."""

from math import isclose, pi

from attrs import frozen
from qiskit import QuantumCircuit, transpile

from compiler.fault_tolerant.resources import T_PER_TOFFOLI

BASIS = ["cx", "rz", "sx", "x"]
SEED = 0


@frozen
class Resources:
    """Counts of a circuit of CX and one-qubit gates.

    Args:
        qubits: that the operator or program is declared on.
        two_qubit_gates: CX gates.
        two_qubit_depth: depth counting only those.
        t_gates: rotations about Z by an odd multiple of π/4.
        rotations: rotations about Z by angles that are no multiple of π/4.
    """

    qubits: int
    two_qubit_gates: int
    two_qubit_depth: int
    t_gates: int
    rotations: int

    @property
    def toffolis(self) -> int:
        """Toffoli gates that the T gates could make, rounded up."""
        return -(-self.t_gates // T_PER_TOFFOLI)


def resources(circuit: QuantumCircuit) -> Resources:
    """Count a circuit, all-to-all.

    Two-qubit gates and depth are those after Qiskit's level 3. T gates and rotations are those
    after level 1, because level 3 writes two-qubit blocks anew with any angles.

    Args:
        circuit: gates without operators, and without measurements.
    """
    best = transpile(circuit, basis_gates=BASIS, optimization_level=3, seed_transpiler=SEED)
    plain = transpile(circuit, basis_gates=BASIS, optimization_level=1, seed_transpiler=SEED)
    angles = [float(item.operation.params[0]) for item in plain.data if item.operation.name == "rz"]
    eighths = [angle / (pi / 4) for angle in angles]
    is_whole = [isclose(turns, round(turns), abs_tol=1e-6) for turns in eighths]
    return Resources(
        qubits=circuit.num_qubits,
        two_qubit_gates=sum(item.operation.name == "cx" for item in best.data),
        two_qubit_depth=best.depth(lambda item: item.operation.name == "cx"),
        t_gates=sum(
            w and round(turns) % 2 == 1 for w, turns in zip(is_whole, eighths, strict=True)
        ),
        rotations=sum(not w for w in is_whole),
    )
