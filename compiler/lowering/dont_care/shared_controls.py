"""Controls taken from one of several equal qubits, so that gates share it."""

from collections.abc import Sequence

import numpy as np
from attrs import evolve
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate, Instruction

from compiler.lowering.dont_care.controls import PHASES
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.passes import Pass, Property
from compiler.lowering.reachable.patterns import Patterns
from compiler.targets.resonator import has_resonator


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
    gate: Instruction, qubits: Sequence[int], patterns: Patterns, age: NDArray[np.intp]
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


def _run(draft: Draft, setting: Setting) -> Draft:
    found = with_shared_controls(draft.circuit)
    return draft if found is draft.circuit else evolve(draft, circuit=found)


shared_controls = Pass(
    "shared-controls", _run, preserves={Property.GATES}, from_zero=True, suits=has_resonator
)
