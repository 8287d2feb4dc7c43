"""Many basis states at once: exact states and sampled games of wide circuits with few branches.

Where circuits permute basis states between the tosses of coins, few basis states have an
amplitude at the same time, but optimised circuits leave qubits in rotated bases in between. Here
every qubit has a *frame*: a one-qubit gate that has yet to be applied. It is chosen so that the
state has as few amplitudes as possible, and applied when a wider gate needs the qubit.
"""

from collections.abc import Iterable, Sequence
from copy import copy
from math import hypot

import numpy as np

from compiler.errors import StateTooLargeError
from compiler.verification.simulation.amplitude_table import AmplitudeTable, Bits, Rows
from compiler.verification.simulation.gate_steps import Matrix, Step
from compiler.verification.simulation.sparse import MAX_AMPLITUDES, SparseState
from compiler.verification.simulation.wide_gates import NEGLIGIBLE

IDENTITY: Matrix = np.eye(2, dtype=complex)
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
        table, (a, b) = self.table, step.qubits
        match step.kind:
            case "cx":
                table.flip(b, table.bit(a))
            case "cz":
                table.amplitudes[table.bit(a) & table.bit(b)] *= -1
            case _:
                phase = np.exp(1j * step.angle)
                odd = table.bit(a) ^ table.bit(b)
                table.amplitudes *= np.where(odd, phase.conjugate(), phase)

    def _release(self, qubit: int) -> None:
        """Apply the frame of a qubit."""
        frame = self.frames.pop(qubit, None)
        if frame is None:
            return
        bit = self.table.bit(qubit)
        matrix = self._of_rows(frame, slice(None))
        entries = np.abs(frame[:, 0]) < NEGLIGIBLE
        if entries[:, 1].all():
            self.table.amplitudes *= np.where(bit, matrix[1, 1], matrix[0, 0])
        elif entries[:, 0].all():
            self.table.amplitudes *= np.where(bit, matrix[0, 1], matrix[1, 0])
            self.table.flip(qubit, np.ones_like(bit))
        else:
            rows, zero, one = self.table.pairs(qubit, bit)
            self.table.replace(qubit, rows, *_times(self._of_rows(frame, rows), zero, one))

    def _of_rows(self, frame: Matrix, rows: Rows | slice) -> Matrix:
        """Return the entries of a frame for some rows, shape (2, 2) or (2, 2, rows)."""
        if len(frame) == 1:
            return frame[0]
        return np.moveaxis(frame, 0, -1)[:, :, self.table.run_of[rows]]

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
        """Rotate a qubit, in every run, to the basis in which the run is smaller, if there is one.

        That is so where every row has a partner that differs in this qubit alone, and all pairs
        are parallel or orthogonal to one state of the qubit.
        """
        table = self.table
        if len(table) == table.runs or (halves := table.halves(qubit)) is None:
            return
        rows, partners = halves
        if table.runs == 1:
            self._find_common_frame(qubit, rows, partners)
            return
        run, zero, one = table.run_of[rows], table.amplitudes[rows], table.amplitudes[partners]
        first = np.full(table.runs, -1)
        first[run[::-1]] = np.arange(len(run) - 1, -1, -1)
        axis = np.stack([zero[first], one[first]])
        axis /= np.linalg.norm(axis, axis=0)
        basis = np.array([axis.conj(), [-axis[1], axis[0]]])
        zero, one = _times(basis[:, :, run], zero, one)
        good = first >= 0
        good[run[(np.abs(zero) > NEGLIGIBLE) & (np.abs(one) > NEGLIGIBLE)]] = False
        if not good.any():
            return
        basis[:, :, ~good] = IDENTITY[:, :, None]
        table.halve(qubit, good, rows, zero, one)
        frame = self.frames.get(qubit, IDENTITY[None]) @ np.moveaxis(basis, -1, 0).conj().mT
        alike = (np.abs(frame - frame[0]) < ALIKE).all()
        self.frames[qubit] = frame[:1] if alike else frame

    def _find_common_frame(self, qubit: int, rows: Rows, partners: Rows) -> None:
        """Rotate a qubit of a single run, as `_find_frame` does those of many."""
        table = self.table
        zero, one = table.amplitudes[rows], table.amplitudes[partners]
        a, b = complex(zero[0]), complex(one[0])
        norm = hypot(a.real, a.imag, b.real, b.imag)
        a, b = a / norm, b / norm
        basis = np.array([[a.conjugate(), b.conjugate()], [-b, a]])
        zero, one = _times(basis, zero, one)
        if not (np.minimum(np.abs(zero), np.abs(one)) > NEGLIGIBLE).any():
            table.halve(qubit, np.ones(1, dtype=bool), rows, zero, one)
            self.frames[qubit] = self.frames.get(qubit, IDENTITY[None]) @ basis.conj().T


def _times(matrix: Matrix, zero: Matrix, one: Matrix) -> tuple[Matrix, Matrix]:
    return matrix[0, 0] * zero + matrix[0, 1] * one, matrix[1, 0] * zero + matrix[1, 1] * one
