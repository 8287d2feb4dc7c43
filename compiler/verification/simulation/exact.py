"""Exact states, with an order of gates that keeps them small.

Circuits as rotations about products of two Paulis, where those that commute may change places.

Routers and schedulers let gates change places that commute, and hide that behind the one-qubit
gates in between. Once these are pushed to the end, each two-qubit gate is exp(iφ (a·σ)⊗(b·σ)), and
two of them that share one qubit commute if their axes there are parallel.

Exact states of circuits whose gates may have any number of controls, in the order written.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from math import pi, sqrt

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, ControlledGate, Delay, Instruction
from qiskit.circuit.library import PhaseGate, RYGate, SwapGate, XGate, ZGate

from compiler.circuits.amplitude_table import MAX_AMPLITUDES
from compiler.circuits.branches import Branches
from compiler.circuits.gate_order import SmallestFirst
from compiler.circuits.gate_steps import Step, matrix_of, steps_of, zero_controls
from compiler.circuits.matrices import (
    Bits,
    Matrix,
    Numbers,
    Reals,
    onto_z,
    pauli_vector,
    turned_back,
)
from compiler.circuits.table_rows import integers, numbered
from compiler.circuits.tolerances import ROUNDING, SAME
from compiler.errors import StateTooLargeError
from compiler.verification.simulation.blocks import merged

BATCH = 64
"""Basis states that a circuit is applied to side by side."""

RENAMED = 12
"""Qubits up to which all basis states of a gate are listed."""

_CONTROLLED = frozenset({XGate, ZGate, PhaseGate, RYGate, SwapGate})


@frozen(eq=False)
class SparseState:
    """The basis states with non-zero amplitude.

    Args:
        bits: shape (amplitudes, qubits); column q is qubit q.
        amplitudes: shape (amplitudes,), up to one global phase.
    """

    bits: Bits
    amplitudes: Matrix

    def probabilities(self, qubits: Sequence[int]) -> dict[int, float]:
        """Return the distribution of the integer whose bit i is qubit `qubits[i]`."""
        weights = np.abs(self.amplitudes) ** 2
        values = self.bits[:, list(qubits)]
        places = numbered(values)
        _, first = np.unique(places, return_index=True)
        sums = np.bincount(places, weights)
        return {outcome: float(p) for outcome, p in zip(integers(values[first]), sums, strict=True)}

    def by_basis_state(self) -> dict[int, complex]:
        """Return the amplitudes by basis state, bit q = qubit q."""
        return dict(zip(integers(self.bits), self.amplitudes.tolist(), strict=True))


def simulate(
    circuit: QuantumCircuit, initial: int = 0, max_amplitudes: int = MAX_AMPLITUDES
) -> SparseState:
    """Return the state that `circuit` prepares from a basis state.

    Args:
        circuit: gates and barriers; no measurements.
        initial: the basis state to start from, bit q = qubit q.
        max_amplitudes: the most amplitudes the state may have on the way.

    Raises:
        StateTooLargeError: if the state outgrows `max_amplitudes`.
    """
    (state,) = simulate_each(circuit, [initial], max_amplitudes)
    return state


def simulate_each(
    circuit: QuantumCircuit, inputs: Iterable[int], max_amplitudes: int = MAX_AMPLITUDES
) -> Iterator[SparseState]:
    """Yield the state that `circuit` prepares from each of several basis states.

    One phase is free, common to all of them.

    Args:
        circuit: gates and barriers; no measurements.
        inputs: the basis states to start from, bit q = qubit q.
        max_amplitudes: the most amplitudes that states have on the way, in the mean of a batch.

    Raises:
        StateTooLargeError: if states outgrow `max_amplitudes`.
    """
    qubits = range(circuit.num_qubits)
    gates = list(_gates(circuit, qubits))
    waiting = iter(inputs)
    while batch := list(islice(waiting, BATCH)):
        start = np.array([[state >> q & 1 for q in qubits] for state in batch], dtype=bool)
        branches = Branches(start.reshape(len(batch), -1), max_amplitudes * len(batch))
        for gate in gates:
            gate.play(branches)
        yield from _states(branches)


def simulate_in_steps(segments: Iterable[QuantumCircuit]) -> Iterator[SparseState]:
    """Yield the state after each of several circuits that follow one another from |0…0⟩.

    Args:
        segments: circuits on the same qubits, without measurements.

    Raises:
        StateTooLargeError: if the state outgrows `MAX_AMPLITUDES`.
    """
    branches: Branches | None = None
    for segment in segments:
        branches = branches or Branches.zero(segment.num_qubits)
        for gate in _gates(segment, range(segment.num_qubits)):
            gate.play(branches)
        yield from _states(branches.copy())


def _states(branches: Branches) -> Iterator[SparseState]:
    """Yield the state of each run."""
    branches.settle()
    table = branches.table
    bits = table.bits(range(branches.qubits))
    order = np.argsort(table.run_of, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(table.run_of))[:-1]):
        yield SparseState(bits[rows], table.amplitudes[rows])


@frozen(eq=False)
class _Gate:
    """A gate under controls.

    Args:
        qubits: the controls, then the targets.
        controls: how many there are.
        closed: controls that must be 0.
        matrix: on the targets; the first one is the low bit of its index.
        images: for each basis state of the qubits the one that it becomes; None if the gate does
            not permute them, or they are too many.
        phases: by which each is multiplied.
    """

    qubits: Sequence[int]
    controls: int
    closed: Sequence[int]
    matrix: Matrix
    images: Numbers | None
    phases: Matrix

    @classmethod
    def of(cls, gate: Instruction, qubits: Sequence[int]) -> "_Gate":
        controlled = isinstance(gate, ControlledGate)
        controls, state = (gate.num_ctrl_qubits, gate.ctrl_state) if controlled else (0, 0)
        base = gate.base_gate if controlled else gate
        matrix = np.asarray(base.to_matrix(), dtype=complex)
        closed = zero_controls(gate, qubits) if controlled else []
        images, phases = None, np.ones(0, dtype=complex)
        if len(qubits) <= RENAMED and (np.abs(matrix) > ROUNDING).sum() == len(matrix):
            images = np.arange(1 << len(qubits))
            phases = np.ones(len(images), dtype=complex)
            ends = np.abs(matrix).argmax(axis=0)
            fires = np.arange(len(matrix)) << controls | state
            images[fires] = ends << controls | state
            phases[fires] = matrix[ends, np.arange(len(matrix))]
        return cls(qubits, controls, closed, matrix, images, phases)

    def play(self, branches: Branches) -> None:
        if len(self.qubits) == 1:
            branches.play([Step("u", tuple(self.qubits), self.matrix)])
            return
        size = len(branches.table)
        branches.settle(self.qubits)
        if self.images is not None:
            branches.rename(self.qubits, self.images, self.phases)
        else:
            _flip(branches, self.closed)
            controls, targets = self.qubits[: self.controls], self.qubits[self.controls :]
            branches.table.turn(targets, self.matrix[None], controls)
            _flip(branches, self.closed)
        branches.find_frames(self.qubits, size)


def _flip(branches: Branches, qubits: Sequence[int]) -> None:
    for qubit in qubits:
        branches.rename([qubit], np.array([1, 0]), np.ones(2, dtype=complex))


def is_wide(circuit: QuantumCircuit) -> bool:
    """Return whether a circuit has gates on three or more qubits that are simulated unchanged."""
    places = range(circuit.num_qubits)
    return any(len(qubits) > 2 for _, qubits in _primitives(circuit, places))


def _gates(circuit: QuantumCircuit, qubits: Sequence[int]) -> Iterator[_Gate]:
    return (_Gate.of(gate, places) for gate, places in _primitives(circuit, qubits))


def _primitives(
    circuit: QuantumCircuit, qubits: Sequence[int]
) -> Iterator[tuple[Instruction, list[int]]]:
    """Yield gates on one qubit, and others that are simulated as they are, with their qubits."""
    index = {qubit: qubits[i] for i, qubit in enumerate(circuit.qubits)}
    for item in circuit.data:
        gate, places = item.operation, [index[qubit] for qubit in item.qubits]
        if isinstance(gate, Barrier | Delay):
            continue
        # By its class and not by its name.
        if isinstance(gate, ControlledGate):
            is_played = gate.base_gate.base_class in _CONTROLLED
        else:
            single = gate.num_qubits == 1 and matrix_of(gate) is not None
            is_played = single or isinstance(gate, SwapGate)
        if is_played:
            yield gate, places
        elif gate.definition is not None:
            yield from _primitives(gate.definition, places)
        else:
            raise StateTooLargeError(f"gate '{gate.name}' cannot be simulated exactly")


X, _, Z = np.eye(3)
QUARTER = pi / 4
AXES: Mapping[str, tuple[Reals, Reals]] = {"cx": (Z, X), "cz": (Z, Z), "zz": (Z, Z)}


@frozen(eq=False)
class Rotation:
    """exp(iφ (a·σ)⊗(b·σ)).

    Args:
        qubits: that it acts on.
        axes: a and b, of length 1.
        angle: φ.
    """

    qubits: tuple[int, int]
    axes: tuple[Reals, Reals]
    angle: float

    def steps(self) -> list[Step]:
        """Return it as `zz` between one-qubit gates."""
        turns = [onto_z(axis) for axis in self.axes]
        return [
            *(Step("u", (q,), turn) for q, turn in zip(self.qubits, turns, strict=True)),
            Step("zz", self.qubits, angle=self.angle),
            *(Step("u", (q,), turn.conj().T) for q, turn in zip(self.qubits, turns, strict=True)),
        ]


def rotations_of(steps: Sequence[Step], qubits: int) -> tuple[list[Rotation], list[Step]]:
    """Return a circuit's rotations, in its order, and the one-qubit gates that follow all of them.

    Args:
        steps: one-qubit gates, `cx`, `cz` and `zz`, no barriers.
        qubits: width of the circuit.
    """
    after: list[Matrix] = [np.eye(2, dtype=complex)] * qubits
    rotations: list[Rotation] = []
    for step in steps:
        if step.kind == "u" and step.matrix is not None:
            (qubit,) = step.qubits
            after[qubit] = step.matrix @ after[qubit]
            continue
        a, b = step.qubits
        first, second = AXES[step.kind]
        axes = turned_back(first, after[a]), turned_back(second, after[b])
        rotations.append(Rotation((a, b), axes, QUARTER if step.kind != "zz" else step.angle))
        if step.kind != "zz":
            # CX and CZ are exp(iπ/4 (1 − Z)⊗(1 − P)).
            after[a] = _quarter(first) @ after[a]
            after[b] = _quarter(second) @ after[b]
    return rotations, [Step("u", (q,), matrix) for q, matrix in enumerate(after)]


def runs_of(rotations: Sequence[Rotation], qubits: int) -> list[list[list[int]]]:
    """Return for each qubit its rotations, by place, in runs whose axes there are parallel.

    Rotations may change places if they are in one run on each qubit that they share.
    """
    runs: list[list[list[int]]] = [[] for _ in range(qubits)]
    first: dict[int, Reals] = {}
    for place, rotation in enumerate(rotations):
        for qubit, axis in zip(rotation.qubits, rotation.axes, strict=True):
            previous = first.get(qubit)
            if previous is None or np.linalg.norm(np.cross(previous, axis)) > SAME:
                first[qubit] = axis
                runs[qubit].append([])
            runs[qubit][-1].append(place)
    return runs


def _quarter(axis: Reals) -> Matrix:
    """Return exp(−iπ/4 a·σ)."""
    return (np.eye(2) - 1j * pauli_vector(axis)) / sqrt(2)


def branched_state(
    circuit: QuantumCircuit, initial: int = 0, max_amplitudes: int = MAX_AMPLITUDES
) -> SparseState:
    """Return the state that `circuit` prepares from a basis state.

    Raises:
        StateTooLargeError: if the state outgrows `max_amplitudes`.
    """
    start = np.array([[initial >> q & 1 for q in range(circuit.num_qubits)]], dtype=bool)
    branches = Branches(start, max_amplitudes)
    gates = [step for step in steps_of(circuit) if step.kind != "barrier"]
    steps, place = merged(gates, circuit.num_qubits)
    played_in_order(branches, steps)
    return _renamed(branches, place)


def commuted_state(circuit: QuantumCircuit, max_amplitudes: int = MAX_AMPLITUDES) -> SparseState:
    """Return the state that `circuit` prepares from |0…0⟩; gates that commute may change places.

    That takes longer than `branched_state`, and copes with circuits whose scheduler has made use
    of it.

    Raises:
        StateTooLargeError: if the state outgrows `max_amplitudes`.
    """
    width = circuit.num_qubits
    branches = Branches.zero(width, max_amplitudes)
    gates = [step for step in steps_of(circuit) if step.kind != "barrier"]
    steps, place = merged(gates, width, from_zero=True)
    rotations, last = rotations_of(steps, width)
    played = [rotation.steps() for rotation in rotations]
    SmallestFirst(
        [rotation.qubits for rotation in rotations],
        lambda place: branches.play(played[place]),
        lambda place: branches.unless_larger(lambda: branches.play(played[place])),
        runs=runs_of(rotations, width),
    ).run()
    branches.play(last)
    return _renamed(branches, place)


def _renamed(branches: Branches, place: Sequence[int]) -> SparseState:
    """Return the state of a single run, each qubit being where `place` says."""
    branches.settle()
    return SparseState(branches.table.bits(place), branches.table.amplitudes.copy())


def played_in_order(
    branches: Branches, steps: Sequence[Step], random: np.random.Generator | None = None
) -> list[Step]:
    """Apply gates in an order that keeps the state small, and return that order.

    Args:
        branches: the state; it is changed.
        steps: gates on one and two qubits, no barriers.
        random: if given, every qubit is measured after its last gate.
    """

    def finish(qubit: int) -> None:
        if random is not None:
            branches.measure([qubit], random)

    order = SmallestFirst(
        [step.qubits for step in steps],
        lambda place: branches.play([steps[place]]),
        lambda place: branches.unless_larger(lambda: branches.play([steps[place]])),
        finish,
    ).run()
    return [steps[place] for place in order]


SMALL_BRANCHES = 1 << 17
"""Amplitudes up to which both orders are tried first: most that end in time stay below."""


def exact_state(circuit: QuantumCircuit, max_amplitudes: int = MAX_AMPLITUDES) -> SparseState:
    """Return the state that `circuit` prepares from |0…0⟩.

    Args:
        circuit: gates and barriers; no measurements.
        max_amplitudes: the most amplitudes the state may have on the way.

    Raises:
        StateTooLargeError: if the state outgrows `max_amplitudes` in every order of the gates.
    """
    # No other way is tried while an error is handled: its traceback holds a state.
    if is_wide(circuit):
        with suppress(StateTooLargeError):
            return simulate(circuit, max_amplitudes=max_amplitudes)
        return branched_state(circuit, max_amplitudes=max_amplitudes)
    for most in sorted({min(SMALL_BRANCHES, max_amplitudes), max_amplitudes}):
        for engine in (branched_state, commuted_state):
            with suppress(StateTooLargeError):
                return engine(circuit, max_amplitudes=most)
    return simulate(circuit, max_amplitudes=max_amplitudes)
