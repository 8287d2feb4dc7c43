"""The exact state of a circuit started in |0…0⟩, and what pairs of qubits can be in.

Few basis states have an amplitude in the circuits that this is for, but often in rotated bases
only. Every qubit has a *frame*, a one-qubit unitary that is yet to be applied, chosen so that the
state has fewer amplitudes. Qubits that are |0⟩ but for their frames have no column, so that a
circuit on a large device may be simulated as long as few qubits are entangled at the same time.
"""

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compiler.errors import StateTooLargeError

Matrix = NDArray[np.complex128]
Keys = NDArray[np.uint64]

COLUMNS = 64
NEGLIGIBLE = 1e-10
"""Amplitudes below this are rounding, not states."""

IDENTITY: Matrix = np.eye(2, dtype=complex)

DENSITY = 64
"""Times the number of amplitudes up to which a table of all basis states pays off."""

ABSENT = 1e-8
"""Singular values below this are rounding, not a direction of a support."""


class ReachableState:
    """A pure state with few amplitudes.

    Args:
        max_amplitudes: the most amplitudes that it may have.
    """

    def __init__(self, max_amplitudes: int) -> None:
        self.max_amplitudes = max_amplitudes
        self.columns: dict[int, int] = {}
        self.frames: dict[int, Matrix] = {}
        self.keys: Keys = np.zeros(1, dtype=np.uint64)
        self.amplitudes: Matrix = np.ones(1, dtype=complex)

    def copy(self) -> "ReachableState":
        """Return a state that can be changed without changing this one."""
        same = ReachableState(self.max_amplitudes)
        same.columns, same.frames = dict(self.columns), dict(self.frames)
        same.keys, same.amplitudes = self.keys, self.amplitudes
        return same

    def support(self, qubits: Sequence[int]) -> Matrix:
        """Return an orthonormal basis of the support of some qubits' reduced state.

        Its shape is (2**qubits, r); the first qubit is the lowest bit of an index.
        """
        _, table = _grouped(self.keys, self.amplitudes, self._masks(qubits))
        triangle = np.linalg.qr(table, mode="r")
        _, sizes, rows = np.linalg.svd(triangle, full_matrices=False)
        found: Matrix = self._framed(qubits) @ rows[sizes > ABSENT].T
        return found

    def apply(self, matrix: Matrix, qubits: Sequence[int], controls: Sequence[int] = ()) -> None:
        """Apply a gate on one or two qubits, the first of them the lower bit of its index.

        Args:
            matrix: shape (2, 2) or (4, 4).
            qubits: that it acts on.
            controls: qubits that must all be 1 for it to act.

        Raises:
            StateTooLargeError: if there would be too many amplitudes, or qubits in use.
        """
        if controls:
            for qubit in (*qubits, *controls):
                self._transform(IDENTITY, (qubit,), ())
        self._transform(matrix, qubits, controls)
        for qubit in (*qubits, *controls):
            self._find_frame(qubit)
        self._free((*qubits, *controls))

    def _transform(self, matrix: Matrix, qubits: Sequence[int], controls: Sequence[int]) -> None:
        """Apply a gate and the frames of its qubits; with controls there must be no frames."""
        masks = self._masks(qubits)
        whole = np.ascontiguousarray(matrix @ self._framed(qubits))
        used = np.uint64(sum(1 << self._column(qubit) for qubit in controls))
        acts = (self.keys & used) == used
        bases, table = _grouped(self.keys[acts], self.amplitudes[acts], masks)
        keys, amplitudes = _spread(bases, table, whole, masks)
        if controls:
            keys = np.concatenate([keys, self.keys[~acts]])
            amplitudes = np.concatenate([amplitudes, self.amplitudes[~acts]])
        if len(keys) > self.max_amplitudes:
            raise StateTooLargeError(f"the state has more than {self.max_amplitudes} amplitudes")
        self.keys, self.amplitudes = keys, amplitudes
        for qubit in qubits:
            self.frames.pop(qubit, None)

    def _framed(self, qubits: Sequence[int]) -> Matrix:
        """Return the product of the frames of some qubits, the first being the lowest bit."""
        whole: Matrix = np.eye(1, dtype=complex)
        for qubit in qubits:
            whole = np.asarray(np.kron(self.frames.get(qubit, IDENTITY), whole), dtype=complex)
        return whole

    def _find_frame(self, qubit: int) -> None:
        """Rotate a qubit to the basis in which the state is smaller, if there is one."""
        masks = self._masks((qubit,))
        bases, table = _grouped(self.keys, self.amplitudes, masks)
        frame, found = _common_basis(table)
        if found:
            turned = np.ascontiguousarray(frame.conj().T)
            self.keys, self.amplitudes = _spread(bases, table, turned, masks)
            self.frames[qubit] = frame

    def used(self) -> list[int]:
        """Return the qubits that may be in another state than |0⟩."""
        return sorted({*self.columns, *self.frames})

    def forget(self, qubits: Sequence[int]) -> None:
        """Refuse to let something unknown happen.

        Raises:
            StateTooLargeError: always.
        """
        raise StateTooLargeError(f"what happens to qubits {tuple(qubits)} cannot be simulated")

    def _masks(self, qubits: Sequence[int]) -> Keys:
        return np.array([1 << self._column(qubit) for qubit in qubits], dtype=np.uint64)

    def _column(self, qubit: int) -> int:
        if qubit not in self.columns:
            free = set(range(COLUMNS)) - set(self.columns.values())
            if not free:
                raise StateTooLargeError(f"more than {COLUMNS} qubits are in use")
            self.columns[qubit] = min(free)
        return self.columns[qubit]

    def _free(self, qubits: Sequence[int]) -> None:
        """Take the columns of qubits that are |0⟩."""
        used = np.bitwise_or.reduce(self.keys)
        for qubit in qubits:
            if not int(used) >> self.columns[qubit] & 1:
                del self.columns[qubit]


