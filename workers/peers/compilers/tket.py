"""Quantinuum's tket, as its extension for IBM's devices calls it."""

from collections.abc import Sequence
from typing import cast

from pytket.architecture import Architecture, FullyConnected
from pytket.backends.backendinfo import BackendInfo
from pytket.circuit import OpType, Qubit
from pytket.extensions.qiskit import IBMQBackend, qiskit_to_tk, tk_to_qiskit
from pytket.passes import (
    AutoRebase,
    BasePass,
    CliffordSimp,
    CXMappingPass,
    DecomposeBoxes,
    FullPeepholeOptimise,
    GreedyPauliSimp,
    KAKDecomposition,
    NaivePlacementPass,
    PlacementPass,
    RoutingPass,
    SequencePass,
    SynthesiseTket,
)
from pytket.placement import GraphPlacement
from pytket.predicates import CompilationUnit
from qiskit import QuantumCircuit, transpile
from qiskit.transpiler import Target

from compiler.dynamic.pieces import is_dynamic
from compiler.lowering import Draft
from compiler.lowering.native import translated
from workers.peers.compilers.branches import branching, written_out
from workers.peers.peer import CompilerInputs, Variant, peer

LEVELS = {"ibm": 2, "ibm, level 3": 3}
"""The default optimisation level, and the one that resynthesises Pauli rotations."""

PAULIS = "pauli rotations"
"""The default level after `GreedyPauliSimp` and the full peephole, tket's strongest passes."""

GATES = {OpType.CX, OpType.Rz, OpType.SX, OpType.X}
DYNAMIC = {OpType.Measure, OpType.Reset, OpType.Conditional, OpType.RangePredicate}
OWN = "own routing"


def routings(target: Target, seeds: Sequence[int]) -> list[Variant]:
    """Return all ways; none has a seed."""
    names = [*LEVELS, PAULIS, *([OWN] if target.build_coupling_map() is not None else [])]
    return [Variant(name, 0) for name in names]


def routed(circuit: QuantumCircuit, target: Target, variant: Variant) -> int | None:
    """Return the swaps of tket's own placement and routing."""
    _, architecture = _architecture(target)
    if variant.name != OWN or not isinstance(architecture, Architecture):
        return None
    unit = CompilationUnit(qiskit_to_tk(circuit))
    placed = PlacementPass(GraphPlacement(architecture))
    SequencePass([placed, RoutingPass(architecture)]).apply(unit)
    return int(unit.circuit.n_gates_of_type(OpType.SWAP))


@peer("tket", "pytket", routings, dynamic=True, swaps=routed)
def tket(work: CompilerInputs, target: Target, variant: Variant) -> Draft:
    """Call tket; Qiskit only translates its CX and one-qubit gates to native ones.

    Variant `ibm` is the default pass of `IBMQBackend`, which routes by Qiskit's LightSABRE;
    `ibm, level 3` is its strongest one, whose first step is `GreedyPauliSimp`; `pauli rotations`
    runs that before the full peephole and the default level. Both refuse circuits that measure on
    the way. `own routing` is the default one with tket's own placement and routing. Conditions
    that are more than a comparison with one value, which the conversion to
    tket refuses, are written out.
    """
    circuit = work.gates
    dynamic = is_dynamic(circuit)
    plain = transpile(
        written_out(circuit) if dynamic else circuit,
        basis_gates=["cx", "rz", "sx", "x"],
        optimization_level=0,
    )
    converted = qiskit_to_tk(plain)
    DecomposeBoxes().apply(converted)
    unit = CompilationUnit(converted)
    places, architecture = _architecture(target)
    if isinstance(architecture, Architecture) and variant.name == OWN:
        _with_own_routing(architecture, dynamic).apply(unit)
        IBMQBackend.rebase_pass_offline(GATES).apply(unit)
    else:
        info = BackendInfo(
            "IBMQBackend",
            target.description,
            "",
            architecture,
            GATES | DYNAMIC if dynamic else GATES,
            supports_midcircuit_measurement=dynamic,
            supports_fast_feedforward=dynamic,
            supports_reset=dynamic,
        )
        if variant.name == PAULIS:
            first = AutoRebase({OpType.CX, OpType.Rz, OpType.H, OpType.X})
            SequencePass([first, GreedyPauliSimp(), FullPeepholeOptimise()]).apply(unit)
        IBMQBackend.pass_from_info(info, LEVELS.get(variant.name, 2)).apply(unit)
    return _lowered(unit, circuit, places, branching(target) if dynamic else target)


def _architecture(target: Target) -> tuple[list[int], Architecture | FullyConnected]:
    """Return the largest connected part of a target, and the physical qubit of every node.

    The extension's passes want nodes to be numbered without gaps.
    """
    coupling = target.build_coupling_map()
    if coupling is None:
        return list(range(target.num_qubits)), FullyConnected(target.num_qubits)
    connected = max(coupling.connected_components(), key=lambda part: part.size())
    return list(connected.graph.nodes()), Architecture(list(connected.get_edges()))


def _with_own_routing(architecture: Architecture, dynamic: bool) -> BasePass:
    return SequencePass(
        [
            FullPeepholeOptimise(),
            CXMappingPass(
                architecture,
                GraphPlacement(architecture),
                directed_cx=False,
                delay_measures=not dynamic,
            ),
            NaivePlacementPass(architecture),
            KAKDecomposition(allow_swaps=False),
            CliffordSimp(allow_swaps=False),
            SynthesiseTket(),
        ]
    )


def _lowered(
    unit: CompilationUnit, circuit: QuantumCircuit, places: Sequence[int], target: Target
) -> Draft:
    routed = unit.circuit
    at_end = {new: old for old, new in routed.implicit_qubit_permutation().items()}
    named = [Qubit(each.name, i) for each in circuit.qregs for i in range(each.size)]
    used = {node.index[0] for node in unit.initial_map.values()}
    free = (node for node in range(len(places)) if node not in used)
    # Its passes forget idle qubits: such a one stays on a node that nothing else is on.
    idle = {q: next(free) for q in named if q not in unit.initial_map}
    inputs = [idle[q] if q in idle else unit.initial_map[q].index[0] for q in named]
    outputs = [
        idle[q] if q in idle else at_end[cast(Qubit, unit.final_map[q])].index[0] for q in named
    ]
    routed.rename_units({qubit: Qubit("p", qubit.index[0]) for qubit in routed.qubits})
    converted = tk_to_qiskit(routed, replace_implicit_swaps=False, perm_warning=False)
    physical = QuantumCircuit(target.num_qubits)
    physical.add_bits(circuit.clbits)
    for register in circuit.cregs:
        physical.add_register(register)
    registers = {register.name: register for register in circuit.cregs}
    bits = [bit for register in converted.cregs for bit in registers[register.name]]
    physical.compose(converted, places[: converted.num_qubits], bits, inplace=True)
    return Draft(
        translated(physical, target),
        tuple(places[node] for node in inputs),
        tuple(places[node] for node in outputs),
    )
