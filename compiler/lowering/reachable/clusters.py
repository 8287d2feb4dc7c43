"""Possible states of pairs of qubits, without the whole state: small clusters of entangled qubits.

Each cluster has a subspace that its reduced state's support lies in. A gate between two clusters
joins them; where that would make too large a cluster, the qubits that were touched longest ago
leave it, and their correlations with the others are forgotten. That only enlarges subspaces,
so states outside of them are never reached.
"""

from collections.abc import Sequence
from copy import copy

import numpy as np
from attrs import define

from compiler.circuits.branches import Branches
from compiler.circuits.matrices import Matrix, applied, kronecker
from compiler.circuits.tolerances import NO_DIRECTION
from compiler.errors import StateTooLargeError

WIDTH, DIMENSIONS = 8, 16
"""Size of clusters that are followed in a millisecond or so a gate."""

WIDE = 6
"""Qubits up to which a gate with controls is followed exactly."""


@define(eq=False)
class _Cluster:
    """Some qubits, the first the lowest bit, and a basis of a subspace, shape (2**qubits, r)."""

    qubits: tuple[int, ...]
    basis: Matrix

    def support(self, qubits: Sequence[int]) -> Matrix:
        return _span(self._rows(qubits))

    def without(self, qubit: int) -> "_Cluster":
        remaining = tuple(other for other in self.qubits if other != qubit)
        return _Cluster(remaining, _span(self._rows(remaining)))

    def apply(self, matrix: Matrix, qubits: Sequence[int]) -> None:
        self.basis = applied(matrix, [self.qubits.index(q) for q in qubits], self.basis)

    def _rows(self, qubits: Sequence[int]) -> Matrix:
        """Return the basis with the values of some qubits as rows, all else as columns."""
        tensor = self.basis.reshape((2,) * len(self.qubits) + (-1,))
        axes = [len(self.qubits) - 1 - self.qubits.index(q) for q in reversed(qubits)]
        moved = np.moveaxis(tensor, axes, range(len(qubits)))
        return moved.reshape(1 << len(qubits), -1)


def _span(columns: Matrix) -> Matrix:
    """Return an orthonormal basis of the span of columns."""
    left, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    return left[:, sizes > NO_DIRECTION]


class Clusters:
    """Clusters of qubits that start in |0…0⟩.

    Args:
        width: the most qubits of a cluster, at least 2 and as many as any gate has.
        dimensions: the most dimensions of its subspace, unless the gate's qubits alone have more.
    """

    def __init__(self, width: int = WIDTH, dimensions: int = DIMENSIONS) -> None:
        self.width = width
        self.dimensions = dimensions
        self.clusters: dict[int, _Cluster] = {}
        self.touched: dict[int, int] = {}
        self.gates = 0

    def copy(self) -> "Clusters":
        """Return clusters that can be changed without changing these."""
        same = Clusters(self.width, self.dimensions)
        same.clusters, same.touched = dict(self.clusters), dict(self.touched)
        same.gates = self.gates
        return same

    def support(self, qubits: Sequence[int]) -> Matrix:
        """Return an orthonormal basis of a space that some qubits' reduced state is in.

        Its shape is (2**qubits, r); the first qubit is the lowest bit of an index.
        """
        parts = self._parts(qubits)
        inside = [[q for q in qubits if q in part.qubits] for part in parts]
        joined = _joined(
            [
                _Cluster(tuple(own), part.support(own))
                for part, own in zip(parts, inside, strict=True)
            ]
        )
        return joined.support(qubits)

    def apply(self, matrix: Matrix, qubits: Sequence[int], controls: Sequence[int] = ()) -> None:
        """Apply a gate, the first of its qubits being the lowest bit of an index.

        Args:
            matrix: of the gate without its controls.
            qubits: that it acts on.
            controls: qubits that must all be 1 for it to act; with too many, all facts about
                its qubits and their controls is forgotten.
        """
        if len(qubits) + len(controls) > WIDE:
            self.forget([*qubits, *controls])
        elif controls:
            self._apply(_controlled(matrix, len(controls)), [*controls, *qubits])
        else:
            self._apply(matrix, qubits)

    def know(self, qubit: int, support: Matrix) -> None:
        """Let a qubit be in a subspace, independently of all others."""
        self._store(_Cluster((qubit,), support))

    def _apply(self, matrix: Matrix, qubits: Sequence[int]) -> None:
        self.gates += 1
        self.touched.update(dict.fromkeys(qubits, self.gates))
        self._make_room(qubits)
        joined = _joined(self._parts(qubits))
        joined.apply(matrix, qubits)
        self._store(joined)
        for qubit in qubits:
            if len(joined.qubits) > 1 and joined.support([qubit]).shape[1] == 1:
                joined = self._release(joined, qubit)

    def forget(self, qubits: Sequence[int]) -> None:
        """Let something unknown happen to some qubits."""
        for qubit in qubits:
            cluster = self._cluster(qubit)
            if len(cluster.qubits) > 1:
                self._release(cluster, qubit)
            self.know(qubit, np.eye(2, dtype=complex))

    def _parts(self, qubits: Sequence[int]) -> list[_Cluster]:
        return list(dict.fromkeys(map(self._cluster, qubits)))

    def _cluster(self, qubit: int) -> _Cluster:
        if qubit not in self.clusters:
            self._store(_Cluster((qubit,), np.eye(2, 1, dtype=complex)))
        return self.clusters[qubit]

    def _store(self, cluster: _Cluster) -> None:
        self.clusters.update(dict.fromkeys(cluster.qubits, cluster))

    def _release(self, cluster: _Cluster, qubit: int) -> _Cluster:
        """Make a qubit a cluster of its own, and return the remainder of its cluster."""
        self._store(_Cluster((qubit,), cluster.support([qubit])))
        remaining = cluster.without(qubit)
        self._store(remaining)
        return remaining

    def _make_room(self, qubits: Sequence[int]) -> None:
        """Release the qubits that were touched longest ago until a gate's clusters are small."""
        while True:
            parts = self._parts(qubits)
            others = [q for part in parts for q in part.qubits if q not in qubits]
            size = len(others) + len(qubits)
            dimensions = int(np.prod([part.basis.shape[1] for part in parts]))
            if not others or (size <= self.width and dimensions <= self.dimensions):
                return
            oldest = min(others, key=lambda q: (self.touched.get(q, 0), q))
            self._release(self._cluster(oldest), oldest)


