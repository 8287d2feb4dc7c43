"""The exact state of a circuit started in |0…0⟩, and what pairs of qubits can be in.

Few basis states have an amplitude in the circuits that this is for, but often in rotated bases
only. Every qubit has a *frame*, a one-qubit unitary that is yet to be applied, chosen so that the
state has fewer amplitudes. Qubits that are |0⟩ but for their frames have no column, so that a
circuit on a large device may be simulated as long as few qubits are entangled at the same time.
"""

from collections.abc import Sequence

import numpy as np

from compiler.circuits.matrices import Matrix, kronecker
from compiler.errors import StateTooLargeError
from compiler.lowering.reachable.amplitudes import (
    COLUMNS,
    Keys,
    common_basis,
    grouped,
    has_common_basis,
    spread,
)

IDENTITY: Matrix = np.eye(2, dtype=complex)
NOT: Matrix = IDENTITY[::-1]

MET = 2
"""How many of the qubits that a gate was on together with one are remembered, the latest first."""

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
        self.met: dict[int, tuple[int, ...]] = {}
        self.keys: Keys = np.zeros(1, dtype=np.uint64)
        self.amplitudes: Matrix = np.ones(1, dtype=complex)

    def copy(self) -> "ReachableState":
        """Return a state that can be changed without changing this one."""
        same = ReachableState(self.max_amplitudes)
        same.columns, same.frames, same.met = dict(self.columns), dict(self.frames), dict(self.met)
        same.keys, same.amplitudes = self.keys, self.amplitudes
        return same

    def support(self, qubits: Sequence[int]) -> Matrix:
        """Return an orthonormal basis of the support of some qubits' reduced state.

        Its shape is (2**qubits, r); the first qubit is the lowest bit of an index.
        """
        bits = [1 << self.columns[qubit] if qubit in self.columns else 0 for qubit in qubits]
        _, table = grouped(self.keys, self.amplitudes, np.array(bits, dtype=np.uint64))
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
        if len(qubits) == 1 and not controls:
            self.frames[qubits[0]] = matrix @ self.frames.get(qubits[0], IDENTITY)
            return
        if controls:
            self._masks((*qubits, *controls))  # all have columns before one loses its frame
            for qubit in (*qubits, *controls):
                self._transform(IDENTITY, (qubit,), ())
        size, used = len(self.keys), (*qubits, *controls)
        self._transform(matrix, qubits, controls)
        near = not controls
        for qubit in used:
            # The next one's basis states are as near to one another until one is rotated.
            near = not self._find_frame(qubit, near=near) and near
        if len(self.keys) > size:
            self._untangle(used)
        for qubit in used:
            others = (other for other in used if other != qubit)
            self.met[qubit] = (*others, *self.met.get(qubit, ()))[:MET]
        self._free(used)

    def _transform(self, matrix: Matrix, qubits: Sequence[int], controls: Sequence[int]) -> None:
        """Apply a gate and the frames of its qubits; with controls there must be no frames."""
        masks = self._masks(qubits)
        whole = np.ascontiguousarray(matrix @ self._framed(qubits))
        used = np.uint64(sum(1 << self._column(qubit) for qubit in controls))
        acts = (self.keys & used) == used
        bases, table = grouped(self.keys[acts], self.amplitudes[acts], masks)
        keys, amplitudes = spread(bases, table, whole, masks)
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
            whole = kronecker(self.frames.get(qubit, IDENTITY), whole)
        return whole

    def _find_frame(self, qubit: int, *, near: bool = False) -> bool:
        """Rotate a qubit to the basis in which the state is smaller; tell if there is one.

        Args:
            qubit: that is rotated.
            near: whether basis states that differ in it alone are near one another, so that it
                need not be sorted to see that there is none.
        """
        masks = self._masks((qubit,))
        if near and not has_common_basis(self.keys, self.amplitudes, masks[0]):
            return False
        bases, table = grouped(self.keys, self.amplitudes, masks)
        frame, found = common_basis(table)
        if found:
            turned = np.ascontiguousarray(frame.conj().T)
            self.keys, self.amplitudes = spread(bases, table, turned, masks)
            self.frames[qubit] = self.frames.get(qubit, IDENTITY) @ frame
        return found

    def _untangle(self, qubits: Sequence[int]) -> None:
        """Undo the frames of what some qubits met last if better ones for these come of it.

        A control that looks like a superposition within a gate has a frame that later hides
        what the gate did to its targets.
        """
        met = {other: None for qubit in qubits for other in self.met.get(qubit, ())}
        framed = [other for other in met if other in self.frames and other not in qubits]
        if not framed:
            return
        before = self.copy()
        try:
            for qubit in framed:
                self._transform(IDENTITY, (qubit,), ())
        except StateTooLargeError:
            self._become(before)
            return
        for qubit in (*qubits, *framed):
            self._find_frame(qubit)
        if len(self.keys) >= len(before.keys):
            self._become(before)

    def _become(self, other: "ReachableState") -> None:
        self.columns, self.frames = other.columns, other.frames
        self.keys, self.amplitudes = other.keys, other.amplitudes

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
        if len({*self.columns, *qubits}) > COLUMNS:
            self._free_ones(qubits)
        return np.array([1 << self._column(qubit) for qubit in qubits], dtype=np.uint64)

    def _column(self, qubit: int) -> int:
        if qubit not in self.columns:
            free = set(range(COLUMNS)) - set(self.columns.values())
            if not free:
                raise StateTooLargeError(f"more than {COLUMNS} qubits are in use")
            self.columns[qubit] = min(free)
        return self.columns[qubit]

    def _free_ones(self, others: Sequence[int]) -> None:
        """Take the columns of qubits that are |1⟩ but for their frames, which turn |0⟩ to that."""
        ones = np.bitwise_and.reduce(self.keys)
        for qubit in self.columns.keys() - set(others):
            mask = np.uint64(1) << np.uint64(self.columns[qubit])
            if ones & mask:
                self.keys = self.keys ^ mask
                self.frames[qubit] = self.frames.get(qubit, IDENTITY) @ NOT
                del self.columns[qubit]

    def _free(self, qubits: Sequence[int]) -> None:
        """Take the columns of qubits that are |0⟩."""
        used = np.bitwise_or.reduce(self.keys)
        for qubit in self.columns.keys() & {*qubits}:
            if not int(used) >> self.columns[qubit] & 1:
                del self.columns[qubit]
