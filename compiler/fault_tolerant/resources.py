"""The figures of a program on logical qubits."""

from math import ceil, log2, pi

from attrs import frozen

from compiler.fault_tolerant.one_hot_rotation import additions, gradient_qubits
from compiler.fault_tolerant.rotations import t_gates_per_rotation

T_PER_TOFFOLI = 4
"""With the Toffoli gate's phase or without: Jones, arXiv:1212.5069; Gidney, arXiv:1709.06648."""
PROGRAM_ERROR = 1e-4
"""Operator norm by which all rotations of a program may be off where it stands alone."""


@frozen
class LogicalResources:
    """What is counted on a circuit, Clifford gates apart.

    Args:
        qubits: that the circuit is declared on.
        t_gates: T gates, those of Toffoli gates apart.
        toffolis: Toffoli gates and what takes as much, such as CCZ and temporary ANDs.
        rotations: rotations about an axis by angles that are no multiple of π/4.
        table_rotations: rotations by tables of angles, each an addition to a phase gradient.
        measurements: that take the place of Toffoli gates where ANDs are cleared.
        depth: the longest chain of T gates, Toffoli gates and rotations, each as one.
    """

    qubits: int
    t_gates: int
    toffolis: int
    rotations: int
    table_rotations: int
    measurements: int
    depth: int

    def t_count(self, error: float) -> int:
        """Return the T gates of all, Toffoli gates and rotations included.

        Args:
            error: operator norm by which all rotations together may be off; each gets its share.
        """
        count = self.t_gates + T_PER_TOFFOLI * self.all_toffolis(error)
        if self.rotations:
            count += ceil(self.rotations * t_gates_per_rotation(error / self._approximate))
        return count

    @property
    def program_t_count(self) -> int:
        """T gates of all, for a program that stands alone."""
        return self.t_count(PROGRAM_ERROR)

    def all_toffolis(self, error: float) -> int:
        """Return the Toffoli gates, those of the additions to the gradient included."""
        return self.toffolis + self._in_additions(error)

    def all_measurements(self, error: float) -> int:
        """Return the measurements, those of the additions to the gradient included."""
        return self.measurements + self._in_additions(error)

    def all_qubits(self, error: float) -> int:
        """Return the qubits, with those of a phase gradient where there are tables."""
        if not self.table_rotations:
            return self.qubits
        return self.qubits + gradient_qubits(self.angle_bits(error))

    def angle_bits(self, error: float) -> int:
        """Return b, the bits of an angle by which all rotations are off by `error` at most."""
        return max(1, ceil(log2(pi * self._approximate / error)) - 2)

    def _in_additions(self, error: float) -> int:
        if not self.table_rotations:
            return 0
        return self.table_rotations * additions(self.angle_bits(error))

    @property
    def _approximate(self) -> int:
        return self.rotations + self.table_rotations
