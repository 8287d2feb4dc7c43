"""Circuits of CX and one-qubit gates to tket and back.

tket's own extension for Qiskit does this for every gate, but loads IBM's SDK and all that it needs
first: seconds in every process that compiles.
"""

from math import pi
from typing import TYPE_CHECKING

from qiskit import QuantumCircuit

from compiler.errors import LoweringError

if TYPE_CHECKING:
    from pytket.circuit import Circuit

# Qiskit's name of a gate, and tket's.
TKET_NAMES = {"cx": "CX", "rz": "Rz", "sx": "SX", "x": "X"}


def to_tket(circuit: QuantumCircuit) -> "Circuit":
    """Return a circuit of CX, RZ, SX and X as tket's, with qubit i as `q[i]`; its global phase too.

    Angles are radians in Qiskit and half turns in tket.

    Raises:
        LoweringError: if the circuit has another operation than these and barriers.
    """
    from pytket.circuit import Circuit, OpType

    converted = Circuit(circuit.num_qubits)
    converted.add_phase(float(circuit.global_phase) / pi)
    index = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    for instruction in circuit.data:
        name, at = instruction.operation.name, [index[qubit] for qubit in instruction.qubits]
        if name == "barrier":
            converted.add_barrier(at)
        elif name in TKET_NAMES:
            turns = [float(angle) / pi for angle in instruction.operation.params]
            converted.add_gate(getattr(OpType, TKET_NAMES[name]), turns, at)
        else:
            raise LoweringError(f"tket is given {', '.join(TKET_NAMES)}, not {name}")
    return converted


def from_tket(circuit: "Circuit", num_qubits: int) -> QuantumCircuit:
    """Return tket's circuit of CX, Rz, SX and X on `num_qubits` qubits; index i becomes qubit i.

    A permutation that tket keeps beside the circuit is not applied.
    """
    methods = {tket: name for name, tket in TKET_NAMES.items()}
    converted = QuantumCircuit(num_qubits, global_phase=float(circuit.phase) * pi)
    for command in circuit.get_commands():
        at = [qubit.index[0] for qubit in command.qubits]
        if command.op.type.name == "Barrier":
            converted.barrier(at)
        else:
            angles = [float(turns) * pi for turns in command.op.params]
            getattr(converted, methods[command.op.type.name])(*angles, *at)
    return converted
