"""A table of the basis states that one or many runs have amplitudes for."""

from collections.abc import Sequence

import numpy as np
from attrs import define, evolve
from numpy.typing import NDArray

from compiler.circuits.matrices import Matrix
from compiler.errors import StateTooLargeError
from compiler.verification.simulation.table.table_rows import WORD, Place, Places, TableRows, packed

Bits = NDArray[np.bool_]
Rows = NDArray[np.int64]
Words = NDArray[np.uint64]

MASKS: Words = np.uint64(1) << np.arange(WORD, dtype=np.uint64)


@define(eq=False)
class AmplitudeTable:
    """Basis states of independent runs, one in each row, and their amplitudes.

    Args:
        runs: how many there are; amplitudes of different runs never mix.
        max_amplitudes: the most rows that there may be.
        words: shape (words, rows), the basis states; qubit q is bit q % 64 of word q // 64.
        amplitudes: shape (rows,).
        run_of: shape (rows,), the run that each row belongs to.
        marks: shape (qubits,), random numbers.
        keys: shape (rows,), fingerprints: of the run, and the marks of all qubits that differ from
            its first basis state, all combined by exclusive or. Equal states have equal ones,
            so that they tell which rows may belong together; that they do, only the states say,
            since different ones may have equal keys.
    """

    runs: int
    max_amplitudes: int
    words: Words
    amplitudes: Matrix
    run_of: Rows
    marks: Words
    keys: Words

    @classmethod
    def of(cls, start: Bits, max_amplitudes: int) -> "AmplitudeTable":
        """Return a table with one row a run.

        Args:
            start: the basis state of each run, shape (runs, qubits).
            max_amplitudes: the most rows that there may ever be.
        """
        runs, qubits = start.shape
        fingerprints = np.random.default_rng(qubits)
        marks = fingerprints.integers(1, 1 << 63, size=(qubits,), dtype=np.uint64)
        keys = fingerprints.integers(1, 1 << 63, size=(runs,), dtype=np.uint64)
        amplitudes = np.ones(runs, dtype=complex)
        return cls(runs, max_amplitudes, packed(start), amplitudes, np.arange(runs), marks, keys)

    def __len__(self) -> int:
        return len(self.amplitudes)

    def copy(self) -> "AmplitudeTable":
        """Return a table that can be changed without changing this one."""
        words, keys, amplitudes = self.words.copy(), self.keys.copy(), self.amplitudes.copy()
        return evolve(self, words=words, keys=keys, amplitudes=amplitudes)

    def bit(self, qubit: int) -> Bits:
        """Return the value of a qubit in each row."""
        word, place = divmod(qubit, WORD)
        return (self.words[word] & MASKS[place]) != 0

    def bits(self, qubits: Sequence[int]) -> Bits:
        """Return the values of `qubits`, shape (rows, qubits)."""
        return np.stack([self.bit(qubit) for qubit in qubits], axis=1)

    def flip_where(self, target: int, control: int) -> None:
        """Flip a qubit in the rows where another one is 1."""
        from compiler.verification.simulation.table.gates import flip_where

        flip_where(self._rows(), self._place(target), self._place(control))

    def times_where(self, a: int, b: int, factors: Matrix) -> None:
        """Multiply amplitudes by a factor for each value of two qubits, shape (2, 2)."""
        from compiler.verification.simulation.table.gates import times_where

        times_where(self._rows(), self._place(a), self._place(b), factors)

    def rename(self, qubits: Sequence[int], images: Rows, phases: Matrix) -> None:
        """Rename the basis states of qubits, the first one being their low bit.

        Args:
            qubits: that are renamed.
            images: shape (basis states,), what each one becomes; a permutation.
            phases: shape (basis states,), by what it is multiplied.
        """
        from compiler.verification.simulation.table.gates import rename

        rename(self._rows(), self._places(qubits), images, phases)

    def keep(self, rows: Rows) -> None:
        """Drop all rows but these, which may be in another order."""
        self.words = np.take(self.words, rows, axis=1)
        self.amplitudes = self.amplitudes[rows]
        self.run_of, self.keys = self.run_of[rows], self.keys[rows]

    def turn(self, qubit: int, frame: Matrix) -> None:
        """Apply a gate to a qubit.

        Args:
            qubit: that it acts on.
            frame: shape (1, 2, 2), or (runs, 2, 2) if runs differ.

        Raises:
            StateTooLargeError: if there are more than `max_amplitudes` rows then.
        """
        from compiler.verification.simulation.table.turns import turned

        self._take(turned(self._rows(), self._place(qubit), frame))
        self._check_size()

    def mix(self, qubits: Sequence[int], matrix: Matrix) -> None:
        """Apply a gate to some qubits.

        Args:
            qubits: that it acts on, the first one being the low bit of the matrix' index.
            matrix: shape (basis states, basis states).

        Raises:
            StateTooLargeError: if there are more than `max_amplitudes` rows then.
        """
        from compiler.verification.simulation.table.gates import mixed

        self._take(mixed(self._rows(), self._places(qubits), matrix))
        self._check_size()

    def straighten(self, qubit: int) -> tuple[Matrix, Bits] | None:
        """Rotate a qubit, in every run, to the basis in which the run is smaller, if there is one.

        Returns:
            The rotation of each run, shape (runs, 2, 2), and which runs it made smaller, shape
            (runs,); None if it made none so.
        """
        from compiler.verification.simulation.table.turns import straightened

        rows, basis, good = straightened(self._rows(), self.runs, self._place(qubit))
        if not good.any():
            return None
        self._take(rows)
        return basis, good

    def measure(self, qubit: int, random: np.random.Generator) -> None:
        """Measure a qubit of every run, and keep what agrees with the values found."""
        if len(self) == self.runs:
            return
        bit, weights = self.bit(qubit), np.abs(self.amplitudes) ** 2
        totals = np.bincount(self.run_of, weights, self.runs)
        ones = np.bincount(self.run_of, weights * bit, self.runs)
        found = random.random(self.runs) * totals < ones
        self.keep(np.flatnonzero(bit == found[self.run_of]))
        kept = np.where(found, ones, totals - ones)
        self.amplitudes = self.amplitudes / np.sqrt(kept[self.run_of])

    def sample(self, random: np.random.Generator) -> None:
        """Measure every qubit of every run, which leaves one row for each, in their order."""
        weights = np.abs(self.amplitudes) ** 2
        order = np.argsort(self.run_of, kind="stable")
        totals = np.cumsum(weights[order])
        ends = np.searchsorted(self.run_of[order], np.arange(self.runs), side="right")
        upper = totals[ends - 1]
        lower = np.concatenate([[0.0], upper[:-1]])
        drawn = np.searchsorted(totals, lower + random.random(self.runs) * (upper - lower))
        self.keep(order[np.minimum(drawn, ends - 1)])
        self.amplitudes = np.ones(self.runs, dtype=complex)

    def _check_size(self) -> None:
        if len(self) > self.max_amplitudes:
            raise StateTooLargeError(f"the state has more than {self.max_amplitudes} amplitudes")

    def _rows(self) -> TableRows:
        return TableRows(self.words, self.keys, self.run_of, self.amplitudes)

    def _place(self, qubit: int) -> Place:
        word, place = divmod(qubit, WORD)
        return Place(word, MASKS[place], self.marks[qubit])

    def _places(self, qubits: Sequence[int]) -> Places:
        word, place = np.divmod(np.array(qubits, dtype=np.int64), WORD)
        return Places(word, MASKS[place], self.marks[list(qubits)])

    def _take(self, rows: TableRows) -> None:
        self.words, self.keys, self.run_of, self.amplitudes = rows
