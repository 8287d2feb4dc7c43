"""Quantinuum's tket: peephole optimisation, placement and routing.

tket is imported where it runs.
"""

from typing import TYPE_CHECKING, cast

from qiskit import QuantumCircuit, transpile

from compiler.caches import cached
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.passes import Pass, Property
from compiler.lowering.qiskit_level_3 import after
from compiler.lowering.tket.circuits import TKET_NAMES, from_tket, to_tket
from compiler.targets.resonator import without_resonator

if TYPE_CHECKING:
    from pytket.circuit import Qubit
    from pytket.predicates import CompilationUnit
    from pytket.unit_id import UnitID


def _peephole(draft: Draft, setting: Setting) -> Draft:
    """tket without an architecture; qubits may change places."""
    return after(draft, _peephole_optimised(qpy_bytes(_plain(draft, setting))))


def _plain(draft: Draft, setting: Setting) -> QuantumCircuit:
    return transpile(
        draft.circuit,
        basis_gates=list(TKET_NAMES),
        optimization_level=0,
        qubits_initially_zero=not setting.any_input,
    )


@cached
def _peephole_optimised(qpy: bytes) -> Draft:
    """Cached, because it takes most of the time and is the same for every target and seed."""
    from pytket.passes import FullPeepholeOptimise
    from pytket.predicates import CompilationUnit

    plain = read_qpy(qpy, "synthesised")
    unit = CompilationUnit(to_tket(plain))
    FullPeepholeOptimise(allow_swaps=True).apply(unit)
    return _on_indices(unit, plain.num_qubits, plain.num_qubits)


def _route(draft: Draft, setting: Setting) -> Draft:
    """tket's placement by interaction graph, unless it is given; and its routing."""
    from pytket.architecture import Architecture
    from pytket.circuit import Node, Qubit
    from pytket.passes import (
        CliffordSimp,
        CXMappingPass,
        DecomposeSwapsToCXs,
        KAKDecomposition,
        NaivePlacementPass,
        RenameQubitsPass,
        RoutingPass,
        SequencePass,
        SynthesiseTket,
    )
    from pytket.placement import GraphPlacement
    from pytket.predicates import CompilationUnit

    coupling, start = setting.target.build_coupling_map(), setting.start_of(draft)
    if coupling is None:
        return draft if start is None else draft.relabelled(start, setting.target.num_qubits)
    plain = _plain(draft, setting)
    unit = CompilationUnit(to_tket(plain))
    connected = max(coupling.connected_components(), key=lambda part: part.size())
    index = dict(enumerate(connected.graph.nodes()))
    architecture = Architecture([(index[a], index[b]) for a, b in connected.get_edges()])
    if start is None:
        routing = [
            CXMappingPass(architecture, GraphPlacement(architecture), directed_cx=False),
            NaivePlacementPass(architecture),
        ]
    else:
        places = {Qubit("q", i): Node(at) for i, at in enumerate(start)}
        routing = [
            RenameQubitsPass(places),
            RoutingPass(architecture),
            DecomposeSwapsToCXs(architecture),
        ]
    SequencePass(
        [
            *routing,
            KAKDecomposition(allow_swaps=False),
            CliffordSimp(allow_swaps=False),
            SynthesiseTket(),
        ]
    ).apply(unit)
    return after(draft, _on_indices(unit, plain.num_qubits, setting.target.num_qubits))


def _on_indices(unit: "CompilationUnit", logical: int, physical: int) -> Draft:
    """Return a unit's circuit in CX and one-qubit gates, with qubit q at index q."""
    from pytket.circuit import OpType, Qubit
    from pytket.passes import AutoRebase

    AutoRebase({OpType.CX, OpType.Rz, OpType.SX, OpType.X}).apply(unit)
    routed = unit.circuit
    at_end = {new: old for old, new in routed.implicit_qubit_permutation().items()}
    inputs = [_at(unit.initial_map[Qubit("q", i)]) for i in range(logical)]
    outputs = [_at(at_end[cast("Qubit", unit.final_map[Qubit("q", i)])]) for i in range(logical)]
    routed.rename_units({qubit: Qubit("p", qubit.index[0]) for qubit in routed.qubits})
    return Draft(from_tket(routed, physical), tuple(inputs), tuple(outputs))


def _at(unit: "UnitID") -> int:
    return unit.index[0]


tket_peephole = Pass("tket-peephole", _peephole, preserves={Property.GATES})
tket_routing = Pass(
    "tket-routing",
    _route,
    establishes={Property.LAYOUT, Property.ROUTING},
    preserves={Property.GATES},
    takes_start=True,
    suits=without_resonator,
)
