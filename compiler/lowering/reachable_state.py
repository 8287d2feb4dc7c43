"""The exact state of a circuit started in |0…0⟩, and what pairs of qubits can be in.

Few basis states have an amplitude in the circuits that this is for. Qubits that are |0⟩ have no
column, so that a circuit on a large device may be simulated as long as few of its qubits are in
use at the same time.
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
        self.keys: Keys = np.zeros(1, dtype=np.uint64)
        self.amplitudes: Matrix = np.ones(1, dtype=complex)

    def copy(self) -> "ReachableState":
        """Return a state that can be changed without changing this one."""
        same = ReachableState(self.max_amplitudes)
        same.columns, same.keys, same.amplitudes = dict(self.columns), self.keys, self.amplitudes
        return same

    def support(self, qubits: Sequence[int]) -> Matrix:
        """Return an orthonormal basis of the support of some qubits' reduced state.

        Its shape is (2**qubits, r); the first qubit is the lowest bit of an index.
        """
        _, table = _grouped(self.keys, self.amplitudes, self._masks(qubits))
        triangle = np.linalg.qr(table, mode="r")
        _, sizes, rows = np.linalg.svd(triangle, full_matrices=False)
        found: Matrix = rows[sizes > ABSENT].T
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
        masks = self._masks(qubits)
        used = np.uint64(sum(1 << self._column(qubit) for qubit in controls))
        acts = (self.keys & used) == used
        bases, table = _grouped(self.keys[acts], self.amplitudes[acts], masks)
        keys, amplitudes = _spread(bases, table, np.ascontiguousarray(matrix), masks)
        if controls:
            keys = np.concatenate([keys, self.keys[~acts]])
            amplitudes = np.concatenate([amplitudes, self.amplitudes[~acts]])
        if len(keys) > self.max_amplitudes:
            raise StateTooLargeError(f"the state has more than {self.max_amplitudes} amplitudes")
        self.keys, self.amplitudes = keys, amplitudes
        self._free((*qubits, *controls))

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
