"""Quantinuum's tket: peephole optimisation of circuits of CX and one-qubit gates.

tket is imported where it runs. Its own extension for Qiskit converts every gate, but loads IBM's
SDK and all that it needs first: seconds in every process that compiles.
"""

from math import pi
from typing import TYPE_CHECKING, cast

from qiskit import QuantumCircuit, transpile

from compiler.caches import cached
from compiler.errors import LoweringError
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.passes import Pass, Property
from compiler.lowering.qiskit_level_3 import after

if TYPE_CHECKING:
    from pytket.circuit import Circuit

TKET_NAMES = {"cx": "CX", "rz": "Rz", "sx": "SX", "x": "X"}
"""tket's names of gates by Qiskit's."""


def to_tket(circuit: QuantumCircuit) -> "Circuit":
    """Return a circuit of CX, RZ, SX and X as tket's, with qubit i as `q[i]`; its global phase too.

    Angles are radians in Qiskit and half turns in tket.

    Raises:
        LoweringError: if the circuit has another operation than these and barriers.
    """
    from pytket.circuit import Circuit, OpType

    converted = Circuit(circuit.num_qubits)
    converted.add_phase(float(circuit.global_phase) / pi)
    for instruction in circuit.data:
        name = instruction.operation.name
        at = [circuit.find_bit(qubit).index for qubit in instruction.qubits]
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


def _peephole(draft: Draft, setting: Setting) -> Draft:
    """Optimise as if all qubits were coupled; qubits may change places."""
    plain = transpile(
        draft.circuit,
        basis_gates=list(TKET_NAMES),
        optimization_level=0,
        qubits_initially_zero=not setting.any_input,
    )
    return after(draft, _peephole_optimised(qpy_bytes(plain)))


@cached
def _peephole_optimised(qpy: bytes) -> Draft:
    """Cached, because it takes most of the time and is the same for every target and seed."""
    from pytket.circuit import OpType, Qubit
    from pytket.passes import AutoRebase, FullPeepholeOptimise
    from pytket.predicates import CompilationUnit

    plain = read_qpy(qpy, "synthesised")
    unit = CompilationUnit(to_tket(plain))
    FullPeepholeOptimise(allow_swaps=True).apply(unit)
    AutoRebase({OpType.CX, OpType.Rz, OpType.SX, OpType.X}).apply(unit)
    at_end = {new: old for old, new in unit.circuit.implicit_qubit_permutation().items()}
    qubits = [Qubit("q", i) for i in range(plain.num_qubits)]
    return Draft(
        from_tket(unit.circuit, plain.num_qubits),
        tuple(unit.initial_map[qubit].index[0] for qubit in qubits),
        tuple(at_end[cast("Qubit", unit.final_map[qubit])].index[0] for qubit in qubits),
    )


tket_peephole = Pass("tket-peephole", _peephole, preserves={Property.GATES})
