"""Counts T gates, Toffoli gates and rotations of a circuit, gate by gate, without its state.

Gates on one qubit are multiplied until a gate on two takes the qubit; so an Ry(π/4) before a
Z cancels one after it. Gates on more qubits are known by their name, or by their definition.
"""

from collections.abc import Callable, Mapping

from attrs import define, field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Instruction, Measure, Qubit, Reset

from compiler.circuits.matrices import Matrix
from compiler.errors import StateTooLargeError
from compiler.fault_tolerant.one_hot_rotation import ONE_HOT_ROTATION
from compiler.fault_tolerant.resources import LogicalResources, NonClifford, of_angle, of_unitary
from compiler.fault_tolerant.temporary_ands import AND, UNDO_AND, is_multi_controlled_pauli, rungs

CLIFFORD = frozenset({"cx", "cy", "cz", "swap", "iswap", "ecr", "dcx"})
IDLE = frozenset({"barrier", "delay", "id", "global_phase"})


CLIFFORDS = NonClifford()


@frozen
class Taken:
    """Resources of one gate.

    Args:
        toffolis: Toffoli gates.
        measurements: in place of Toffoli gates.
        tables: rotations by tables.
        other: T gates and rotations.
    """

    toffolis: int = 0
    measurements: int = 0
    tables: int = 0
    other: NonClifford = CLIFFORDS


def _angle(gate: Instruction) -> float:
    return float(gate.params[0])


RESOURCES: Mapping[str, Callable[[Instruction], Taken]] = {
    **dict.fromkeys(CLIFFORD, lambda _: Taken()),
    "cswap": lambda _: Taken(toffolis=1),
    AND: lambda _: Taken(toffolis=1),
    UNDO_AND: lambda _: Taken(measurements=1),
    ONE_HOT_ROTATION: lambda _: Taken(tables=1),
    "ch": lambda _: Taken(other=NonClifford(t_gates=2)),
    **dict.fromkeys(
        ("crx", "cry", "crz"),
        lambda gate: Taken(other=of_angle(_angle(gate) / 2) + of_angle(_angle(gate) / 2)),
    ),
    **dict.fromkeys(("rxx", "ryy", "rzz", "rzx"), lambda gate: Taken(other=of_angle(_angle(gate)))),
}
"""By name, gates on two or more qubits with fewer resources than their definitions, or without."""


def logical_resources(circuit: QuantumCircuit) -> LogicalResources:
    """Count a circuit of gates, all of them unitary.

    Args:
        circuit: without operators that their methods have not built.

    Raises:
        StateTooLargeError: if it measures, resets or branches.
    """
    count = _Count(len(circuit.qubits))
    count.add(circuit, circuit.qubits)
    return count.result()


@define
class _Count:
    qubits: int
    toffolis: int = 0
    measurements: int = 0
    tables: int = 0
    t_gates: int = 0
    rotations: int = 0
    pending: dict[Qubit, Matrix] = field(factory=dict)
    depth: dict[Qubit, int] = field(factory=dict)
    found: dict[bytes, NonClifford] = field(factory=dict)

    def add(self, circuit: QuantumCircuit, qubits: list[Qubit]) -> None:
        """Count the gates of a circuit that acts on `qubits`, in their order."""
        place = dict(zip(circuit.qubits, qubits, strict=True))
        for item in circuit.data:
            self.gate(item.operation, [place[qubit] for qubit in item.qubits])

    def gate(self, gate: Instruction, qubits: list[Qubit]) -> None:
        if gate.name in IDLE:
            return
        if isinstance(gate, Measure | Reset) or not hasattr(gate, "to_matrix"):
            raise StateTooLargeError(f"'{gate.name}' is no gate, so its T gates are not counted")
        if len(qubits) == 1 and hasattr(gate, "__array__"):
            (qubit,) = qubits
            before = self.pending.get(qubit)
            matrix = gate.to_matrix()
            self.pending[qubit] = matrix if before is None else matrix @ before
        elif gate.name in RESOURCES:
            self.known(RESOURCES[gate.name](gate), qubits)
        elif is_multi_controlled_pauli(gate):
            self.known(Taken(rungs(gate) + 1, rungs(gate)), qubits)
        elif gate.definition is None:
            raise StateTooLargeError(f"'{gate.name}' has no definition, so nothing can be counted")
        else:
            self.add(gate.definition, qubits)

    def known(self, taken: Taken, qubits: list[Qubit]) -> None:
        for qubit in qubits:
            self.flush(qubit)
        self.toffolis += taken.toffolis
        self.measurements += taken.measurements
        self.tables += taken.tables
        steps = bool(taken.toffolis) + taken.tables + self.take(taken.other)
        last = max(self.depth.get(qubit, 0) for qubit in qubits) + steps
        self.depth.update(dict.fromkeys(qubits, last))

    def flush(self, qubit: Qubit) -> None:
        matrix = self.pending.pop(qubit, None)
        if matrix is not None:
            key = matrix.round(12).tobytes()
            if key not in self.found:
                self.found[key] = of_unitary(matrix)
            self.depth[qubit] = self.depth.get(qubit, 0) + self.take(self.found[key])

    def take(self, other: NonClifford) -> int:
        self.t_gates += other.t_gates
        self.rotations += other.rotations
        return other.t_gates + other.rotations

    def result(self) -> LogicalResources:
        for qubit in list(self.pending):
            self.flush(qubit)
        return LogicalResources(
            qubits=self.qubits,
            t_gates=self.t_gates,
            toffolis=self.toffolis,
            rotations=self.rotations,
            table_rotations=self.tables,
            measurements=self.measurements,
            depth=max(self.depth.values(), default=0),
        )
