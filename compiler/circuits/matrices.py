"""Small matrices on qubits: types of arrays, the Kronecker product, the swap of two qubits.

The index of a two-qubit matrix has the first qubit as its low bit.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.complex128]
Reals = NDArray[np.float64]
Integers = NDArray[np.int32]
Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]
Bits = NDArray[np.bool_]

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


def pauli_vector(axis: Reals) -> Matrix:
    """Return axis·σ."""
    return np.tensordot(axis, PAULIS, 1)


def turned_back(axes: Reals, unitary: Matrix) -> Reals:
    """Return the axes a′ with a′·σ = U†(a·σ)U, for axes of the shape [..., 3]."""
    inner = unitary.conj().T @ PAULIS @ unitary
    rotation = np.einsum("jab,kba->kj", PAULIS, inner).real / 2
    return axes @ rotation


def onto_z(axis: Reals) -> Matrix:
    """Return a unitary V with V (a·σ) V† = Z, for an axis of length 1."""
    _, vectors = np.linalg.eigh(pauli_vector(axis))
    return vectors[:, ::-1].conj().T


def applied(gate: Matrix, places: Sequence[int], columns: Matrix) -> Matrix:
    """Return columns after a gate on some of their qubits.

    Args:
        gate: shape (2**k, 2**k).
        places: the gate's k qubits among those of the columns, the low bit of its index first.
        columns: shape (2**n, r); qubit 0 is the low bit of an index.
    """
    width, size = len(columns).bit_length() - 1, len(places)
    axes = [width - 1 - place for place in reversed(places)]
    tensor = columns.reshape((2,) * width + (-1,))
    shaped = gate.reshape((2,) * (2 * size))
    moved = np.tensordot(shaped, tensor, (range(size, 2 * size), axes))
    return np.moveaxis(moved, range(size), axes).reshape(columns.shape)


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
