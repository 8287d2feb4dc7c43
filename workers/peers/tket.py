"""Quantinuum's tket, as its extension for IBM's devices calls it at its default level."""

from collections.abc import Sequence
from typing import cast

from pytket.architecture import Architecture, FullyConnected
from pytket.backends.backendinfo import BackendInfo
from pytket.circuit import OpType, Qubit
from pytket.extensions.qiskit import IBMQBackend, qiskit_to_tk, tk_to_qiskit
from pytket.passes import (
    BasePass,
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
from qiskit.transpiler import Target

from compiler.lowering import Draft
from compiler.lowering.native import translated
from workers.peers.peer import Variant, peer

LEVEL = 2
"""The default optimisation level; level 3 is for circuits made of Pauli exponentials."""

GATES = {OpType.CX, OpType.Rz, OpType.SX, OpType.X}
IBM, OWN = "ibm", "own routing"


def routings(target: Target, seeds: Sequence[int]) -> list[Variant]:
    """Return both routings; neither has a seed."""
    routed = target.build_coupling_map() is not None
    return [Variant(IBM, 0), Variant(OWN, 0)] if routed else [Variant(IBM, 0)]


@peer("tket", "pytket", routings)
def tket(circuit: QuantumCircuit, target: Target, variant: Variant) -> Draft:
    """Call tket; Qiskit only translates its CX and one-qubit gates to native ones.

    Variant `ibm` is the default pass of `IBMQBackend`, which routes by Qiskit's LightSABRE;
    `own routing` is the same pass with tket's own placement and routing.
    """
    plain = transpile(circuit, basis_gates=["cx", "rz", "sx", "x"], optimization_level=0)
    unit = CompilationUnit(qiskit_to_tk(plain))
    places, architecture = _architecture(target)
    if isinstance(architecture, Architecture) and variant.name == OWN:
        _with_own_routing(architecture).apply(unit)
        IBMQBackend.rebase_pass_offline(GATES).apply(unit)
    else:
        info = BackendInfo("IBMQBackend", target.description, "", architecture, GATES)
        IBMQBackend.pass_from_info(info, LEVEL).apply(unit)
    return _draft(unit, circuit.num_qubits, places, target)


def _architecture(target: Target) -> tuple[list[int], Architecture | FullyConnected]:
    """Return the largest connected part of a target, and the physical qubit of every node.

    The extension's passes want nodes to be numbered without gaps.
    """
    coupling = target.build_coupling_map()
    if coupling is None:
        return list(range(target.num_qubits)), FullyConnected(target.num_qubits)
    connected = max(coupling.connected_components(), key=lambda part: part.size())
    return list(connected.graph.nodes()), Architecture(list(connected.get_edges()))


def _with_own_routing(architecture: Architecture) -> BasePass:
    return SequencePass(
        [
            FullPeepholeOptimise(),
            CXMappingPass(architecture, GraphPlacement(architecture), directed_cx=False),
            NaivePlacementPass(architecture),
            KAKDecomposition(allow_swaps=False),
            CliffordSimp(allow_swaps=False),
            SynthesiseTket(),
        ]
    )


def _draft(unit: CompilationUnit, logical: int, places: Sequence[int], target: Target) -> Draft:
    routed = unit.circuit
    at_end = {new: old for old, new in routed.implicit_qubit_permutation().items()}
    inputs = [unit.initial_map[Qubit("q", i)] for i in range(logical)]
    outputs = [at_end[cast(Qubit, unit.final_map[Qubit("q", i)])] for i in range(logical)]
    routed.rename_units({qubit: Qubit("p", qubit.index[0]) for qubit in routed.qubits})
    converted = tk_to_qiskit(routed, replace_implicit_swaps=False, perm_warning=False)
    physical = QuantumCircuit(target.num_qubits)
    physical.compose(converted, places[: converted.num_qubits], inplace=True)
    return Draft(
        translated(physical, target),
        tuple(places[unit.index[0]] for unit in inputs),
        tuple(places[unit.index[0]] for unit in outputs),
    )
