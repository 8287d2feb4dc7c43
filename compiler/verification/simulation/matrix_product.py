"""Distance of two states of many qubits with little entanglement, by one matrix product state.

Two circuits prepare the same state iff one of them, followed by the inverse of the other, brings
the input back. The state on the way is kept as a product of tensors, one for each qubit in a line,
of shape (left bond, 2, right bond). Its error is known: where singular values are discarded, the
state changes by their norm, because all other tensors are isometries, and later gates, which are
unitary, do not enlarge that.
"""

from collections.abc import Sequence

import numpy as np
from attrs import define, field
from qiskit import QuantumCircuit
from qiskit.circuit import Gate

from compiler.circuits.matrices import Matrix, with_qubits_swapped
from compiler.circuits.tolerances import DISCARDED, ROUNDING
from compiler.errors import StateTooLargeError
from compiler.verification.two_qubit_blocks import Blocks

MAX_BOND = 128
"""Width of a bond, at which a tensor takes 512 KiB."""

MAX_OPERATIONS = 30_000_000
"""Rows · columns · rank of all decompositions: about three seconds."""


@define(eq=False)
class MatrixProduct:
    """A product state that gates on two wires entangle.

    All tensors left of the centre are isometries from the left, all right of it from the right.

    Args:
        tensors: in the order of the line.
        wires: for each place in the line, the wire that it holds.
        centre: place of the tensor with the norm of the state.
        error: norm of the difference to the exact state, at most.
        operations: see `MAX_OPERATIONS`.
    """

    tensors: list[Matrix]
    wires: list[int]
    centre: int = field(default=0, init=False)
    error: float = field(default=0.0, init=False)
    operations: int = field(default=0, init=False)

    def turn(self, wire: int, matrix: Matrix) -> None:
        """Apply a one-qubit gate."""
        place = self.wires.index(wire)
        self.tensors[place] = np.einsum("st,ltr->lsr", matrix, self.tensors[place])

    def apply(self, low: int, high: int, matrix: Matrix) -> None:
        """Apply a two-qubit gate, whose first wire is the low bit of the index.

        The wires are brought next to each other, and the first one back.

        Raises:
            StateTooLargeError: if a bond, the work or the error is too large.
        """
        first, second = self.wires.index(low), self.wires.index(high)
        if first > second:
            first, second, matrix = second, first, with_qubits_swapped(matrix)
        for place in range(first, second - 1):
            self._exchange(place)
        self._act(second - 1, matrix)
        for place in range(second - 2, first - 1, -1):
            self._exchange(place)

    def _exchange(self, place: int) -> None:
        """Let two neighbours in the line change places."""
        self._split(place, self._pair(place).transpose(0, 2, 1, 3))
        self._rename(place)

    def _act(self, place: int, matrix: Matrix) -> None:
        """Apply a gate on two neighbours; they change places where that keeps their bond narrower.

        Circuits merge swaps into other gates, which entangle less if the swap is undone.
        """
        gate = matrix.reshape(2, 2, 2, 2)
        pair = np.einsum("wvut,ltur->lvwr", gate, self._pair(place))
        if self._rank(pair.transpose(0, 2, 1, 3)) < self._rank(pair):
            pair = pair.transpose(0, 2, 1, 3)
            self._rename(place)
        self._split(place, pair)

    def _rename(self, place: int) -> None:
        self.wires[place : place + 2] = self.wires[place : place + 2][::-1]

    def _pair(self, place: int) -> Matrix:
        """Return two neighbours as one tensor, which is the centre."""
        self._move(place)
        return np.tensordot(self.tensors[place], self.tensors[place + 1], 1)

    def _rank(self, pair: Matrix) -> int:
        left, _, _, right = pair.shape
        self._count(2 * left, 2 * right)
        sizes = np.linalg.svd(pair.reshape(2 * left, 2 * right), compute_uv=False)
        return int(np.count_nonzero(sizes > ROUNDING))

    def _split(self, place: int, pair: Matrix) -> None:
        left, _, _, right = pair.shape
        self._count(2 * left, 2 * right)
        before, sizes, after = np.linalg.svd(pair.reshape(2 * left, 2 * right), full_matrices=False)
        # Norm of the singular values from each on.
        tails = np.sqrt(np.cumsum(sizes[::-1] ** 2))[::-1]
        bond = max(1, int(np.count_nonzero(tails > ROUNDING)))
        if bond < len(sizes):
            self.error += float(tails[bond])
        if bond > MAX_BOND:
            raise StateTooLargeError(
                f"a bond of the matrix product state is wider than {MAX_BOND:,}"
            )
        if self.error > DISCARDED:
            raise StateTooLargeError(
                f"the matrix product state may be off by more than {DISCARDED:.0e}"
            )
        self.tensors[place] = (before[:, :bond] * sizes[:bond]).reshape(left, 2, bond)
        self.tensors[place + 1] = after[:bond].reshape(bond, 2, right)

    def _move(self, place: int) -> None:
        """Move the centre to one of two neighbours."""
        while self.centre < place:
            tensor = self.tensors[self.centre]
            left, _, right = tensor.shape
            self._count(2 * left, right)
            isometry, rest = np.linalg.qr(tensor.reshape(2 * left, right))
            self.tensors[self.centre] = isometry.reshape(left, 2, -1)
            self.centre += 1
            self.tensors[self.centre] = np.tensordot(rest, self.tensors[self.centre], 1)
        while self.centre > place:
            tensor = self.tensors[self.centre]
            left, _, right = tensor.shape
            self._count(2 * right, left)
            isometry, rest = np.linalg.qr(tensor.reshape(left, 2 * right).T)
            self.tensors[self.centre] = isometry.T.reshape(-1, 2, right)
            self.centre -= 1
            self.tensors[self.centre] = np.tensordot(self.tensors[self.centre], rest.T, 1)

    def _count(self, rows: int, columns: int) -> None:
        self.operations += rows * columns * min(rows, columns)
        if self.operations > MAX_OPERATIONS:
            raise StateTooLargeError(
                f"the matrix product state takes more than {MAX_OPERATIONS:,} operations"
            )

    def distance_to_zero(self) -> float:
        """Return min ‖state − e^{iφ}|0…0⟩‖ over φ, at most.

        Amplitudes of other basis states are summed by the first wire in the line that is 1: a
        distance from the overlap alone would lose half of the digits.
        """
        self._move(0)
        zero, others = np.ones((1, 1), complex), 0.0
        for tensor in self.tensors:
            both = np.tensordot(zero, tensor, 1)
            others += float(np.linalg.norm(both[:, 1])) ** 2
            zero = both[:, 0]
        return float(np.hypot(1 - abs(zero[0, 0]), np.sqrt(others))) + self.error


