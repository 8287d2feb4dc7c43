"""What is never reached from |0…0⟩, found in polynomial time and made use of.

Two analyses, neither of which follows the state: patterns of pairs of qubits drop controls and
gates, and subspaces of small clusters make two-qubit blocks cheaper, as in `state_peephole`.
"""

from collections.abc import Collection

from attrs import evolve
from qiskit import QuantumCircuit

from compiler.caches import cached_rewriting
from compiler.lowering.dont_care.controls import without_idle_controls
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.native import translated
from compiler.lowering.passes import ALL, Pass
from compiler.lowering.reachable.clusters import Clusters
from compiler.lowering.reachable.patterns import Patterns
from compiler.lowering.state_peephole.blocks import is_native
from compiler.lowering.state_peephole.two_qubit import cheaper_blocks

SWEEPS = 4


def simplified(circuit: QuantumCircuit, unknown: Collection[int] = ()) -> QuantumCircuit:
    """Return a circuit that prepares the same state from |0…0⟩ with no more two-qubit gates.

    Gates, as long as they are not wider than two qubits, are written in CX and `u` where they
    become cheaper; wider ones lose controls.

    Args:
        circuit: gates and barriers, of any size; no measurements.
        unknown: qubits that may start in any state, also entangled with whatever else there is;
            all others start in |0⟩.

    Returns:
        The circuit itself if nothing is gained.
    """
    return _simplified(circuit, tuple(unknown))


@cached_rewriting
def _simplified(circuit: QuantumCircuit, unknown: tuple[int, ...]) -> QuantumCircuit:
    for _ in range(SWEEPS):
        patterns, clusters = Patterns(circuit.num_qubits), Clusters()
        patterns.forget(unknown)
        clusters.forget(unknown)
        fewer = cheaper_blocks(without_idle_controls(circuit, patterns), clusters)
        if fewer is circuit:
            break
        circuit = fewer
    return circuit


def _run(draft: Draft, setting: Setting) -> Draft:
    found = simplified(draft.circuit)
    if found is draft.circuit:
        return draft
    native = is_native(draft.circuit, setting.target)
    return evolve(draft, circuit=translated(found, setting.target) if native else found)


dont_care = Pass("dont-care", _run, preserves=ALL, from_zero=True)
