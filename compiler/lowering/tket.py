"""Quantinuum's tket: peephole optimisation, placement and routing."""

from functools import lru_cache
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

from compiler.circuit_files import qpy_bytes, read_qpy
from compiler.lowering.methods import lower_operators
from compiler.lowering.pipeline import Lowered, pipeline

LOGICAL_GATES = ["cx", "rz", "sx", "x"]


@pipeline("tket", seeded=False)
def tket(circuit: QuantumCircuit, target: Target, method: str, seed: int) -> Lowered:
    """Qiskit's synthesis, then tket to the end; Qiskit only translates to the native gates."""
    optimised, at_end = peephole_optimised(circuit, method)
    coupling = target.build_coupling_map()
    if coupling is None:
        return Lowered(translated(optimised, target), at_end)
    unit = CompilationUnit(qiskit_to_tk(optimised))
    connected = max(coupling.connected_components(), key=lambda part: part.size())
    index = dict(enumerate(connected.graph.nodes()))
    architecture = Architecture([(index[a], index[b]) for a, b in connected.get_edges()])
    SequencePass(
        [
            CXMappingPass(architecture, GraphPlacement(architecture), directed_cx=False),
            NaivePlacementPass(architecture),
            KAKDecomposition(allow_swaps=False),
            CliffordSimp(allow_swaps=False),
            SynthesiseTket(),
        ]
    ).apply(unit)
    physical, routed_to = _on_indices(unit, circuit.num_qubits, target.num_qubits)
    return Lowered(translated(physical, target), tuple(routed_to[q] for q in at_end))


def peephole_optimised(
    circuit: QuantumCircuit, method: str
) -> tuple[QuantumCircuit, tuple[int, ...]]:
    """Return a circuit after Qiskit's synthesis and tket's optimisation, without an architecture.

    Returns:
        The circuit in CX and one-qubit gates on one register, and for each qubit of the input
        the qubit that holds it at the end.
    """
    flat = lower_operators(circuit, method)
    plain = transpile(flat, basis_gates=LOGICAL_GATES, optimization_level=0)
    return _peephole_optimised(qpy_bytes(plain))


@lru_cache(maxsize=2)
def _peephole_optimised(qpy: bytes) -> tuple[QuantumCircuit, tuple[int, ...]]:
    """Cached, because it takes most of the time and is the same for every target and seed."""
    plain = read_qpy(qpy, "synthesised")
    unit = CompilationUnit(qiskit_to_tk(plain))
    FullPeepholeOptimise(allow_swaps=True).apply(unit)
    return _on_indices(unit, plain.num_qubits, plain.num_qubits)


def translated(physical: QuantumCircuit, target: Target) -> QuantumCircuit:
    """Return a routed circuit in the target's native gates, every qubit where it was."""
    manager = generate_preset_pass_manager(1, target=target)
    manager.init = manager.layout = manager.routing = None
    return manager.run(physical)


def _on_indices(
    unit: CompilationUnit, logical: int, physical: int
) -> tuple[QuantumCircuit, tuple[int, ...]]:
    """Return a unit's circuit with qubit q at index q, and each logical qubit's final index."""
    AutoRebase({OpType.CX, OpType.Rz, OpType.SX, OpType.X}).apply(unit)
    routed = unit.circuit
    at_end = {new: old for old, new in routed.implicit_qubit_permutation().items()}
    routed_to = [cast(Qubit, unit.final_map[Qubit("q", i)]) for i in range(logical)]
    routed.rename_units({qubit: Qubit("p", qubit.index[0]) for qubit in routed.qubits})
    converted = tk_to_qiskit(routed, replace_implicit_swaps=False, perm_warning=False)
    circuit = QuantumCircuit(physical)
    circuit.compose(converted, range(converted.num_qubits), inplace=True)
    return circuit, tuple(at_end[qubit].index[0] for qubit in routed_to)
