"""What qubits can be in, as exactly as can be followed."""

from collections.abc import Sequence
from typing import Protocol, Self

from compiler.circuits.matrices import Matrix
from compiler.errors import StateTooLargeError
from compiler.lowering.reachable.clusters import Clusters
from compiler.lowering.reachable.state import ReachableState

WIDTH = 8
DIMENSIONS = 16


class Reached(Protocol):
    """What is known of the state that a circuit has reached from |0…0⟩."""

    def copy(self) -> Self:
        """Return the same, to be changed independently."""

    def support(self, qubits: Sequence[int]) -> Matrix:
        """Return an orthonormal basis of a space that some qubits' reduced state is in.

        Its shape is (2**qubits, r); the first qubit is the lowest bit of an index.
        """

    def apply(self, matrix: Matrix, qubits: Sequence[int], controls: Sequence[int] = ()) -> None:
        """Apply a gate that acts where all controls are 1."""

    def forget(self, qubits: Sequence[int]) -> None:
        """Let something unknown happen to some qubits."""


def small_clusters() -> Clusters:
    """Return clusters that are followed in a millisecond or so a gate."""
    return Clusters(WIDTH, DIMENSIONS)


class Reachable:
    """The exact state as long as it is small, and small clusters from then on.

    Args:
        max_amplitudes: the most amplitudes of the exact state.
    """

    def __init__(self, max_amplitudes: int) -> None:
        self.known: ReachableState | Clusters = ReachableState(max_amplitudes)

    @property
    def size(self) -> int:
        """Amplitudes of the exact state; 0 once it is no longer followed."""
        return len(self.known.keys) if isinstance(self.known, ReachableState) else 0

    def copy(self) -> "Reachable":
        """Return the same, to be changed independently."""
        same = Reachable(0)
        same.known = self.known.copy()
        return same

    def support(self, qubits: Sequence[int]) -> Matrix:
        """Return an orthonormal basis of a space that some qubits' reduced state is in."""
        try:
            return self.known.support(qubits)
        except StateTooLargeError:
            self._simplify()
            return self.known.support(qubits)

    def apply(self, matrix: Matrix, qubits: Sequence[int], controls: Sequence[int] = ()) -> None:
        """Apply a gate that acts where all controls are 1."""
        try:
            self.known.apply(matrix, qubits, controls)
        except StateTooLargeError:
            self._simplify()
            self.known.apply(matrix, qubits, controls)

    def forget(self, qubits: Sequence[int]) -> None:
        """Let something unknown happen to some qubits."""
        self._simplify()
        self.known.forget(qubits)

    def _simplify(self) -> None:
        """Keep of an exact state what each qubit by itself can be in."""
        if isinstance(self.known, ReachableState):
            clusters = small_clusters()
            for qubit in self.known.used():
                clusters.know(qubit, self.known.support([qubit]))
            self.known = clusters
