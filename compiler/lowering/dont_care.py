"""What is never reached from |0…0⟩, found in polynomial time and made use of.

Two analyses, neither of which follows the state: patterns of pairs of qubits drop controls and
gates, and subspaces of small clusters make two-qubit blocks cheaper, as in `state_peephole`.

Gates that never fire and controls that say nothing, by the patterns that pairs can have.

Controls taken from one of several equal qubits, so that gates share it.
"""

from collections.abc import Collection, Sequence

import numpy as np
from attrs import evolve
from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate, Gate, Instruction

from compiler.caches import cached_rewriting
from compiler.circuits.matrices import Numbers
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.native import translated
from compiler.lowering.passes import ALL, Pass, Property
from compiler.lowering.reachable.clusters import Clusters
from compiler.lowering.reachable.patterns import Patterns, zero_controls
from compiler.lowering.state_peephole.blocks import is_native
from compiler.lowering.state_peephole.two_qubit import cheaper_blocks
from compiler.targets.resonator import has_resonator

PHASES = frozenset({"z", "s", "sdg", "t", "tdg", "p", "u1"})
"""Gates that only change the sign or phase of 1, so that their qubit is one more control."""


def without_idle_controls(
    circuit: QuantumCircuit, reachable: Patterns | None = None
) -> QuantumCircuit:
    """Return a circuit that does the same where the reachable patterns hold.

    Controlled gates whose controls exclude each other are dropped, and so are controls that are
    always met, or met wherever another one is; swaps of qubits that are always equal too.

    Args:
        circuit: gates of any kind; no measurements.
        reachable: patterns before the circuit, changed to those after it; |0…0⟩ by default.

    Returns:
        The circuit itself if there is nothing to drop.
    """
    patterns = Patterns(circuit.num_qubits) if reachable is None else reachable
    index = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    simpler, changed = circuit.copy_empty_like(), False
    for item in circuit.data:
        gate, qubits = item.operation, [index[qubit] for qubit in item.qubits]
        outcome = _simplified(gate, qubits, patterns)
        changed = changed or outcome is None or outcome[0] is not gate
        if outcome is not None:
            simpler.append(*outcome)
        patterns.apply(gate, qubits)
    return simpler if changed else circuit


def _simplified(
    gate: Instruction, qubits: list[int], patterns: Patterns
) -> tuple[Instruction, list[int]] | None:
    if gate.name == "swap":
        first, second = qubits
        same = not (patterns.pairs[first, second, 0, 1] or patterns.pairs[first, second, 1, 0])
        return None if same else (gate, qubits)
    if not isinstance(gate, ControlledGate) or gate.base_gate.num_qubits > 1:
        return gate, qubits
    closed = zero_controls(gate, qubits)
    for qubit in closed:
        patterns.flip(qubit)
    phase = gate.base_gate.name in PHASES
    conditions = qubits if phase else qubits[:-1]
    needed = _needed(conditions, patterns)
    for qubit in closed:
        patterns.flip(qubit)
    if needed is None or (phase and not needed):
        return None
    opened = [qubit for qubit in needed if qubit not in closed]
    if len(needed) == len(conditions) or (phase and not opened):
        return gate, qubits
    target = opened[-1] if phase else qubits[-1]
    places = [*(qubit for qubit in needed if qubit != target), target]
    return _controlled(gate.base_gate, places, closed), places


def _needed(conditions: Sequence[int], patterns: Patterns) -> list[int] | None:
    """Return the qubits that must be asked to know whether all are 1; None if they never are."""
    if not patterns.may_all_be_one(conditions):
        return None
    needed = list(conditions)
    for qubit in conditions:
        others = [other for other in needed if other != qubit]
        always_one = not patterns.may_be(qubit, 0)
        if always_one or any(patterns.implies(other, qubit) for other in others):
            needed = others
    return needed


def _controlled(base: Gate, places: Sequence[int], closed: Sequence[int]) -> Gate:
    controls = places[:-1]
    if not controls:
        return base
    state = sum(1 << i for i, qubit in enumerate(controls) if qubit not in closed)
    return base.control(len(controls), ctrl_state=state)


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
    return _simplified_items(circuit, tuple(unknown))


@cached_rewriting
def _simplified_items(circuit: QuantumCircuit, unknown: tuple[int, ...]) -> QuantumCircuit:
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
    circuit = simplified(draft.circuit)
    if circuit is draft.circuit:
        return draft
    native = is_native(draft.circuit, setting.target)
    return evolve(draft, circuit=translated(circuit, setting.target) if native else circuit)


dont_care = Pass("dont-care", _run, preserves=ALL, from_zero=True)


def with_shared_controls(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit that prepares the same state from |0…0⟩, controls on the oldest copies.

    Wherever the control of a gate is equal to other qubits in all basis states that are reached,
    the gate may as well ask one of those: the one that had its first gate before the others. A
    chain of CX from |0…0⟩ becomes a fan, all of whose gates have one control.

    Args:
        circuit: gates of any kind; no measurements.

    Returns:
        The circuit itself if no gate asks another qubit.
    """
    patterns = Patterns(circuit.num_qubits)
    index = {qubit: place for place, qubit in enumerate(circuit.qubits)}
    age = np.full(circuit.num_qubits, len(circuit.data))
    shared, changed = circuit.copy_empty_like(), False
    for time, item in enumerate(circuit.data):
        gate, qubits = item.operation, [index[qubit] for qubit in item.qubits]
        age[qubits] = np.minimum(age[qubits], time)
        places = _oldest(gate, qubits, patterns, age)
        changed = changed or places != qubits
        shared.append(gate, places, item.clbits)
        patterns.apply(gate, qubits)
    return shared if changed else circuit


def _oldest(
    gate: Instruction, qubits: Sequence[int], patterns: Patterns, age: Numbers
) -> list[int]:
    """Return a gate's qubits, with the oldest equal ones in the place of its controls."""
    places = list(qubits)
    if not isinstance(gate, ControlledGate):
        return places
    symmetric = gate.base_gate.name in PHASES
    for operand in range(len(places) if symmetric else gate.num_ctrl_qubits):
        differ = patterns.pairs[places[operand], :, [0, 1], [1, 0]].any(axis=0)
        equal = [q for q in np.flatnonzero(~differ).tolist() if q not in places]
        places[operand] = min((places[operand], *equal), key=lambda q: (age[q], q))
    return places


def _share(draft: Draft, setting: Setting) -> Draft:
    circuit = with_shared_controls(draft.circuit)
    return draft if circuit is draft.circuit else evolve(draft, circuit=circuit)


shared_controls = Pass(
    "shared-controls", _share, preserves={Property.GATES}, from_zero=True, suits=has_resonator
)
