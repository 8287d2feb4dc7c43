"""Lowering to qubits around one resonator: CZ of one qubit with many for two MOVE.

Runs on a resonator: interactions that share one wire with one axis, done in one visit.
"""

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit

from compiler.circuits.matrices import Matrix, Reals, pauli_vector
from compiler.circuits.tolerances import SAME, SAME_AXIS
from compiler.lowering.draft import Draft, Pass, Property, Setting
from compiler.lowering.hub.problem import chains
from compiler.lowering.hub.scheduling import narrowed
from compiler.lowering.interactions.interactions import (
    Interactions,
    direct_predecessors,
    interactions_of,
    merged,
)
from compiler.lowering.qiskit_level_3 import after
from compiler.targets.resonator import MoveGate, computational_qubits, has_resonator

FORESIGHT = 0.02

MAX_LOOKS = 10_000_000
"""Interactions that the search looks at, some seconds: of many its beam is narrower."""


@frozen
class Run:
    """One visit of a wire's state to the resonator.

    Args:
        wire: whose state it is.
        members: the interactions that are executed meanwhile, in time order; their axes on the
            wire are parallel.
    """

    wire: int
    members: tuple[int, ...]


def runs_of(interactions: Interactions, width: int) -> list[Run]:
    """Return runs that execute all interactions, as few as a beam search finds.

    Args:
        interactions: to be executed.
        width: sets that the search keeps among those with as many interactions executed, of many
            interactions fewer.
    """
    lines = _lines(interactions)
    runs, executed = [], 0
    for later in _search(interactions, lines, width):
        new = later & ~executed
        line = next(line for line in lines if not new & ~sum(1 << i for i in line[1]))
        runs.append(Run(line[0], tuple(i for i in line[1] if new >> i & 1)))
        executed = later
    return runs


def _search(
    interactions: Interactions, lines: Sequence[tuple[int, list[int]]], width: int
) -> tuple[int, ...]:
    """Return the sets executed after each run, as bits.

    Sets of executed interactions are extended in the order of their sizes, each time only the
    `width` that score best: by the number of runs, less `FORESIGHT` for each interaction of the
    longest chain of interactions that have to follow an executed one, itself included.
    """
    size = len(interactions)
    relation = direct_predecessors(interactions)
    before = [sum(1 << int(j) for j in np.flatnonzero(row)) for row in relation]
    worth = (FORESIGHT * chains(relation)).tolist()
    width = max(1, min(width, MAX_LOOKS // max(1, 2 * size**2)))
    rows: list[dict[int, tuple[float, float, tuple[int, ...]]]] = [{} for _ in range(size + 1)]
    rows[0][0] = 0.0, 0.0, ()
    for row in rows[:-1]:
        best = sorted(row.items(), key=lambda entry: entry[1][0])[:width]
        row.clear()
        for executed, (_, gained, path) in best:
            for _, members in lines:
                now, more = executed, gained
                for i in members:
                    if not now >> i & 1 and not before[i] & ~now:
                        now |= 1 << i
                        more += worth[i]
                score, later = len(path) + 1 - more, rows[now.bit_count()]
                if now != executed and (now not in later or score < later[now][0]):
                    later[now] = score, more, (*path, now)
    ((_, _, runs),) = rows[-1].values()
    return runs


def _lines(interactions: Interactions) -> list[tuple[int, list[int]]]:
    """Return wires with the interactions whose axes on them are parallel."""
    lines: list[tuple[int, list[int]]] = []
    for wire in range(len(interactions.ends)):
        own: list[tuple[Reals, list[int]]] = []
        for i, k in zip(*np.nonzero(interactions.pairs == wire), strict=True):
            axis = interactions.axes[i, k]
            for first, members in own:
                if np.linalg.norm(np.cross(first, axis)) < SAME_AXIS:
                    members.append(int(i))
                    break
            else:
                own.append((axis, [int(i)]))
        lines += [(wire, members) for _, members in own]
    return lines


X, Z = np.eye(3)[[0, 2]]


@frozen(eq=False)
class _Frames:
    """A circuit under way, and for each wire the gate that turns the start's frame into its own."""

    circuit: QuantumCircuit
    frames: list[Matrix]

    def turn(self, wire: int, axis: Reals, to: Reals) -> None:
        """Apply a one-qubit gate after which `axis` of the start is `to`."""
        current = self.frames[wire]
        now = current @ pauli_vector(axis) @ current.conj().T
        image = np.real([np.trace(now @ pauli_vector(unit)) / 2 for unit in np.eye(3)])
        if np.linalg.norm(image - to) > SAME:
            gate = _rotation(image, to)
            self.circuit.unitary(gate, [wire])
            self.frames[wire] = gate @ current


def _rotation(axis: Reals, to: Reals) -> Matrix:
    """Return a gate that turns one axis into another one: a half turn about their middle."""
    middle = axis + to
    if np.linalg.norm(middle) < SAME:
        middle = np.cross(to, np.roll(to, 1))
    return pauli_vector(middle / np.linalg.norm(middle))


def resonator_circuit(interactions: Interactions, runs: Sequence[Run]) -> QuantumCircuit:
    """Return runs in CZ, MOVE and one-qubit gates; the resonator is the last qubit."""
    wires = len(interactions.ends)
    frames = _Frames(QuantumCircuit(wires + 1), [np.eye(2, dtype=np.complex128)] * wires)
    for run in runs:
        first = run.members[0]
        axis = interactions.axes[first, int(interactions.pairs[first, 1] == run.wire)]
        frames.turn(run.wire, axis, Z)
        frames.circuit.append(MoveGate(), [run.wire, wires])
        for member in run.members:
            _interact(frames, interactions, member, run.wire, axis)
        frames.circuit.append(MoveGate(), [run.wire, wires])
    for wire, end in enumerate(interactions.ends):
        frames.circuit.unitary(end @ frames.frames[wire].conj().T, [wire])
    return frames.circuit


def _interact(
    frames: _Frames, interactions: Interactions, member: int, wire: int, axis: Reals
) -> None:
    """Append exp(i θ (a·σ)⊗(b·σ)), one CZ if θ = π/4, else two."""
    own = int(interactions.pairs[member, 1] == wire)
    other = int(interactions.pairs[member, 1 - own])
    theta = float(interactions.angles[member])
    sign = np.sign(interactions.axes[member, own] @ axis)
    towards = sign * interactions.axes[member, 1 - own]
    resonator = len(interactions.ends)
    if abs(theta - np.pi / 4) < SAME:
        frames.turn(other, towards, Z)
        frames.circuit.cz(other, resonator)
        quarter = np.diag(np.exp([-1j * np.pi / 4, 1j * np.pi / 4]))
        for qubit in (wire, other):
            frames.frames[qubit] = quarter @ frames.frames[qubit]
    else:
        frames.turn(other, towards, X)
        frames.circuit.cz(other, resonator)
        frames.circuit.rx(-2 * theta, other)
        frames.circuit.cz(other, resonator)


def _run(draft: Draft, setting: Setting) -> Draft:
    """Runs of the circuit unchanged, or of its interactions merged, whichever takes fewer gates."""
    narrow = narrowed(draft.circuit, any_input=setting.any_input)
    qubits = computational_qubits(setting.target)
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
