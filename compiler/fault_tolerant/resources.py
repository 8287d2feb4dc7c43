"""The figures of a program on logical qubits.

How many T gates and rotations a gate on one qubit takes, Clifford gates being free.

Angles are in units of the group: exp(-iθP/2) for a Pauli matrix P is a Clifford gate where θ is a
multiple of π/2, and one T gate up to Clifford gates where it is an odd multiple of π/4.
"""

from math import atan2, ceil, log2, pi
from operator import add

import numpy as np
from attrs import astuple, frozen
from qiskit.synthesis import OneQubitEulerDecomposer

from compiler.circuits.matrices import PAULIS, Matrix
from compiler.circuits.tolerances import ROUNDING, SAME
from compiler.fault_tolerant.one_hot_rotation import additions, gradient_qubits

_EULER = OneQubitEulerDecomposer("ZYZ")


@frozen
class NonClifford:
    """Resources of a gate beyond Clifford gates.

    Args:
        t_gates: rotations by odd multiples of π/4.
        rotations: rotations by other angles.
        toffolis: Toffoli gates.
        measurements: in place of Toffoli gates.
        table_rotations: rotations by tables, see `compiler.fault_tolerant.one_hot_rotation`.
    """

    t_gates: int = 0
    rotations: int = 0
    toffolis: int = 0
    measurements: int = 0
    table_rotations: int = 0

    @property
    def steps(self) -> int:
        """Depth of the gate: one for each of its parts, Toffoli gates at once."""
        return self.t_gates + self.rotations + bool(self.toffolis) + self.table_rotations

    def __add__(self, other: "NonClifford") -> "NonClifford":
        """Return the sum of both."""
        return NonClifford(*map(add, astuple(self), astuple(other)))


def of_angle(theta: float) -> NonClifford:
    """Return the resources of exp(-iθP/2), P a Pauli matrix on any number of qubits."""
    eighths = theta / (pi / 4)
    if abs(eighths - round(eighths)) * pi / 4 > SAME:
        return NonClifford(rotations=1)
    return NonClifford(t_gates=round(eighths) % 2)


def of_unitary(matrix: Matrix) -> NonClifford:
    """Return the resources of a unitary on one qubit.

    A rotation of the Bloch sphere whose matrix has an entry ±1 is a rotation about one axis
    between two Clifford gates. All others are three rotations, by Euler's angles; a Clifford+T
    circuit may be shorter than that.

    Args:
        matrix: 2 × 2.
    """
    bloch = np.real(np.einsum("iab,bc,jcd,ad->ij", PAULIS, matrix, PAULIS, matrix.conj())) / 2
    row, column = np.unravel_index(int(np.abs(bloch).argmax()), bloch.shape)
    if abs(bloch[row, column]) > 1 - ROUNDING:
        remaining = np.delete(np.delete(bloch, row, 0), column, 1)
        return of_angle(atan2(remaining[1, 0], remaining[0, 0]))
    theta, phi, lam = _EULER.angles(matrix)
    return of_angle(theta) + of_angle(phi) + of_angle(lam)


def t_gates_per_rotation(error: float) -> float:
    """Return how many T gates bring a rotation about an axis within `error`, 3 log₂(1/error).

    The approximation is one unitary, without measurements and without chance, so that a program
    and its inverse stay inverse to each other.

    Args:
        error: operator norm of the difference, less than 1.

    References:
        Ross and Selinger, arXiv:1403.2975: 3 log₂(1/ε) + O(log log(1/ε)); the second term,
        some units, is left out.
    """
    return 3 * log2(1 / error)


T_PER_TOFFOLI = 4
"""With the Toffoli gate's phase or without: Jones, arXiv:1212.5069; Gidney, arXiv:1709.06648."""
PROGRAM_ERROR = 1e-4
"""Operator norm by which all rotations of a program may be off where it stands alone."""


@frozen
class LogicalResources:
    """Counts of a circuit, Clifford gates apart.

    Args:
        qubits: that the circuit is declared on.
        t_gates: T gates, those of Toffoli gates apart.
        toffolis: Toffoli gates and equally expensive ones, such as CCZ and temporary ANDs.
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
