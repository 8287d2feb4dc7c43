"""Lowering to qubits around one resonator: CZ of one qubit with many for two MOVE.

Runs on a resonator: interactions that share one wire with one axis, done in one visit.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit

from compiler.circuits.matrices import Matrix, pauli_vector
from compiler.circuits.tolerances import SAME, SAME_AXIS
from compiler.compiled import cached_njit, njit_view
from compiler.errors import TargetError
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.hub.problem import (
    ROOM,
    Candidate,
    Candidates,
    Growing,
    HubProblem,
    States,
    Units,
    Words,
    contains,
    copy_set,
    execute,
    hub_problem,
    no_candidates,
    no_states,
    no_units,
    path_to_end,
    propose,
    take,
)
from compiler.lowering.hub.scheduling import narrowed
from compiler.lowering.interactions.interactions import (
    Interactions,
    Vectors,
    direct_predecessors,
    interactions_of,
    merged,
)
from compiler.lowering.passes import Pass, Property
from compiler.lowering.qiskit_level_3 import after
from compiler.targets.resonator import MoveGate, computational_qubits, has_resonator

KEYS_SEED = 21
FORESIGHT = 0.02


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
        interactions: what is to be executed.
        width: sets that the search keeps among those with as many interactions executed.
    """
    size = len(interactions)
    if not size:
        return []
    lines = _lines(interactions)
    keys = np.random.default_rng(KEYS_SEED).integers(1, 1 << 63, size, dtype=np.uint64)
    finished = _search(_problem(interactions, lines), width, keys)
    runs = []
    for earlier, later in pairwise(finished):
        bits = np.unpackbits((later & ~earlier).view(np.uint8), bitorder="little")
        members = np.flatnonzero(bits).tolist()
        line = next(line for line in lines if set(members) <= set(line[1]))
        runs.append(Run(line[0], tuple(members)))
    return runs


def _lines(interactions: Interactions) -> list[tuple[int, list[int]]]:
    """Return wires with the interactions whose axes on them are parallel."""
    lines: list[tuple[int, list[int]]] = []
    for wire in range(len(interactions.ends)):
        own: list[tuple[Vectors, list[int]]] = []
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


def _problem(interactions: Interactions, lines: list[tuple[int, list[int]]]) -> HubProblem:
    """Return a hub's problem in which lines take the place of wires."""
    size = len(interactions)
    units = Units(
        tuple((i,) for i in range(size)),
        interactions.pairs,
        np.zeros((size, 4, 4), dtype=np.complex128),
        np.ones(size, dtype=np.int64),
        np.ones(size, dtype=np.int64),
        direct_predecessors(interactions),
    )
    return hub_problem(units, len(interactions.ends))._replace(
        starts=np.cumsum([0, *(len(members) for _, members in lines)]),
        by_wire=np.array([i for _, members in lines for i in members], dtype=np.int64),
    )


class _Beam(NamedTuple):
    """All that the search works on, and room for one set."""

    problem: HubProblem
    width: int
    keys: Words
    candidates: Candidates
    states: States
    now: Growing


@njit_view
def _expand(beam: _Beam, state: int) -> None:
    """Propose each run that can follow a state."""
    problem, states, now = beam.problem, beam.states, beam.now
    for line in range(len(problem.starts) - 1):
        copy_set(states.executed[state], now.units)
        if execute(problem, now, line, -1, -1) > 0:
            _propose_run(beam, state, states.excess[state] + 1)


@njit_view
def _propose_run(beam: _Beam, origin: int, runs: int) -> None:
    keys, chains, now = beam.keys, beam.problem.chains, beam.now.units
    count, worth, key = 0, 0.0, np.uint64(1)
    for i in range(len(keys)):
        if contains(now, i):
            count += 1
            worth += FORESIGHT * chains[i]
            key ^= keys[i]
    choice = Candidate(runs - worth, key, origin, 0, runs)
    propose(beam.candidates, count, beam.width, choice, now)


@cached_njit()
def _search(problem: HubProblem, width: int, keys: Words) -> Words:
    """Return what is executed before each run and in the end, uint64[runs + 1, words]."""
    n, words = problem.before.shape
    candidates = no_candidates(n + 1, ROOM * width + 1, words)
    states = no_states(n * width + 1, words)
    now = no_units(problem)
    beam = _Beam(problem, width, keys, candidates, states, now)
    start = Candidate(0.0, np.uint64(1), -1, 0, 0)
    propose(candidates, 0, width, start, now.units)
    used = 0
    for row in range(n):
        first = used
        used = take(candidates, row, width, states, first)
        for state in range(first, used):
            _expand(beam, state)
    _, _, finished = path_to_end(candidates, states)
    return finished


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
