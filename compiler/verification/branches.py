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
WORD = 64


@frozen
class Step:
    """A gate as the simulation sees it.

    Args:
        kind: `u` for a one-qubit matrix, `cx`, `cz`, or `barrier`.
        qubits: that it acts on; the control first.
        matrix: of a one-qubit gate.
    """

    kind: str
    qubits: tuple[int, ...] = ()
    matrix: Matrix | None = None


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
        qubits: width of the circuit.
        runs: number of runs, all from the same basis state; their amplitudes never mix.
        initial: the basis state, bit q = qubit q.
        max_amplitudes: the most amplitudes that all runs together may have.
    """

    def __init__(
        self, qubits: int, runs: int = 1, initial: int = 0, max_amplitudes: int = MAX_AMPLITUDES
    ) -> None:
        self.qubits, self.runs, self.max_amplitudes = qubits, runs, max_amplitudes
        fingerprints = np.random.default_rng(qubits)
        self.marks = fingerprints.integers(1, 1 << 63, size=qubits, dtype=np.uint64)
        words = (qubits + WORD - 1) // WORD
        start = [initial >> (WORD * i) & (1 << WORD) - 1 for i in range(words)]
        self.words = np.repeat(np.array(start, dtype=np.uint64)[:, None], runs, axis=1)
        self.amplitudes = np.ones(runs, dtype=complex)
        self.run_of = np.arange(runs)
        # Fingerprints stand for whole basis states: equal ones are taken to be equal.
        self.keys = fingerprints.integers(1, 1 << 63, size=runs, dtype=np.uint64)
        self.frames: dict[int, Matrix] = {}
        self.met: dict[int, tuple[int, ...]] = {}

    def play(self, steps: Sequence[Step]) -> None:
        """Apply gates; barriers only end the merging of one-qubit gates."""
        for step in steps:
            if step.kind == "u" and step.matrix is not None:
                (qubit,) = step.qubits
                self.frames[qubit] = step.matrix @ self.frames.get(qubit, IDENTITY)
            elif step.kind == "barrier":
                self._settle(step.qubits)
            else:
                a, b = step.qubits
                self._release(a)
                self._release(b)
                self._apply(step.kind, a, b)
                self._find_frame(a)
                self._find_frame(b)
                if len(self.amplitudes) > self.runs:
                    self._untangle(a, b)
                self.met[a] = (b, *self.met.get(a, ())[:1])
                self.met[b] = (a, *self.met.get(b, ())[:1])

    def settle(self) -> None:
        """Apply everything that waits."""
        self._settle(tuple(self.frames))

    def sample(self, random: np.random.Generator) -> None:
        """Measure every qubit of every run; each run is left with one basis state."""
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

    def _apply(self, kind: str, a: int, b: int) -> None:
        if kind == "cx":
            self._flip(b, self._bit(a))
        else:
            self.amplitudes[self._bit(a) & self._bit(b)] *= -1

    def _settle(self, qubits: Sequence[int]) -> None:
        for qubit in qubits:
            self._release(qubit)

    def _release(self, qubit: int) -> None:
        """Apply the frame of a qubit."""
        matrix = self.frames.pop(qubit, None)
        if matrix is None:
            return
        bit = self._bit(qubit)
        if abs(matrix[0, 1]) < NEGLIGIBLE:
            self.amplitudes *= np.where(bit, matrix[1, 1], matrix[0, 0])
        elif abs(matrix[0, 0]) < NEGLIGIBLE:
            self.amplitudes *= np.where(bit, matrix[0, 1], matrix[1, 0])
            self._flip(qubit, np.ones_like(bit))
        else:
            rows, zero, one = self._pairs(qubit, bit)
            self._replace(qubit, rows, *_times(matrix, zero, one))

    def _pairs(
        self, qubit: int, bit: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], Matrix, Matrix]:
        """Return one row for every value of the other qubits, and the amplitudes of 0 and 1."""
        if len(bit) == self.runs:
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
        if not met:
            return
        before = (self.words, self.amplitudes, self.run_of, self.keys, dict(self.frames))
        self.words, self.keys = self.words.copy(), self.keys.copy()
        self.amplitudes = self.amplitudes.copy()
        for qubit in met:
            self._release(qubit)
        for qubit in (a, b, *met):
            self._find_frame(qubit)
        if len(self.amplitudes) >= len(before[1]):
            self.words, self.amplitudes, self.run_of, self.keys, self.frames = before

    def _find_frame(self, qubit: int) -> None:
        """Rotate a qubit to the basis in which the state is smaller, if there is one."""
        if len(self.amplitudes) == self.runs:
            return
        rows, zero, one = self._pairs(qubit, self._bit(qubit))
        both = (np.abs(zero) > NEGLIGIBLE) & (np.abs(one) > NEGLIGIBLE)
        if not both.all():
            return
        axis = np.array([zero[0], one[0]]) / np.hypot(abs(zero[0]), abs(one[0]))
        basis = np.array([axis.conj(), [-axis[1], axis[0]]])
        zero, one = _times(basis, zero, one)
        if (np.abs(zero) > NEGLIGIBLE).sum() + (np.abs(one) > NEGLIGIBLE).sum() == len(rows):
            self._replace(qubit, rows, zero, one)
            self.frames[qubit] = self.frames.get(qubit, IDENTITY) @ basis.conj().T


def _times(matrix: Matrix, zero: Matrix, one: Matrix) -> tuple[Matrix, Matrix]:
    return matrix[0, 0] * zero + matrix[0, 1] * one, matrix[1, 0] * zero + matrix[1, 1] * one


def exact_state(
    circuit: QuantumCircuit, initial: int = 0, max_amplitudes: int = MAX_AMPLITUDES
) -> SparseState:
    """Return the state that `circuit` prepares from a basis state.

    Raises:
        StateTooLargeError: if the state outgrows `max_amplitudes`.
    """
    branches = Branches(circuit.num_qubits, 1, initial, max_amplitudes)
    branches.play([step for step in steps_of(circuit) if step.kind != "barrier"])
    return branches.state()
