"""Many basis states at once: exact states and sampled games of wide circuits with few branches.

Where circuits permute basis states between the tosses of coins, few basis states have an
amplitude at the same time, but optimised circuits leave qubits in rotated bases in between. Here
every qubit has a *frame*: a one-qubit gate that has yet to be applied. It is chosen so that the
state has as few amplitudes as possible, and applied when a wider gate needs the qubit.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit import Instruction
from qiskit.exceptions import QiskitError

from compiler.errors import StateTooLargeError
from compiler.verification.sparse import MAX_AMPLITUDES, NEGLIGIBLE, SparseState

Matrix = NDArray[np.complex128]
IDENTITY: Matrix = np.eye(2, dtype=complex)
ALIKE = 1e-12
"""Difference up to which the frames of several runs are taken to be one."""

WORD = 64

Words = NDArray[np.uint64]
Saved = tuple[Words, NDArray[np.uint64], Matrix, NDArray[np.int64], dict[int, Matrix]]
"""Basis states, their fingerprints, amplitudes and runs; and the frames."""


@frozen
class Step:
    """A gate as the simulation sees it.

    Args:
        kind: `u` for a one-qubit matrix, `cx`, `cz`, `zz` for exp(iφ Z⊗Z), or `barrier`.
        qubits: that it acts on; the control first.
        matrix: of a one-qubit gate.
        angle: φ of `zz`.
    """

    kind: str
    qubits: tuple[int, ...] = ()
    matrix: Matrix | None = None
    angle: float = 0.0


def steps_of(circuit: QuantumCircuit) -> list[Step]:
    """Return a circuit's gates and full-width barriers; definitions are taken apart.

    Raises:
        StateTooLargeError: if a gate cannot be taken apart into CX, CZ and one-qubit gates.
    """
    return list(_steps(circuit, range(circuit.num_qubits), circuit.num_qubits))


def _steps(circuit: QuantumCircuit, places: Sequence[int], width: int) -> Iterator[Step]:
    index = {qubit: places[i] for i, qubit in enumerate(circuit.qubits)}
    for item in circuit.data:
        gate, qubits = item.operation, tuple(index[qubit] for qubit in item.qubits)
        if gate.name == "barrier":
            yield Step("barrier", qubits)
        elif gate.name in ("cx", "cz"):
            yield Step(gate.name, qubits)
        elif len(qubits) == 1 and (matrix := _matrix(gate)) is not None:
            yield Step("u", qubits, matrix)
        elif gate.definition is not None:
            yield from _steps(gate.definition, qubits, width)
        elif gate.name not in ("delay", "id"):
            raise StateTooLargeError(f"gate '{gate.name}' cannot be simulated exactly")


def _matrix(gate: Instruction) -> Matrix | None:
    try:
        return np.asarray(gate.to_matrix(), dtype=complex)
    except (QiskitError, AttributeError, TypeError):
        return None


class Branches:
    """The amplitudes of one or many independent runs of a circuit.

    Args:
        start: the basis state of each run, shape (runs, qubits); amplitudes of different runs
            never mix.
        max_amplitudes: the most amplitudes that all runs together may have.
    """

    def __init__(self, start: NDArray[np.bool_], max_amplitudes: int = MAX_AMPLITUDES) -> None:
        self.runs, self.qubits = start.shape
        self.max_amplitudes = max_amplitudes
        fingerprints = np.random.default_rng(self.qubits)
        self.marks = fingerprints.integers(1, 1 << 63, size=(self.qubits,), dtype=np.uint64)
        padded = np.zeros((self.runs, -(-self.qubits // WORD) * WORD), dtype=bool)
        padded[:, : self.qubits] = start
        words = np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)
        self.words: Words = np.ascontiguousarray(words.T)
        self.amplitudes = np.ones(self.runs, dtype=complex)
        self.run_of = np.arange(self.runs)
        # Fingerprints stand for whole basis states: equal ones are taken to be equal.
        self.keys: Words = fingerprints.integers(1, 1 << 63, size=(self.runs,), dtype=np.uint64)
        self.frames: dict[int, Matrix] = {}
        self.met: dict[int, tuple[int, ...]] = {}

    def play(self, steps: Sequence[Step]) -> None:
        """Apply gates; a barrier applies the frames of its qubits."""
        for step in steps:
            if step.kind == "u" and step.matrix is not None:
                (qubit,) = step.qubits
                self.frames[qubit] = step.matrix @ self.frames.get(qubit, IDENTITY[None])
            elif step.kind == "barrier":
                self._settle(step.qubits)
            else:
                a, b = step.qubits
                size = len(self.amplitudes)
                self._release(a)
                self._release(b)
                self._apply(step)
                self._find_frame(a)
                self._find_frame(b)
                if len(self.amplitudes) > size:
                    self._untangle(a, b)
                self.met[a] = (b, *self.met.get(a, ())[:1])
                self.met[b] = (a, *self.met.get(b, ())[:1])

    def play_unless_larger(self, step: Step) -> bool:
        """Apply a gate if that does not enlarge the state; tell whether it did."""
        size, before, met = len(self.amplitudes), self._saved(), dict(self.met)
        try:
            self.play([step])
        except StateTooLargeError:
            larger = True
        else:
            larger = len(self.amplitudes) > size
        if larger:
            self._restore(before)
            self.met = met
        return not larger

    def settle(self) -> None:
        """Apply everything that waits."""
        self._settle(tuple(self.frames))

    def measure(self, qubits: Sequence[int], random: np.random.Generator) -> None:
        """Measure some qubits of every run, and keep what agrees with the values found."""
        self._settle(qubits)
        for qubit in qubits:
            if len(self.amplitudes) == self.runs:
                return
            bit, weights = self._bit(qubit), np.abs(self.amplitudes) ** 2
            totals = np.bincount(self.run_of, weights, self.runs)
            ones = np.bincount(self.run_of, weights * bit, self.runs)
            found = random.random(self.runs) * totals < ones
            self._keep(np.flatnonzero(bit == found[self.run_of]))
            kept = np.where(found, ones, totals - ones)
            self.amplitudes = self.amplitudes / np.sqrt(kept[self.run_of])

    def sample(self, random: np.random.Generator) -> NDArray[np.bool_]:
        """Measure every qubit of every run; return what was found, shape (runs, qubits)."""
        self.settle()
        weights = np.abs(self.amplitudes) ** 2
        order = np.argsort(self.run_of, kind="stable")
        totals = np.cumsum(weights[order])
        ends = np.searchsorted(self.run_of[order], np.arange(self.runs), side="right")
        upper = totals[ends - 1]
        lower = np.concatenate([[0.0], upper[:-1]])
        drawn = np.searchsorted(totals, lower + random.random(self.runs) * (upper - lower))
        self._keep(order[np.minimum(drawn, ends - 1)])
        self.amplitudes = np.ones(self.runs, dtype=complex)
        return self.bits(range(self.qubits))

    def state(self) -> SparseState:
        """Return the state of a single run."""
        self.settle()
        return SparseState(self.bits(range(self.qubits)), self.amplitudes.copy())

    def bits(self, qubits: Sequence[int]) -> NDArray[np.bool_]:
        """Return the values of `qubits`, shape (amplitudes, qubits)."""
        return np.stack([self._bit(qubit) for qubit in qubits], axis=1)

    def _bit(self, qubit: int) -> NDArray[np.bool_]:
        word, place = divmod(qubit, WORD)
        return (self.words[word] >> np.uint64(place) & np.uint64(1)).astype(bool)

    def _flip(self, qubit: int, where: NDArray[np.bool_]) -> None:
        word, place = divmod(qubit, WORD)
        self.words[word] ^= where.astype(np.uint64) << np.uint64(place)
        self.keys ^= where.astype(np.uint64) * self.marks[qubit]

    def _keep(self, rows: NDArray[np.int64]) -> None:
        self.words = self.words[:, rows]
        self.amplitudes = self.amplitudes[rows]
        self.run_of, self.keys = self.run_of[rows], self.keys[rows]

    def _apply(self, step: Step) -> None:
        a, b = step.qubits
        match step.kind:
            case "cx":
                self._flip(b, self._bit(a))
            case "cz":
                self.amplitudes[self._bit(a) & self._bit(b)] *= -1
            case _:
                phase = np.exp(1j * step.angle)
                odd = self._bit(a) ^ self._bit(b)
                self.amplitudes *= np.where(odd, phase.conjugate(), phase)

    def _settle(self, qubits: Sequence[int]) -> None:
        for qubit in qubits:
            self._release(qubit)

    def _release(self, qubit: int) -> None:
        """Apply the frame of a qubit."""
        frame = self.frames.pop(qubit, None)
        if frame is None:
            return
        bit = self._bit(qubit)
        matrix = self._of_rows(frame, slice(None))
        if (np.abs(frame[:, 0, 1]) < NEGLIGIBLE).all():
            self.amplitudes *= np.where(bit, matrix[1, 1], matrix[0, 0])
        elif (np.abs(frame[:, 0, 0]) < NEGLIGIBLE).all():
            self.amplitudes *= np.where(bit, matrix[0, 1], matrix[1, 0])
            self._flip(qubit, np.ones_like(bit))
        else:
            rows, zero, one = self._pairs(qubit, bit)
            self._replace(qubit, rows, *_times(self._of_rows(frame, rows), zero, one))

    def _of_rows(self, frame: Matrix, rows: NDArray[np.int64] | slice) -> Matrix:
        """Return the entries of a frame for some rows, shape (2, 2) or (2, 2, rows)."""
        if len(frame) == 1:
            return frame[0]
        return np.moveaxis(frame, 0, -1)[:, :, self.run_of[rows]]

    def _pairs(
        self, qubit: int, bit: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], Matrix, Matrix]:
        """Return one row for every value of the other qubits, and the amplitudes of 0 and 1."""
        if len(bit) == self.runs or bit.all() or not bit.any():
            nothing = np.zeros_like(self.amplitudes)
            rows = np.arange(len(bit))
            return (
                rows,
                np.where(bit, nothing, self.amplitudes),
                np.where(bit, self.amplitudes, nothing),
            )
        others = self.keys ^ bit.astype(np.uint64) * self.marks[qubit]
        _, rows, groups = np.unique(others, return_index=True, return_inverse=True)
        zero, one = np.zeros((2, len(rows)), dtype=complex)
        zero[groups[~bit]] = self.amplitudes[~bit]
        one[groups[bit]] = self.amplitudes[bit]
        return rows, zero, one

    def _replace(self, qubit: int, rows: NDArray[np.int64], zero: Matrix, one: Matrix) -> None:
        """Give every one of `rows` new amplitudes for the values 0 and 1 of a qubit."""
        at_zero, at_one = np.abs(zero) > NEGLIGIBLE, np.abs(one) > NEGLIGIBLE
        size = int(at_zero.sum() + at_one.sum())
        if size > self.max_amplitudes:
            raise StateTooLargeError(f"the state has more than {self.max_amplitudes} amplitudes")
        self._keep(np.concatenate([rows[at_zero], rows[at_one]]))
        self.amplitudes = np.concatenate([zero[at_zero], one[at_one]])
        wanted = np.arange(size) >= int(at_zero.sum())
        self._flip(qubit, self._bit(qubit) ^ wanted)

    def _untangle(self, a: int, b: int) -> None:
        """Undo the frames of what a and b met last if better ones for a and b come of it.

        A control that looks like a superposition within a gate has a frame that later hides
        what the gate did to its targets.
        """
        met = [q for q in dict.fromkeys((*self.met.get(a, ()), *self.met.get(b, ())))
               if q in self.frames and q not in (a, b)]  # fmt: skip
        if not met or len(self.amplitudes) == self.runs:
            return
        size, before = len(self.amplitudes), self._saved()
        try:
            for qubit in met:
                self._release(qubit)
        except StateTooLargeError:
            self._restore(before)
            return
        for qubit in (a, b, *met):
            self._find_frame(qubit)
        if len(self.amplitudes) >= size:
            self._restore(before)

    def _saved(self) -> Saved:
        """Return the state, and go on with a copy of what is changed in place."""
        saved = self.words, self.keys, self.amplitudes, self.run_of, dict(self.frames)
        self.words, self.keys = self.words.copy(), self.keys.copy()
        self.amplitudes = self.amplitudes.copy()
        return saved

    def _restore(self, saved: Saved) -> None:
        self.words, self.keys, self.amplitudes, self.run_of, self.frames = saved

    def _find_frame(self, qubit: int) -> None:
        """Rotate a qubit, in every run, to the basis in which the run is smaller, if there is one.

        That is so where every row has a partner that differs in this qubit alone, and all pairs
        are parallel or orthogonal to one state of the qubit.
        """
        if len(self.amplitudes) == self.runs or (halves := self._halves(qubit)) is None:
            return
        rows, partners = halves
        run, zero, one = self.run_of[rows], self.amplitudes[rows], self.amplitudes[partners]
        first = np.full(self.runs, -1)
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
        self._halve(qubit, good, rows, zero, one)
        frame = self.frames.get(qubit, IDENTITY[None]) @ np.moveaxis(basis, -1, 0).conj().mT
        alike = (np.abs(frame - frame[0]) < ALIKE).all()
        self.frames[qubit] = frame[:1] if alike else frame

    def _halves(self, qubit: int) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
        """Return the rows with 0 and their partners with 1, of runs where every row has one.

        Sums of fingerprints tell which runs these are nearly always, and faster than sorting.
        """
        bit = self._bit(qubit)
        others = self.keys ^ bit.astype(np.uint64) * self.marks[qubit]
        short = (others >> np.uint64(38)).astype(float) + 1
        balance = np.bincount(self.run_of, np.where(bit, -short, short), self.runs)
        paired = balance == 0
        if not paired.any():
            return None
        chosen = paired[self.run_of]
        zeros, ones = np.flatnonzero(chosen & ~bit), np.flatnonzero(chosen & bit)
        zeros, ones = zeros[np.argsort(others[zeros])], ones[np.argsort(others[ones])]
        matched = len(zeros) == len(ones) and (others[zeros] == others[ones]).all()
        return (zeros, ones) if matched else None

    def _halve(
        self,
        qubit: int,
        good: NDArray[np.bool_],
        rows: NDArray[np.int64],
        zero: Matrix,
        one: Matrix,
    ) -> None:
        """Give the pairs of good runs, of which `rows` have the value 0, one amplitude each."""
        rest = np.flatnonzero(~good[self.run_of])
        chosen = good[self.run_of[rows]]
        at_one = np.abs(one) > NEGLIGIBLE
        amplitudes = np.where(at_one, one, zero)[chosen]
        flipped = np.concatenate([np.zeros(len(rest), dtype=bool), at_one[chosen]])
        amplitudes = np.concatenate([self.amplitudes[rest], amplitudes])
        self._keep(np.concatenate([rest, rows[chosen]]))
        self.amplitudes = amplitudes
        self._flip(qubit, flipped)


def _times(matrix: Matrix, zero: Matrix, one: Matrix) -> tuple[Matrix, Matrix]:
    return matrix[0, 0] * zero + matrix[0, 1] * one, matrix[1, 0] * zero + matrix[1, 1] * one
