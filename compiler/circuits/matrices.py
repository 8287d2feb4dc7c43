"""Small matrices on qubits: types of arrays, the Kronecker product, the swap of two qubits.

The index of a two-qubit matrix has the first qubit as its low bit.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.complex128]
Integers = NDArray[np.int32]
Reals = NDArray[np.float64]

IDENTITY: Matrix = np.eye(2, dtype=np.complex128)
HADAMARD: Matrix = np.array([[1, 1], [1, -1]], dtype=np.complex128) / np.sqrt(2)
PAULIS: Matrix = np.array(
    [[[0, 1], [1, 0]], [[0, -1j], [1j, 0]], [[1, 0], [0, -1]]], dtype=np.complex128
)
"""X, Y and Z, shape (3, 2, 2)."""

CONTROLLED: Mapping[str, Matrix] = {
    "cx": np.eye(4, dtype=np.complex128)[[0, 3, 2, 1]],
    "cz": np.diag([1, 1, 1, -1]).astype(np.complex128),
}
"""Gates on two qubits by name, the control being the low bit."""

SWAP_ORDER = [0, 2, 1, 3]
"""Basis states of two qubits after their qubits change places."""

SWAP: Matrix = np.eye(4, dtype=np.complex128)[SWAP_ORDER]


def kronecker(high: Matrix, low: Matrix) -> Matrix:
    """Return the product whose index has those of `high` as its higher, of `low` as its lower bits.

    Every entry is the one product of two numbers that `numpy.kron` computes, which takes several
    times as long.
    """
    rows, columns = len(high) * len(low), high.shape[1] * low.shape[1]
    return (high[:, None, :, None] * low[None, :, None, :]).reshape(rows, columns)


def with_qubits_swapped(unitary: Matrix) -> Matrix:
    """Return SWAP·U·SWAP: the same two-qubit unitary with its qubits in the other order."""
    return unitary[SWAP_ORDER][:, SWAP_ORDER]


def nearest_unitary(matrix: Matrix) -> Matrix:
    """Return the unitary nearest to a matrix that is unitary but for rounding.

    One Newton step of the polar decomposition, U·(3 − U†U)/2, squares the error: products of
    thousands of gates, which are off by 1e-13, come back to the last digit.

    Args:
        matrix: shape (n, n), with ‖U†U − 1‖ far below 1.

    References:
        Higham, "Computing the polar decomposition – with applications", SIAM J. Sci. Stat.
        Comput. 7 (1986) 1160.
    """
    return matrix @ (1.5 * np.eye(len(matrix)) - 0.5 * (matrix.conj().T @ matrix))
