"""Quantinuum's tket: peephole optimisation, placement and routing."""

from typing import cast

from pytket.architecture import Architecture
from pytket.circuit import OpType, Qubit
from pytket.extensions.qiskit import qiskit_to_tk, tk_to_qiskit
from pytket.passes import (
    AutoRebase,
    CliffordSimp,
    CXMappingPass,
    FullPeepholeOptimise,
    KAKDecomposition,
    NaivePlacementPass,
    SequencePass,
    SynthesiseTket,
)
from pytket.placement import GraphPlacement
from pytket.predicates import CompilationUnit
from qiskit import QuantumCircuit, transpile
from qiskit.transpiler import Target, generate_preset_pass_manager

from compiler.lowering.methods import lower_operators
from compiler.lowering.pipeline import Lowered, pipeline

LOGICAL_GATES = ["cx", "rz", "sx", "x"]


@pipeline("tket", seeded=False)
def tket(circuit: QuantumCircuit, target: Target, method: str, seed: int) -> Lowered:
    """Qiskit's synthesis, then tket to the end; Qiskit only translates to the native gates."""
    unit = CompilationUnit(qiskit_to_tk(synthesised(circuit, method)))
    FullPeepholeOptimise(allow_swaps=True).apply(unit)
    coupling = target.build_coupling_map()
    if coupling is not None:
        _route(unit, Architecture([tuple(edge) for edge in coupling.get_edges()]))
    AutoRebase({OpType.CX, OpType.Rz, OpType.SX, OpType.X}).apply(unit)
    physical, final_layout = _on_indices(unit, circuit.num_qubits, target.num_qubits)
    return Lowered(translated(physical, target), final_layout)


def synthesised(circuit: QuantumCircuit, method: str) -> QuantumCircuit:
    """Return `circuit` in CX and one-qubit gates, not optimised, on one register."""
    flat = lower_operators(circuit, method)
    return transpile(flat, basis_gates=LOGICAL_GATES, optimization_level=0)


def peephole_optimised(circuit: QuantumCircuit) -> tuple[QuantumCircuit, tuple[int, ...]]:
    """Return tket's optimisation of a flat circuit, and where each qubit ends up."""
    unit = CompilationUnit(qiskit_to_tk(circuit))
    FullPeepholeOptimise(allow_swaps=True).apply(unit)
    AutoRebase({OpType.CX, OpType.Rz, OpType.SX, OpType.X}).apply(unit)
    return _on_indices(unit, circuit.num_qubits, circuit.num_qubits)


def translated(physical: QuantumCircuit, target: Target) -> QuantumCircuit:
    """Return a routed circuit in the target's native gates, every qubit where it was."""
    manager = generate_preset_pass_manager(1, target=target)
    manager.init = manager.layout = manager.routing = None
    return manager.run(physical)


def _route(unit: CompilationUnit, architecture: Architecture) -> None:
    SequencePass(
        [
            CXMappingPass(architecture, GraphPlacement(architecture), directed_cx=False),
            NaivePlacementPass(architecture),
            KAKDecomposition(allow_swaps=False),
            CliffordSimp(allow_swaps=False),
            SynthesiseTket(),
        ]
    ).apply(unit)


def _on_indices(
    unit: CompilationUnit, logical: int, physical: int
) -> tuple[QuantumCircuit, tuple[int, ...]]:
    """Return a unit's circuit with qubit q at index q, and each logical qubit's final index."""
    routed = unit.circuit
    at_end = routed.implicit_qubit_permutation()
    routed_to = [cast(Qubit, unit.final_map[Qubit("q", i)]) for i in range(logical)]
    routed.rename_units({qubit: Qubit("p", qubit.index[0]) for qubit in routed.qubits})
    converted = tk_to_qiskit(routed, replace_implicit_swaps=False)
    circuit = QuantumCircuit(physical)
    circuit.compose(converted, range(converted.num_qubits), inplace=True)
    return circuit, tuple(at_end[qubit].index[0] for qubit in routed_to)
