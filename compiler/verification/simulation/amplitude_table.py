"""A table of the basis states that one or many runs have amplitudes for."""

from collections.abc import Sequence

import numpy as np
from attrs import define, evolve
from numpy.typing import NDArray

from compiler.errors import StateTooLargeError
from compiler.verification.simulation.gate_steps import Matrix
from compiler.verification.simulation.wide_gates import NEGLIGIBLE

Bits = NDArray[np.bool_]
Rows = NDArray[np.int64]
Words = NDArray[np.uint64]

WORD = 64
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
        padded = np.zeros((runs, -(-qubits // WORD) * WORD), dtype=bool)
        padded[:, :qubits] = start
        packed = np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)
        words = np.ascontiguousarray(packed.T)
        amplitudes = np.ones(runs, dtype=complex)
        return cls(runs, max_amplitudes, words, amplitudes, np.arange(runs), marks, keys)

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

    def flip(self, qubit: int, where: Bits) -> None:
        """Flip a qubit in some rows."""
        word, place = divmod(qubit, WORD)
        self.words[word] ^= where * MASKS[place]
        self.keys ^= where * self.marks[qubit]

    def keep(self, rows: Rows) -> None:
        """Drop all rows but these, which may be in another order."""
        self.words = self.words[:, rows]
        self.amplitudes = self.amplitudes[rows]
        self.run_of, self.keys = self.run_of[rows], self.keys[rows]

    def pairs(self, qubit: int, bit: Bits) -> tuple[Rows, Matrix, Matrix]:
        """Return one row for every value of the other qubits, and the amplitudes of 0 and 1.

        Args:
            qubit: that has the values 0 and 1.
            bit: its value in each row.
        """
        if len(bit) == self.runs or bit.all() or not bit.any():
            nothing = np.zeros_like(self.amplitudes)
            rows = np.arange(len(bit))
            return (
                rows,
                np.where(bit, nothing, self.amplitudes),
                np.where(bit, self.amplitudes, nothing),
            )
        rows, groups = self._grouped(qubit, bit)
        zero, one = np.zeros((2, len(rows)), dtype=complex)
        zero[groups[~bit]] = self.amplitudes[~bit]
        one[groups[bit]] = self.amplitudes[bit]
        return rows, zero, one

    def replace(self, qubit: int, rows: Rows, zero: Matrix, one: Matrix) -> None:
        """Give every one of `rows` new amplitudes for the values 0 and 1 of a qubit.

        Raises:
            StateTooLargeError: if there would be more than `max_amplitudes` rows.
        """
        at_zero, at_one = np.abs(zero) > NEGLIGIBLE, np.abs(one) > NEGLIGIBLE
        size = int(at_zero.sum() + at_one.sum())
        if size > self.max_amplitudes:
            raise StateTooLargeError(f"the state has more than {self.max_amplitudes} amplitudes")
        self.keep(np.concatenate([rows[at_zero], rows[at_one]]))
        self.amplitudes = np.concatenate([zero[at_zero], one[at_one]])
        wanted = np.arange(size) >= int(at_zero.sum())
        self.flip(qubit, self.bit(qubit) ^ wanted)

    def halves(self, qubit: int) -> tuple[Rows, Rows] | None:
        """Return the rows with 0 and their partners with 1, of runs where every row has one.

        Sums of fingerprints tell which runs these are nearly always, and faster than sorting.
        """
        bit = self.bit(qubit)
        if self.runs == 1 and 2 * np.count_nonzero(bit) != len(bit):
            return None
        others = self._others(qubit, bit)
        if self.runs == 1:
            (zeros,), (ones,) = (~bit).nonzero(), bit.nonzero()
            if others[zeros].sum() != others[ones].sum():
                return None
        else:
            short = (others >> np.uint64(38)).astype(float) + 1
            balance = np.bincount(self.run_of, np.where(bit, -short, short), self.runs)
            paired = balance == 0
            if not paired.any():
                return None
            chosen = paired[self.run_of]
            zeros, ones = np.flatnonzero(chosen & ~bit), np.flatnonzero(chosen & bit)
        zeros, ones = zeros[np.argsort(others[zeros])], ones[np.argsort(others[ones])]
        return (zeros, ones) if self._are_partners(qubit, zeros, ones) else None

    def halve(self, qubit: int, good: Bits, rows: Rows, zero: Matrix, one: Matrix) -> None:
        """Give the pairs of some runs one amplitude each.

        Args:
            qubit: in which the partners differ.
            good: shape (runs,), which runs these are.
            rows: with the value 0, as `halves` returns them.
            zero: their amplitudes.
            one: those of their partners; of each pair at most one is not 0 in these runs.
        """
        at_one = np.abs(one) > NEGLIGIBLE
        if good.all() and 2 * len(rows) == len(self):
            self.keep(rows)
            self.amplitudes = np.where(at_one, one, zero)
            self.flip(qubit, at_one)
            return
        rest = np.flatnonzero(~good[self.run_of])
        chosen = good[self.run_of[rows]]
        amplitudes = np.where(at_one, one, zero)[chosen]
        flipped = np.concatenate([np.zeros(len(rest), dtype=bool), at_one[chosen]])
        amplitudes = np.concatenate([self.amplitudes[rest], amplitudes])
        self.keep(np.concatenate([rest, rows[chosen]]))
        self.amplitudes = amplitudes
        self.flip(qubit, flipped)

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

    def _others(self, qubit: int, bit: Bits) -> Words:
        """Return fingerprints of all qubits but one."""
        return self.keys ^ bit * self.marks[qubit]

    def _are_partners(self, qubit: int, zeros: Rows, ones: Rows) -> bool:
        """Tell whether rows are of the same runs and differ in one qubit and nothing else."""
        if len(zeros) != len(ones):
            return False
        if self.runs > 1 and (self.run_of[zeros] != self.run_of[ones]).any():
            return False
        word, place = divmod(qubit, WORD)
        differ = self.words[:, zeros] ^ self.words[:, ones]
        differ[word] ^= MASKS[place]
        return not differ.any()

    def _grouped(self, qubit: int, bit: Bits) -> tuple[Rows, Rows]:
        """Return a row for each run and value of all other qubits, and which is whose.

        Rows of equal fingerprints are compared. Where different ones have the same, rows are
        sorted by whole basis states instead.
        """
        rows, groups = _grouped([self._others(qubit, bit)])
        first = rows[groups]
        word, place = divmod(qubit, WORD)
        rest = self.words.copy()
        rest[word] &= ~MASKS[place]
        if (rest == rest[:, first]).all() and (
            self.runs == 1 or (self.run_of == self.run_of[first]).all()
        ):
            return rows, groups
        return _grouped([*rest, self.run_of])


def _grouped(keys: Sequence[Words | Rows]) -> tuple[Rows, Rows]:
    """Return a place of each key, in the order of keys, and which key is at each place.

    Args:
        keys: the parts of each key, the last one counting most.
    """
    order = np.argsort(keys[0]) if len(keys) == 1 else np.lexsort(keys)
    is_first = np.zeros(len(order), dtype=bool)
    is_first[:1] = True
    for part in keys:
        ordered = part[order]
        is_first[1:] |= ordered[1:] != ordered[:-1]
    groups = np.empty(len(order), dtype=np.int64)
    groups[order] = np.cumsum(is_first) - 1
    return order[is_first], groups
