"""Gates that never fire and controls that say nothing, by the patterns that pairs can have."""

from collections.abc import Sequence

from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate, Gate, Instruction

from compiler.lowering.reachable.patterns import Patterns, zero_controls

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
        kept = _simplified(gate, qubits, patterns)
        changed = changed or kept is None or kept[0] is not gate
        if kept is not None:
            simpler.append(*kept)
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
        known = not patterns.may_be(qubit, 0)
        if known or any(patterns.implies(other, qubit) for other in others):
            needed = others
    return needed


def _controlled(base: Gate, places: Sequence[int], closed: Sequence[int]) -> Gate:
    controls = places[:-1]
    if not controls:
        return base
    state = sum(1 << i for i, qubit in enumerate(controls) if qubit not in closed)
    return base.control(len(controls), ctrl_state=state)
