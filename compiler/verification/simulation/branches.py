"""Many basis states at once: exact states and sampled games of wide circuits with few branches.

Where circuits permute basis states between the tosses of coins, few basis states have an
amplitude at the same time, but optimised circuits leave qubits in rotated bases in between. Here
every qubit has a *frame*: a one-qubit gate that has yet to be applied. It is chosen so that the
state has as few amplitudes as possible, and applied when a wider gate needs the qubit.
"""

from collections.abc import Iterable, Sequence
from copy import copy

import numpy as np

from compiler.circuits.matrices import Matrix
from compiler.errors import StateTooLargeError
from compiler.verification.simulation.gate_steps import Step
from compiler.verification.simulation.sparse import MAX_AMPLITUDES, SparseState
from compiler.verification.simulation.table.amplitude_table import AmplitudeTable, Bits, Rows

IDENTITY: Matrix = np.eye(2, dtype=complex)
CZ: Matrix = np.array([[1, 1], [1, -1]], dtype=complex)
ALIKE = 1e-12
"""Difference up to which the frames of several runs are taken to be one."""

Checkpoint = tuple[AmplitudeTable, dict[int, Matrix]]


class Branches:
    """The amplitudes of one or many independent runs of a circuit.

    Args:
        start: the basis state of each run, shape (runs, qubits); amplitudes of different runs
            never mix.
        max_amplitudes: the most amplitudes that all runs together may have.

    Attributes:
        table: the amplitudes, but for the frames.
        frames: for each qubit that has one, shape (1, 2, 2), or (runs, 2, 2) if runs differ.
        met: for each qubit the last two that a gate was on together with it, the latest first.
    """

    def __init__(self, start: Bits, max_amplitudes: int = MAX_AMPLITUDES) -> None:
        _, self.qubits = start.shape
        self.table = AmplitudeTable.of(start, max_amplitudes)
        self.frames: dict[int, Matrix] = {}
        self.met: dict[int, tuple[int, ...]] = {}

    def play(self, steps: Sequence[Step]) -> None:
        """Apply gates; a barrier applies the frames of its qubits."""
        for step in steps:
            if step.kind == "u" and step.matrix is not None:
                (qubit,) = step.qubits
                self.frames[qubit] = step.matrix @ self.frames.get(qubit, IDENTITY[None])
            elif step.kind == "barrier":
                self.settle(step.qubits)
            else:
                a, b = step.qubits
                size = len(self.table)
                self._release(a)
                self._release(b)
                self._apply(step)
                self._find_frame(a)
                self._find_frame(b)
                if len(self.table) > size:
                    self._untangle(a, b)
                self.met[a] = (b, *self.met.get(a, ())[:1])
                self.met[b] = (a, *self.met.get(b, ())[:1])

    def play_unless_larger(self, *steps: Step) -> bool:
        """Apply gates if together they do not enlarge the state; tell whether they did not."""
        size, before, met = len(self.table), self._checkpoint(), dict(self.met)
        try:
            self.play(steps)
        except StateTooLargeError:
            larger = True
        else:
            larger = len(self.table) > size
        if larger:
            self._restore(before)
            self.met = met
        return not larger

    def copy(self) -> "Branches":
        """Return the same, to be changed independently."""
        same = copy(self)
        same.table, same.frames, same.met = self.table.copy(), dict(self.frames), dict(self.met)
        return same

    def settle(self, qubits: Iterable[int] | None = None) -> None:
        """Apply what waits for some qubits, by default everything."""
        for qubit in tuple(self.frames if qubits is None else qubits):
            self._release(qubit)

    def rename(self, qubits: Sequence[int], images: Rows, phases: Matrix) -> None:
        """Apply a gate that permutes basis states; see `AmplitudeTable.rename`."""
        self.settle(qubits)
        self.table.rename(qubits, images, phases)

    def mix(self, qubits: Sequence[int], matrix: Matrix) -> None:
        """Apply any gate; see `AmplitudeTable.mix`."""
        self.settle(qubits)
        self.table.mix(qubits, matrix)

    def straighten(self, qubits: Sequence[int]) -> list[int]:
        """Rotate qubits to bases in which runs are smaller; return those that have such a one."""
        found = []
        for qubit in qubits:
            size = len(self.table)
            self._find_frame(qubit)
            if len(self.table) < size:
                found.append(qubit)
        return found

    def chance(self, qubit: int) -> float:
        """Return the probability with which a qubit of a single run is measured as 1."""
        self.settle([qubit])
        weights = np.abs(self.table.amplitudes) ** 2
        return float(weights[self.table.bit(qubit)].sum() / weights.sum())

    def project(self, qubit: int, value: bool) -> None:
        """Keep what agrees with a value that a qubit of a single run was measured as."""
        self.settle([qubit])
        self.table.keep(np.flatnonzero(self.table.bit(qubit) == value))
        self.table.amplitudes /= np.linalg.norm(self.table.amplitudes)

    def measure(self, qubits: Sequence[int], random: np.random.Generator) -> None:
        """Measure some qubits of every run, and keep what agrees with the values found."""
        self.settle(qubits)
        for qubit in qubits:
            self.table.measure(qubit, random)

    def sample(self, random: np.random.Generator) -> Bits:
        """Measure every qubit of every run; return what was found, shape (runs, qubits)."""
        self.settle()
        self.table.sample(random)
        return self.table.bits(range(self.qubits))

    def state(self) -> SparseState:
        """Return the state of a single run."""
        self.settle()
        return SparseState(self.table.bits(range(self.qubits)), self.table.amplitudes.copy())

    def _apply(self, step: Step) -> None:
        a, b = step.qubits
        if step.kind == "cx":
            self.table.flip_where(b, a)
        elif step.kind == "cz":
            self.table.times_where(a, b, CZ)
        else:
            phase = np.exp(1j * step.angle)
            even, odd = phase, phase.conjugate()
            self.table.times_where(a, b, np.array([[even, odd], [odd, even]]))

    def _release(self, qubit: int) -> None:
        """Apply the frame of a qubit."""
        frame = self.frames.pop(qubit, None)
        if frame is not None:
            self.table.turn(qubit, frame)

    def _untangle(self, a: int, b: int) -> None:
        """Undo the frames of what a and b met last if better ones for a and b come of it.

        A control that looks like a superposition within a gate has a frame that later hides
        what the gate did to its targets.
        """
        met = [q for q in dict.fromkeys((*self.met.get(a, ()), *self.met.get(b, ())))
               if q in self.frames and q not in (a, b)]  # fmt: skip
        if not met or len(self.table) == self.table.runs:
            return
        size, before = len(self.table), self._checkpoint()
        try:
            for qubit in met:
                self._release(qubit)
        except StateTooLargeError:
            self._restore(before)
            return
        for qubit in (a, b, *met):
            self._find_frame(qubit)
        if len(self.table) >= size:
            self._restore(before)

    def _checkpoint(self) -> Checkpoint:
        """Return the state, and go on with a copy of it."""
        before = self.table, dict(self.frames)
        self.table = self.table.copy()
        return before

    def _restore(self, before: Checkpoint) -> None:
        self.table, self.frames = before

    def _find_frame(self, qubit: int) -> None:
        """Rotate a qubit to the basis in which each run is smaller, if there is one."""
        table = self.table
        if len(table) == table.runs or (found := table.straighten(qubit)) is None:
            return
        basis, good = found
        basis[~good] = IDENTITY
        frame = self.frames.get(qubit, IDENTITY[None]) @ basis.conj().mT
        alike = (np.abs(frame - frame[0]) < ALIKE).all()
        self.frames[qubit] = np.ascontiguousarray(frame[:1] if alike else frame)
