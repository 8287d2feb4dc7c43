"""The figures of a program on logical qubits."""

from math import ceil

from attrs import frozen

from compiler.fault_tolerant.rotations import t_gates_per_rotation

T_PER_TOFFOLI = 4
"""Jones, arXiv:1212.5069; Gidney, arXiv:1709.06648."""


@frozen
class LogicalResources:
    """What is counted on a circuit, Clifford gates apart.

    Args:
        qubits: that the circuit is declared on.
        t_gates: T gates, those of Toffoli gates apart.
        toffolis: Toffoli gates and what takes as much, such as CCZ and temporary ANDs.
        rotations: rotations about an axis by angles that are no multiple of π/4.
        measurements: that take the place of Toffoli gates where ANDs are cleared.
        depth: the longest chain of T gates, Toffoli gates and rotations, each as one.
    """

    qubits: int
    t_gates: int
    toffolis: int
    rotations: int
    measurements: int
    depth: int

    def t_count(self, error: float) -> int:
        """Return the T gates of all, Toffoli gates and rotations included.

        Args:
            error: operator norm by which all rotations together may be off.
        """
        exact = self.t_gates + T_PER_TOFFOLI * self.toffolis
        if not self.rotations:
            return exact
        return exact + ceil(self.rotations * t_gates_per_rotation(error / self.rotations))