@njit(cache=True)
def _grouped(keys: Keys, amplitudes: Matrix, masks: Keys) -> tuple[Keys, Matrix]:
    """Return the values of all other qubits, and for each the amplitudes of these, as rows."""
    clear = np.uint64(0)
    for mask in masks:
        clear |= mask
    rest = keys & ~clear
    row_of = _rows(rest)
    bases = np.empty(len(keys), dtype=np.uint64)
    table = np.zeros((len(keys), 1 << len(masks)), dtype=np.complex128)
    count = 0
    for place in range(len(keys)):
        row, entry = row_of[place], 0
        for i in range(len(masks)):
            if keys[place] & masks[i]:
                entry |= 1 << i
        bases[row] = rest[place]
        table[row, entry] = amplitudes[place]
        count = max(count, row + 1)
    return bases[:count].copy(), table[:count].copy()


@njit(cache=True)
def _rows(rest: Keys) -> NDArray[np.int64]:
    """Number equal keys alike, from 0 on: by a table where keys are dense, or else by sorting."""
    rows, count = np.empty(len(rest), dtype=np.int64), 0
    largest = rest.max() if len(rest) else np.uint64(0)
    if largest < DENSITY * len(rest):
        seen = np.full(np.int64(largest) + 1, -1, dtype=np.int64)
        for place in range(len(rest)):
            key = np.int64(rest[place])
            if seen[key] < 0:
                seen[key] = count
                count += 1
            rows[place] = seen[key]
        return rows
    order = np.argsort(rest)
    for i in range(len(order)):
        if i and rest[order[i]] != rest[order[i - 1]]:
            count += 1
        rows[order[i]] = count
    return rows


@njit(cache=True)
def _spread(bases: Keys, table: Matrix, matrix: Matrix, masks: Keys) -> tuple[Keys, Matrix]:
    """Return the basis states and amplitudes that a matrix makes of the rows of a table."""
    keys = np.empty(table.size, dtype=np.uint64)
    amplitudes = np.empty(table.size, dtype=np.complex128)
    count = 0
    for row in range(table.shape[0]):
        for entry in range(table.shape[1]):
            value = 0j
            for old in range(table.shape[1]):
                value += matrix[entry, old] * table[row, old]
            if value.real**2 + value.imag**2 > NEGLIGIBLE**2:
                key = bases[row]
                for i in range(len(masks)):
                    if entry >> i & 1:
                        key |= masks[i]
                keys[count], amplitudes[count] = key, value
                count += 1
    return keys[:count].copy(), amplitudes[:count].copy()


@njit(cache=True)
def _common_basis(table: Matrix) -> tuple[Matrix, bool]:
    """Return a unitary whose columns all rows are multiples of, and whether it shortens them."""
    frame = np.zeros((2, 2), dtype=np.complex128)
    found = False
    for row in range(len(table)):
        zero, one = table[row, 0], table[row, 1]
        if not found and abs(zero) > NEGLIGIBLE and abs(one) > NEGLIGIBLE:
            size = np.sqrt(abs(zero) ** 2 + abs(one) ** 2)
            frame[0, 0], frame[1, 0] = zero / size, one / size
            frame[0, 1], frame[1, 1] = -one.conjugate() / size, zero.conjugate() / size
            found = True
    if not found:
        return frame, False
    for row in range(len(table)):
        along = frame[0, 0].conjugate() * table[row, 0] + frame[1, 0].conjugate() * table[row, 1]
        across = frame[0, 1].conjugate() * table[row, 0] + frame[1, 1].conjugate() * table[row, 1]
        if abs(along) > NEGLIGIBLE and abs(across) > NEGLIGIBLE:
            return frame, False
    return frame, True