def _joined(parts: Sequence[_Cluster]) -> _Cluster:
    basis = np.eye(1, dtype=complex)
    for part in parts:
        basis = kronecker(part.basis, basis)
    return _Cluster(tuple(q for part in parts for q in part.qubits), basis)


def _controlled(matrix: Matrix, controls: int) -> Matrix:
    """Return a gate's matrix with controls as its lowest bits, all of which must be 1."""
    wide = np.eye(len(matrix) << controls, dtype=complex)
    fires = np.arange(1, len(matrix) + 1) * (1 << controls) - 1
    wide[np.ix_(fires, fires)] = matrix
    return wide


class Reachable:
    """The exact state as long as it is small, and small clusters from then on.

    Args:
        qubits: width of the circuit.
        max_amplitudes: the most amplitudes of the exact state.
    """

    def __init__(self, qubits: int, max_amplitudes: int) -> None:
        self.state: Branches | Clusters = Branches.zero(qubits, max_amplitudes)

    @property
    def size(self) -> int:
        """Amplitudes of the exact state; 0 once it is no longer followed."""
        return len(self.state.table) if isinstance(self.state, Branches) else 0

    def copy(self) -> "Reachable":
        """Return the same, to be changed independently."""
        same = copy(self)
        same.state = self.state.copy()
        return same

    def support(self, qubits: Sequence[int]) -> Matrix:
        """Return an orthonormal basis of a space that some qubits' reduced state is in."""
        return self.state.support(qubits)

    def apply(self, matrix: Matrix, qubits: Sequence[int], controls: Sequence[int] = ()) -> None:
        """Apply a gate that acts where all controls are 1."""
        try:
            self.state.apply(matrix, qubits, controls)
        except StateTooLargeError:
            self._simplify().apply(matrix, qubits, controls)

    def forget(self, qubits: Sequence[int]) -> None:
        """Let something unknown happen to some qubits."""
        self._simplify().forget(qubits)

    def _simplify(self) -> Clusters:
        """Keep of an exact state the subspace of each qubit by itself."""
        if isinstance(self.state, Branches):
            clusters = Clusters()
            for qubit in self.state.used():
                clusters.know(qubit, self.state.support([qubit]))
            self.state = clusters
        return self.state


Reached = Branches | Clusters | Reachable
"""Facts about the state that a circuit has reached from |0…0⟩."""
