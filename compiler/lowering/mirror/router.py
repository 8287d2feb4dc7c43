"""The mirror router: beam searches to and fro, then again from half-way through the best."""

import numpy as np
from attrs import evolve
from qiskit import QuantumCircuit

from compiler.errors import NothingToGainError
from compiler.lowering.draft import ALL, Draft, Pass, Setting, uncoupled
from compiler.lowering.mirror.routes import LEGS, Explorer, cheapest
from compiler.lowering.mirror.source import MANY, Source, best_written, coupled, without_swaps
from compiler.lowering.mirror.unitaries import (
    Unitaries,
    as_circuit,
    merged,
    unitaries_of,
    with_mirrors,
)
from compiler.lowering.native import translated
from compiler.lowering.qiskit_level_3 import after
from compiler.lowering.sweep.sabre_sweep import searches_for, swept

NARROW, WIDE = 8, 64
"""States that are kept at each step, at first and towards the end."""
WINDOW = 30
"""Gates that a search looks ahead to."""
FAR = 64
"""Gates past which gates on the same qubits are brought together where all are coupled."""
KEPT = 3
"""Routes that are searched again, written, and compared by the objective."""


def _route(draft: Draft, setting: Setting) -> Draft:
    source = Source.in_blocks(draft, setting)
    if len(source.gates.wires) <= MANY and source.parametrised is None:
        source = Source.of(draft, setting)
    gates = len(source.gates.wires)
    if not gates:
        return best_written(swept(source, setting, 1), setting)
    searches = max(LEGS, searches_for(gates, setting.budget))
    explorer = Explorer(source, np.random.default_rng(setting.seed), [WINDOW])
    begun = swept(source, setting, searches)[: max(1, searches // LEGS)]
    first = cheapest(explorer.to_and_fro(begun, NARROW), KEPT)
    better = cheapest((explorer.refined(route, NARROW, searches) for route in first), KEPT)
    final = [explorer.refined(better[0], WIDE, searches), *better[1:]]
    return best_written(cheapest(final, KEPT), setting)


def _write_merged(draft: Draft, setting: Setting) -> Draft:
    """Merge gates on the same two qubits, past all that commutes, and write native gates.

    Swaps become a permutation, as all qubits are coupled, also those that save CX in a merged gate.

    Raises:
        NothingToGainError: if a quick attempt takes more gates than another one.
    """
    draft = after(draft, without_swaps(draft.circuit))
    gates, final = _merged(draft.circuit)
    least = setting.shared.least
    if setting.quick and setting.only_gains and gates is not None and gates.cost > least:
        raise NothingToGainError(f"{gates.cost} two-qubit gates, more than {least:.0f}")
    return _written(draft, (gates, final), setting)


def _merge(draft: Draft, setting: Setting) -> Draft:
    if setting.synthesis == LITERAL:
        return draft
    swapless = after(draft, without_swaps(draft.circuit))
    gates, final = _merged(swapless.circuit)
    most = draft.circuit.num_nonlocal_gates()
    if gates is not None and gates.cost >= most:
        return draft
    written = _written(swapless, (gates, final), setting)
    return written if written.circuit.num_nonlocal_gates() < most else draft


def _merged(circuit: QuantumCircuit) -> tuple[Unitaries | None, tuple[int, ...]]:
    """Return a circuit without swaps as merged gates, and for each qubit the one where it ends.

    There are no such gates if it has unbound parameters, barriers or gates on more than two qubits.
    """
    start = tuple(range(circuit.num_qubits))
    narrow = all(len(item.qubits) <= 2 and item.name != "barrier" for item in circuit.data)
    if not narrow or circuit.parameters:
        return None, start
    once = merged(unitaries_of(circuit, rounded=True), 0, FAR)
    gates, final = with_mirrors(merged(once, 0, FAR))
    return gates if final == start else merged(gates, 0, FAR), final


def _written(
    draft: Draft, merger: tuple[Unitaries | None, tuple[int, ...]], setting: Setting
) -> Draft:
    """Return a draft in native gates, its gates merged if they are given as such."""
    gates, final = merger
    if gates is not None:
        circuit = as_circuit(gates, draft.circuit.num_qubits, late=True)
        draft = after(draft, Draft(circuit, tuple(range(circuit.num_qubits)), final))
    return evolve(draft, circuit=translated(draft.circuit, setting.target))


LITERAL = "literal"
"""The synthesis that keeps the papers' gates, to be compared with."""

merging = Pass("merge", _merge, preserves=ALL, suits=uncoupled)
merged_writing = Pass(
    "write-merged", _write_merged, establishes=ALL, suits=uncoupled, takes_parameters=True
)
mirror = Pass(
    "mirror", _route, establishes=ALL, takes_start=True, suits=coupled, takes_parameters=True
)
