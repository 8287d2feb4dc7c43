"""Sparse states with local frames, of one or many runs: few branches of wide circuits.

Where circuits permute basis states between the tosses of coins, few basis states have an
amplitude at the same time, but optimised circuits leave qubits in rotated bases in between. Here
every qubit has a *frame*: a one-qubit gate that has yet to be applied. It is chosen so that the
state has as few amplitudes as possible, and applied when a wider gate needs the qubit.
"""

from collections.abc import Callable, Iterable, Sequence
from copy import copy

import numpy as np

from compiler.circuits.amplitude_table import MAX_AMPLITUDES, AmplitudeTable
from compiler.circuits.gate_steps import Step
from compiler.circuits.matrices import IDENTITY, Bits, Matrix, Numbers, kronecker
from compiler.circuits.tolerances import NO_DIRECTION, ROUNDING
from compiler.errors import StateTooLargeError

CZ: Matrix = np.array([[1, 1], [1, -1]], dtype=complex)

MET = 2
"""Partners of a qubit in its latest gates that are remembered."""

Checkpoint = tuple[AmplitudeTable, dict[int, Matrix]]


class Branches:
    """The amplitudes of one or many independent runs of a circuit.

    Invariant: the state of a run is the tensor product of its frames applied to its rows of the
    table. An operation that raises leaves the state as it was before.

    Args:
        start: the basis state of each run, shape (runs, qubits); amplitudes of different runs
            never mix.
        max_amplitudes: the most amplitudes that all runs together may have.

    Attributes:
        table: the amplitudes, but for the frames.
        frames: for each qubit that has one, shape (1, 2, 2), or (runs, 2, 2) if runs differ.
        met: for each qubit its partners in its latest gates, the latest first.
    """

    def __init__(self, start: Bits, max_amplitudes: int = MAX_AMPLITUDES) -> None:
        _, self.qubits = start.shape
        self.table = AmplitudeTable.of(start, max_amplitudes)
        self.frames: dict[int, Matrix] = {}
        self.met: dict[int, tuple[int, ...]] = {}

    @classmethod
    def zero(cls, qubits: int, max_amplitudes: int = MAX_AMPLITUDES) -> "Branches":
        """Return a single run that starts in |0…0⟩."""
        return cls(np.zeros((1, qubits), dtype=bool), max_amplitudes)

    def play(self, steps: Sequence[Step]) -> None:
        """Apply gates; a barrier applies the frames of its qubits."""
        for step in steps:
            if step.kind == "u" and step.matrix is not None:
                (qubit,) = step.qubits
                self.frames[qubit] = step.matrix @ self.frames.get(qubit, IDENTITY[None])
            elif step.kind == "barrier":
                self.settle(step.qubits)
            else:
                size = len(self.table)
                self.settle(step.qubits)
                self._apply(step)
                self.find_frames(step.qubits, size)

    def apply(self, matrix: Matrix, qubits: Sequence[int], controls: Sequence[int] = ()) -> None:
        """Apply a gate to a single run.

        Args:
            matrix: shape (2**qubits, 2**qubits); the first qubit is the low bit of its index.
            qubits: that it acts on.
            controls: qubits that must all be 1 for it to act.

        Raises:
            StateTooLargeError: if there would be too many amplitudes.
        """
        if len(qubits) == 1 and not controls:
            self.frames[qubits[0]] = matrix @ self.frames.get(qubits[0], IDENTITY[None])
            return
        size = len(self.table)
        if controls:
            self.settle((*qubits, *controls))
        framed = np.ascontiguousarray((matrix @ self._framed(qubits))[None], dtype=complex)
        self.table.turn(qubits, framed, controls)
        for qubit in qubits:
            self.frames.pop(qubit, None)
        self.find_frames((*qubits, *controls), size)

    def forget(self, qubits: Sequence[int]) -> None:
        """Refuse to let something unknown happen.

        Raises:
            StateTooLargeError: always.
        """
        raise StateTooLargeError(f"gates on qubits {tuple(qubits)} cannot be simulated")

    def support(self, qubits: Sequence[int]) -> Matrix:
        """Return an orthonormal basis of the support of the reduced state of some qubits.

        Its shape is (2**qubits, r); the first qubit is the low bit of an index. There is one run.
        """
        triangle = np.linalg.qr(self.table.by_value(qubits), mode="r")
        _, sizes, rows = np.linalg.svd(triangle, full_matrices=False)
        return self._framed(qubits) @ rows[sizes > NO_DIRECTION].T

    def used(self) -> list[int]:
        """Return the qubits that may be in another state than |0⟩."""
        return [q for q in range(self.qubits) if q in self.frames or self.table.bit(q).any()]

    def unless_larger(self, play: Callable[[], None]) -> bool:
        """Apply gates if together they do not enlarge the state; tell whether they did not.

        Args:
            play: applies them to this state.
        """
        size, before, met = len(self.table), self._checkpoint(), dict(self.met)
        try:
            play()
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
        """Apply the waiting gates of some qubits, by default of all."""
        for qubit in tuple(self.frames if qubits is None else qubits):
            if qubit in self.frames:
                self.table.turn([qubit], self.frames[qubit])
                del self.frames[qubit]

    def rename(self, qubits: Sequence[int], images: Numbers, phases: Matrix) -> None:
        """Apply a gate that permutes basis states; see `AmplitudeTable.rename`."""
        self.settle(qubits)
        self.table.rename(qubits, images, phases)

    def mix(self, qubits: Sequence[int], matrix: Matrix) -> None:
        """Apply any gate; see `AmplitudeTable.turn`."""
        self.settle(qubits)
        self.table.turn(qubits, matrix[None])

    def straighten(self, qubits: Sequence[int]) -> list[int]:
        """Rotate qubits to bases in which runs are smaller; return those that have such a one."""
        result = []
        for qubit in qubits:
            size = len(self.table)
            self._find_frame(qubit)
            if len(self.table) < size:
                result.append(qubit)
        return result

    def chance(self, qubit: int) -> float:
        """Return the probability with which a qubit of a single run is measured as 1."""
        self.settle([qubit])
        weights = np.abs(self.table.amplitudes) ** 2
        return float(weights[self.table.bit(qubit)].sum() / weights.sum())

    def project(self, qubit: int, value: bool) -> None:
        """Keep the rows that agree with a measured value of a qubit of a single run."""
        self.settle([qubit])
        self.table.keep(np.flatnonzero(self.table.bit(qubit) == value))
        self.table.amplitudes /= np.linalg.norm(self.table.amplitudes)

    def measure(self, qubits: Sequence[int], random: np.random.Generator) -> None:
        """Measure some qubits of every run, and keep the rows that agree with the values."""
        self.settle(qubits)
        for qubit in qubits:
            self.table.measure(qubit, random)

    def sample(self, random: np.random.Generator) -> Bits:
        """Measure every qubit of every run; return the values, shape (runs, qubits)."""
        self.settle()
        self.table.sample(random)
        return self.table.bits(range(self.qubits))

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

    def _framed(self, qubits: Sequence[int]) -> Matrix:
        """Return the product of frames of a single run, the first qubit being the low bit."""
        product: Matrix = np.eye(1, dtype=complex)
        for qubit in qubits:
            product = kronecker(self.frames.get(qubit, IDENTITY[None])[0], product)
        return product

    def find_frames(self, qubits: Sequence[int], size: int) -> None:
        """Find frames for the qubits of a gate, before which there were `size` amplitudes."""
        for qubit in qubits:
            self._find_frame(qubit)
        if len(self.table) > size:
            self._untangle(qubits)
        for qubit in qubits:
            others = (other for other in qubits if other != qubit)
            self.met[qubit] = (*others, *self.met.get(qubit, ()))[:MET]

    def _untangle(self, qubits: Sequence[int]) -> None:
        """Undo the last frames of some qubits if these get better ones by that.

        A control that looks like a superposition within a gate has a frame that later hides
        the gate's action on its targets.
        """
        met = dict.fromkeys(other for qubit in qubits for other in self.met.get(qubit, ()))
        framed = [other for other in met if other in self.frames and other not in qubits]
        if not framed or len(self.table) == self.table.runs:
            return
        size, before = len(self.table), self._checkpoint()
        try:
            self.settle(framed)
        except StateTooLargeError:
            self._restore(before)
            return
        for qubit in (*qubits, *framed):
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
        if len(table) == table.runs or (rotated := table.straighten(qubit)) is None:
            return
        basis, good = rotated
        basis[~good] = IDENTITY
        frame = self.frames.get(qubit, IDENTITY[None]) @ basis.conj().mT
        alike = (np.abs(frame - frame[0]) < ROUNDING).all()
        self.frames[qubit] = np.ascontiguousarray(frame[:1] if alike else frame)
