"""Lowering to qubits around one resonator: CZ of one qubit with many for two MOVE."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit

from compiler.circuits.matrices import Matrix
from compiler.circuits.tolerances import SAME
from compiler.errors import TargetError
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.hub.scheduling import narrowed
from compiler.lowering.interactions.interactions import (
    Interactions,
    Vectors,
    interactions_of,
    pauli_vector,
)
from compiler.lowering.interactions.merging import merged
from compiler.lowering.passes import Pass, Property
from compiler.lowering.qiskit_level_3 import after
from compiler.lowering.resonator.runs import Run, runs_of
from compiler.targets.resonator import MoveGate, computational_qubits, has_resonator

X, Z = np.eye(3)[[0, 2]]


@frozen(eq=False)
class _Frames:
    """A circuit under way, and for each wire the gate that turns the start's frame into its own."""

    circuit: QuantumCircuit
    frames: list[Matrix]

    def turn(self, wire: int, axis: Vectors, to: Vectors) -> None:
        """Apply a one-qubit gate after which `axis` of the start is `to`."""
        current = self.frames[wire]
        now = current @ pauli_vector(axis) @ current.conj().T
        image = np.real([np.trace(now @ pauli_vector(unit)) / 2 for unit in np.eye(3)])
        if np.linalg.norm(image - to) > SAME:
            gate = _rotation(image, to)
            self.circuit.unitary(gate, [wire])
            self.frames[wire] = gate @ current


def _rotation(axis: Vectors, to: Vectors) -> Matrix:
    """Return a gate that turns one axis into another one: a half turn about their middle."""
    middle = axis + to
    if np.linalg.norm(middle) < SAME:
        middle = np.cross(to, np.roll(to, 1))
    turned: Matrix = pauli_vector(middle / np.linalg.norm(middle))
    return turned


def resonator_circuit(interactions: Interactions, runs: Sequence[Run]) -> QuantumCircuit:
    """Return runs in CZ, MOVE and one-qubit gates; the resonator is the last qubit."""
    wires = len(interactions.ends)
    made = _Frames(QuantumCircuit(wires + 1), [np.eye(2, dtype=np.complex128)] * wires)
    for run in runs:
        first = run.members[0]
        axis = interactions.axes[first, int(interactions.pairs[first, 1] == run.wire)]
        made.turn(run.wire, axis, Z)
        made.circuit.append(MoveGate(), [run.wire, wires])
        for member in run.members:
            _interact(made, interactions, member, run.wire, axis)
        made.circuit.append(MoveGate(), [run.wire, wires])
    for wire, end in enumerate(interactions.ends):
        made.circuit.unitary(end @ made.frames[wire].conj().T, [wire])
    return made.circuit


def _interact(
    made: _Frames, interactions: Interactions, member: int, wire: int, axis: Vectors
) -> None:
    """Append exp(i θ (a·σ)⊗(b·σ)), one CZ if θ = π/4, else two."""
    own = int(interactions.pairs[member, 1] == wire)
    other = int(interactions.pairs[member, 1 - own])
    theta = float(interactions.angles[member])
    sign = np.sign(interactions.axes[member, own] @ axis)
    towards = sign * interactions.axes[member, 1 - own]
    resonator = len(interactions.ends)
    if abs(theta - np.pi / 4) < SAME:
        made.turn(other, towards, Z)
        made.circuit.cz(other, resonator)
        quarter = np.diag(np.exp([-1j * np.pi / 4, 1j * np.pi / 4]))
        for qubit in (wire, other):
            made.frames[qubit] = quarter @ made.frames[qubit]
    else:
        made.turn(other, towards, X)
        made.circuit.cz(other, resonator)
        made.circuit.rx(-2 * theta, other)
        made.circuit.cz(other, resonator)


def _run(draft: Draft, setting: Setting) -> Draft:
    """Runs of the circuit as it is, or of its interactions merged, whichever takes fewer gates."""
    narrow = narrowed(draft.circuit, any_input=setting.any_input)
    qubits = computational_qubits(setting.target)
    if narrow.circuit.num_qubits > qubits:
        raise TargetError(
            f"{narrow.circuit.num_qubits} qubits do not fit on the {qubits} of "
            f"'{setting.target.description}'"
        )
    wide = QuantumCircuit(qubits)
    wide.compose(narrow.circuit, range(narrow.circuit.num_qubits), inplace=True)
    plain = interactions_of(wide)
    tried = (resonator_circuit(way, runs_of(way, setting.budget)) for way in (merged(plain), plain))
    places = tuple(range(narrow.circuit.num_qubits))
    return after(
        draft,
        after(narrow, Draft(min(tried, key=QuantumCircuit.num_nonlocal_gates), places, places)),
    )


resonator_scheduling = Pass(
    "resonator",
    _run,
    establishes={Property.LAYOUT, Property.ROUTING},
    preserves={Property.GATES},
    suits=has_resonator,
)
