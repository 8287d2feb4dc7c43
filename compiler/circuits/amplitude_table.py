"""A table of the basis states that one or many runs have amplitudes for."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from attrs import define, evolve

from compiler.circuits.matrices import Bits, Matrix, Numbers, Words
from compiler.circuits.table_rows import MASKS, WORD, Places, Rows, packed
from compiler.errors import StateTooLargeError

MAX_AMPLITUDES = 1 << 21
"""Amplitudes of an exact state, by default."""


MAX_PLACES = 4096
"""Groups of qubits whose places are cached: gates ask for the same few again and again."""


@lru_cache(16)
def _fingerprints(runs: int, qubits: int) -> tuple[Words, Words]:
    """Return random numbers for qubits and for runs; the former depend on their own number alone.

    Cached for the few widths of a compilation: to begin a generator takes as long as many gates.
    """
    random = np.random.default_rng(qubits)
    marks, keys = (random.integers(1, 1 << 63, size, np.uint64) for size in (qubits, runs))
    return marks, keys


@lru_cache(MAX_PLACES)
def _places(width: int, qubits: tuple[int, ...]) -> Places:
    """Return the places of qubits in the rows of a table for so many qubits."""
    marks, _ = _fingerprints(1, width)
    word, place = np.divmod(np.array(qubits, dtype=np.int64), WORD)
    return Places(word, MASKS[place], marks[list(qubits)])


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
    run_of: Numbers
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
        marks, keys = _fingerprints(runs, qubits)
        return cls(
            runs,
            max_amplitudes,
            packed(start),
            np.ones(runs, dtype=complex),
            np.arange(runs),
            marks,
            keys.copy(),
        )

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
        return np.stack([self.bit(qubit) for qubit in qubits]).T

    def flip_where(self, target: int, control: int) -> None:
        """Flip a qubit in the rows where another one is 1."""
        from compiler.circuits.sparse_rows import flip_where

        flip_where(self._rows(), self._places([target, control]))

    def times_where(self, a: int, b: int, factors: Matrix) -> None:
        """Multiply amplitudes by a factor for each value of two qubits, shape (2, 2)."""
        from compiler.circuits.sparse_rows import times_where

        times_where(self._rows(), self._places([a, b]), factors)

    def rename(self, qubits: Sequence[int], images: Numbers, phases: Matrix) -> None:
        """Rename the basis states of qubits, the first one being their low bit.

        Args:
            qubits: that are renamed.
            images: shape (basis states,), image of each one; a permutation.
            phases: shape (basis states,), factor of each one.
        """
        from compiler.circuits.sparse_rows import rename

        rename(self._rows(), self._places(qubits), images, phases)

    def keep(self, rows: Numbers) -> None:
        """Drop all rows but these, which may be in another order."""
        self.words = np.take(self.words, rows, axis=1)
        self.amplitudes = self.amplitudes[rows]
        self.run_of, self.keys = self.run_of[rows], self.keys[rows]

    def turn(self, qubits: Sequence[int], matrices: Matrix, controls: Sequence[int] = ()) -> None:
        """Apply a gate to some qubits.

        Args:
            qubits: that it acts on, the first one being the low bit of the matrices' index.
            matrices: shape (1, 2**qubits, 2**qubits), or (runs, …) if runs differ.
            controls: qubits that must all be 1 for it to act.

        Raises:
            StateTooLargeError: if there were more than `max_amplitudes` rows then; none is changed.
        """
        from compiler.circuits.sparse_rows import turned

        if not controls:
            self._take(turned(self._rows(), self._places(qubits), matrices))
            return
        acts = self.bits(controls).all(axis=1)
        own, others = evolve(self), evolve(self)
        own.keep(np.flatnonzero(acts))
        others.keep(np.flatnonzero(~acts))
        own.turn(qubits, matrices)
        rows = Rows(
            np.hstack([own.words, others.words]),
            np.hstack([own.keys, others.keys]),
            np.hstack([own.run_of, others.run_of]),
            np.hstack([own.amplitudes, others.amplitudes]),
        )
        self._take(rows)

    def straighten(self, qubit: int) -> tuple[Matrix, Bits] | None:
        """Rotate a qubit, in every run, to the basis in which the run is smaller, if there is one.

        Returns:
            The rotation of each run, shape (runs, 2, 2), and which runs it made smaller, shape
            (runs,); None if it made none so.
        """
        from compiler.circuits.sparse_rows import straightened

        rows, basis, good = straightened(self._rows(), self._places([qubit]), self.runs)
        if not good.any():
            return None
        self._take(rows)
        return basis, good

    def by_value(self, qubits: Sequence[int]) -> Matrix:
        """Return amplitudes with a column for each value of some qubits, the first the low bit.

        Its shape is (rows, 2**qubits); amplitudes in a row agree in their run and all other qubits.
        """
        from compiler.circuits.sparse_rows import grouped

        _, table = grouped(self._rows(), self._places(qubits))
        return table

    def measure(self, qubit: int, random: np.random.Generator) -> None:
        """Measure a qubit of every run, and keep the rows that agree with the values."""
        if len(self) == self.runs:
            return
        bit, weights = self.bit(qubit), np.abs(self.amplitudes) ** 2
        totals = np.bincount(self.run_of, weights, self.runs)
        ones = np.bincount(self.run_of, weights * bit, self.runs)
        values = random.random(self.runs) * totals < ones
        self.keep(np.flatnonzero(bit == values[self.run_of]))
        left = np.where(values, ones, totals - ones)
        self.amplitudes = self.amplitudes / np.sqrt(left[self.run_of])

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

    def _rows(self) -> Rows:
        return Rows(self.words, self.keys, self.run_of, self.amplitudes)

    def _places(self, qubits: Sequence[int]) -> Places:
        return _places(len(self.marks), tuple(qubits))

    def _take(self, rows: Rows) -> None:
        if len(rows.keys) > self.max_amplitudes:
            raise StateTooLargeError(f"the state has more than {self.max_amplitudes} amplitudes")
        self.words, self.keys, self.run_of, self.amplitudes = rows
