"""Exact states, with an order of gates that keeps them small.

Circuits as rotations about products of two Paulis, where those that commute may change places.

Routers and schedulers let gates change places that commute, and hide that behind the one-qubit
gates in between. Once these are pushed to the end, each two-qubit gate is exp(iφ (a·σ)⊗(b·σ)), and
two of them that share one qubit commute if their axes there are parallel.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import pi, sqrt

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit

from compiler.circuits.amplitude_table import MAX_AMPLITUDES
from compiler.circuits.branches import Branches
from compiler.circuits.gate_order import SmallestFirst
from compiler.circuits.gate_steps import Step, steps_of
from compiler.circuits.matrices import Matrix, Reals, onto_z, pauli_vector, turned_back
from compiler.circuits.tolerances import SAME
from compiler.errors import StateTooLargeError
from compiler.verification.simulation.blocks import merged
from compiler.verification.simulation.sparse import SparseState, is_wide, simulate

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
    turn: Matrix = (np.eye(2) - 1j * pauli_vector(axis)) / sqrt(2)
    return turn


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