def matrix_product_distance(
    program: QuantumCircuit, native: QuantumCircuit, inputs: Sequence[Gate] = ()
) -> float:
    """Return how far the states that two circuits prepare are from each other, at most.

    Args:
        program: unitary gates.
        native: the same on the program's qubits, which come first, and on others, which start
            in |0⟩ and must end in it.
        inputs: one-qubit gates that prepare each program qubit from |0⟩; none for |0…0⟩.

    Returns:
        An upper bound on min ‖program − e^{iφ} native‖ over φ, but for rounding.

    Raises:
        StateTooLargeError: if the states on the way are too entangled, or may be inexact.
    """
    wanted, actual = (Blocks.of(circuit, rename=True) for circuit in (program, native))
    own, width = program.num_qubits, native.num_qubits
    wanted_wires = [*wanted.wires, *range(own, width)]
    name = dict(zip(actual.wires, wanted_wires, strict=True))
    order = _line([*wanted.pairs, *((name[a], name[b]) for a, b in actual.pairs)], width)
    vectors = [np.eye(2, dtype=complex)] * width
    vectors[:own] = [np.asarray(gate.to_matrix()) for gate in inputs] or vectors[:own]
    state = MatrixProduct([vectors[wire][:, :1].reshape(1, 2, 1) for wire in order], order)
    for (low, high), unitary in zip(wanted.pairs, wanted.unitaries, strict=True):
        state.apply(low, high, unitary)
    for wire, matrix in enumerate(wanted.ends):
        state.turn(wire, matrix)
    for wire, matrix in enumerate(actual.ends):
        state.turn(name[wire], matrix.conj().T)
    for (low, high), unitary in reversed([*zip(actual.pairs, actual.unitaries, strict=True)]):
        state.apply(name[low], name[high], unitary.conj().T)
    for wire, matrix in enumerate(vectors):
        state.turn(name[wire], matrix.conj().T)
    return state.distance_to_zero() + wanted.error + actual.error


def _line(pairs: Sequence[tuple[int, int]], width: int) -> list[int]:
    """Return wires in a line in which few pairs span any cut: greedily, from a wire of few."""
    weights = np.zeros((width, width))
    for a, b in pairs:
        weights[a, b] += 1
        weights[b, a] += 1
    line: list[int] = []
    cut = weights.sum(axis=0)
    latest = np.zeros(width)
    left = np.ones(width, bool)
    while len(line) < width:
        candidates = np.flatnonzero(left)
        wire = min(candidates, key=lambda wire: (cut[wire], -latest[wire], wire))
        left[wire] = False
        line.append(int(wire))
        cut -= 2 * weights[wire]
        latest = latest / 2 + weights[wire]
    return line
