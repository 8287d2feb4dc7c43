"""Counts T gates, Toffoli gates and rotations of a circuit, gate by gate, without its state.

Gates on one qubit are multiplied until a gate on two takes the qubit; so an Ry(π/4) before a
Z cancels one after it. Gates on more qubits are known by their name, or by their definition.
"""

from collections.abc import Callable, Mapping

from attrs import asdict, define, field
from qiskit import QuantumCircuit
from qiskit.circuit import Instruction, Measure, Qubit, Reset

from compiler.circuits.matrices import Matrix
from compiler.errors import StateTooLargeError
from compiler.fault_tolerant.one_hot_rotation import ONE_HOT_ROTATION
from compiler.fault_tolerant.resources import LogicalResources, NonClifford, of_angle, of_unitary
from compiler.fault_tolerant.temporary_ands import AND, UNDO_AND, is_multi_controlled_pauli, rungs

CLIFFORD = frozenset({"cx", "cy", "cz", "swap", "iswap", "ecr", "dcx"})
IDLE = frozenset({"barrier", "delay", "id", "global_phase"})


def _angle(gate: Instruction) -> float:
    return float(gate.params[0])


RESOURCES: Mapping[str, Callable[[Instruction], NonClifford]] = {
    **dict.fromkeys(CLIFFORD, lambda _: NonClifford()),
    "cswap": lambda _: NonClifford(toffolis=1),
    AND: lambda _: NonClifford(toffolis=1),
    UNDO_AND: lambda _: NonClifford(measurements=1),
    ONE_HOT_ROTATION: lambda _: NonClifford(table_rotations=1),
    "ch": lambda _: NonClifford(t_gates=2),
    **dict.fromkeys(
        ("crx", "cry", "crz"),
        lambda gate: of_angle(_angle(gate) / 2) + of_angle(_angle(gate) / 2),
    ),
    **dict.fromkeys(("rxx", "ryy", "rzz", "rzx"), lambda gate: of_angle(_angle(gate))),
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
    total: NonClifford = field(factory=NonClifford)
    pending: dict[Qubit, Matrix] = field(factory=dict)
    depth: dict[Qubit, int] = field(factory=dict)
    of_matrices: dict[bytes, NonClifford] = field(factory=dict)

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
            self.count(RESOURCES[gate.name](gate), qubits)
        elif is_multi_controlled_pauli(gate):
            self.count(NonClifford(toffolis=rungs(gate) + 1, measurements=rungs(gate)), qubits)
        elif gate.definition is None:
            raise StateTooLargeError(f"'{gate.name}' has no definition, so nothing can be counted")
        else:
            self.add(gate.definition, qubits)

    def count(self, resources: NonClifford, qubits: list[Qubit]) -> None:
        for qubit in qubits:
            self.flush(qubit)
        self.total += resources
        last = max(self.depth.get(qubit, 0) for qubit in qubits) + resources.steps
        self.depth.update(dict.fromkeys(qubits, last))

    def flush(self, qubit: Qubit) -> None:
        matrix = self.pending.pop(qubit, None)
        if matrix is not None:
            key = matrix.round(12).tobytes()
            if key not in self.of_matrices:
                self.of_matrices[key] = of_unitary(matrix)
            self.total += self.of_matrices[key]
            self.depth[qubit] = self.depth.get(qubit, 0) + self.of_matrices[key].steps

    def result(self) -> LogicalResources:
        for qubit in list(self.pending):
            self.flush(qubit)
        depth = max(self.depth.values(), default=0)
        return LogicalResources(**asdict(self.total), qubits=self.qubits, depth=depth)
