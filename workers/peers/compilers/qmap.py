"""QMAP of the Munich Quantum Toolkit, by its exact method on small devices, else by its search."""

from collections.abc import Sequence
from importlib import import_module

from qiskit import QuantumCircuit, transpile
from qiskit.transpiler import Target

from compiler.lowering import Draft
from compiler.lowering.native import translated
from compiler.targets.resonator import has_resonator
from workers.peers.peer import CompilerInputs, Variant, peer

HEURISTIC, EXACT = "heuristic", "exact"

SMALL = 7
"""Qubits of a device up to which the fewest swaps are looked for, which takes about a minute."""

MAX_QUBITS = 128
"""Qubits of a device that it has room for; on more it does not come to an end."""


def methods(target: Target, seeds: Sequence[int]) -> list[Variant]:
    """Return the methods that suit a device; neither has a seed."""
    names = (HEURISTIC, EXACT) if target.num_qubits <= SMALL else (HEURISTIC,)
    return [Variant(name, 0) for name in names]


def refusal(target: Target) -> str:
    """Return why it is not called for a target, `""` if it is."""
    if target.build_coupling_map() is None or has_resonator(target):
        return "qmap is for devices in which some qubits are coupled, and others not"
    if target.num_qubits > MAX_QUBITS:
        return f"qmap has room for {MAX_QUBITS} qubits of a device"
    return ""


@peer("qmap", "mqt.qmap", methods, refuses=refusal)
def qmap(work: CompilerInputs, target: Target, variant: Variant) -> Draft:
    """Call `mqt.qmap`'s mapping of superconducting devices, which lays out and routes.

    Qiskit's level 3 goes before it, and translates to native gates after it. It is given CX: its
    results on CZ are refuted.
    """
    circuit, coupling = work.gates, target.build_coupling_map()
    mapper, core = import_module("mqt.qmap.sc"), import_module("mqt.core")
    to_qiskit = import_module("mqt.core.plugins.qiskit").mqt_to_qiskit
    plain = transpile(
        circuit, basis_gates=["cx", "u"], optimization_level=3, qubits_initially_zero=False
    )
    # It would take the layout that a circuit of Qiskit's has for one of its own.
    bare = QuantumCircuit(circuit.num_qubits)
    bare.compose(plain, inplace=True)
    edges = {tuple(edge) for edge in coupling.get_edges()}
    both_ways = edges | {(second, first) for first, second in edges}
    configuration = mapper.Configuration()
    configuration.method = getattr(mapper.Method, variant.name)
    configuration.add_measurements_to_mapped_circuit = False
    mapped, _ = mapper.map_(
        core.load(bare), mapper.Architecture(target.num_qubits, both_ways), configuration
    )
    physical = QuantumCircuit(target.num_qubits)
    gates = to_qiskit(mapped)
    physical.compose(gates, range(gates.num_qubits), inplace=True)
    initial, final = (
        {program: place for place, program in layout.items()}
        for layout in (mapped.initial_layout, mapped.output_permutation)
    )
    order = range(circuit.num_qubits)
    moved = order if plain.layout is None else plain.layout.final_index_layout()
    return Draft(
        translated(physical, target, level=3),
        tuple(initial[qubit] for qubit in order),
        tuple(final[qubit] for qubit in moved),
    )
