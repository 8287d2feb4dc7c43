"""Lower bounds of the CZ gates of a qubit in any circuit that takes some columns to others.

Between them are one-qubit gates. With no CZ gate on a qubit its Pauli operators are turned alone:
the matrices G†σᵢG of the columns G afterwards are those of the columns S before, S†σᵢS, turned by
a rotation. With one, some operator n·σ of the qubit commutes with the CZ, and is only turned: then
unit vectors n, m have Σ nᵢ S†σᵢS = Σ mᵢ G†σᵢG. With two or more there is no such bound.

Of a whole unitary more is known, its operator Schmidt coefficients across the cut alone (Nielsen et
al., Quantum dynamics as a physical resource, 2003): with no CZ across the cut there is one
coefficient, with one there are two equal ones, with two or more there may be any four.
"""

from collections.abc import Sequence

import numpy as np

from compiler.circuits.matrices import Matrix, Reals
from compiler.circuits.tolerances import NOT_RULED_OUT

SIDES = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])


def ruled_out(source: Matrix, goal: Matrix) -> frozenset[tuple[int, int]]:
    """Return the pairs (qubit, n) for which no template with n CZ gates on the qubit will do.

    Args:
        source: orthonormal columns, shape (2**n, r); qubit 0 is the lowest bit of an index.
        goal: their images.
    """
    qubits = range(len(source).bit_length() - 1)
    return frozenset((q, count) for q in qubits for count in ruled_out_on(q, source, goal))


def ruled_out_on(qubit: int, source: Matrix, goal: Matrix) -> list[int]:
    """Return the numbers of CZ gates on a qubit that are ruled out; see `ruled_out`."""
    if source.shape[0] == source.shape[1]:
        return _by_coefficients(goal @ source.conj().T, qubit)
    return _by_moments(source, goal, qubit)


def _by_coefficients(unitary: Matrix, qubit: int) -> list[int]:
    coefficients = schmidt_coefficients(unitary, qubit)
    expected = ((1, 0, 0, 0), (0.5**0.5, 0.5**0.5, 0, 0))
    return [
        crossings
        for crossings, those in enumerate(expected)
        if np.abs(coefficients - those).max() > NOT_RULED_OUT
    ]


def schmidt_coefficients(unitary: Matrix, qubit: int) -> Reals:
    """Return a unitary's coefficients across the cut between a qubit and the others.

    Args:
        unitary: shape (2**n, 2**n); qubit 0 is the lowest bit of an index.
        qubit: on one side of the cut.

    Returns:
        The four coefficients, the largest first; their squares add up to 1.
    """
    qubits = len(unitary).bit_length() - 1
    tensor = unitary.reshape((2,) * (2 * qubits))
    axis = qubits - 1 - qubit
    cut = np.moveaxis(tensor, (axis, qubits + axis), (0, 1)).reshape(4, -1)
    return np.asarray(np.linalg.svd(cut, compute_uv=False) / np.sqrt(len(unitary)))


def _by_moments(source: Matrix, goal: Matrix, qubit: int) -> list[int]:
    before, after = moments(source, qubit), moments(goal, qubit)
    counts = []
    if np.abs(before.T @ before - after.T @ after).max() > NOT_RULED_OUT:
        counts.append(0)
    both = np.concatenate([before, -after])
    values, vectors = np.linalg.eigh(both @ both.T)
    kernel = vectors[:, values < NOT_RULED_OUT**2]
    # By how much n is longer than m; there are some of the same length if it may vanish.
    excess = np.linalg.eigvalsh((kernel.T * SIDES) @ kernel)
    if not len(excess) or excess[0] > NOT_RULED_OUT or excess[-1] < -NOT_RULED_OUT:
        counts.append(1)
    return counts


def moments(columns: Matrix, qubit: int) -> Reals:
    """Return the products of columns with their images under a qubit's Pauli operators.

    Args:
        columns: shape (2**n, r).
        qubit: that the operators act on.

    Returns:
        Shape (3, 2·r²): real and imaginary parts, for X, Y and Z.
    """
    halves = columns.reshape(-1, 2, 1 << qubit, columns.shape[1])
    zero, ones = (halves[:, bit].reshape(-1, columns.shape[1]) for bit in (0, 1))
    flip = zero.conj().T @ ones
    x, y = flip + flip.conj().T, -1j * (flip - flip.conj().T)
    z = zero.conj().T @ zero - ones.conj().T @ ones
    return np.array([np.concatenate([each.real.ravel(), each.imag.ravel()]) for each in (x, y, z)])


def crossings(pairs: Sequence[tuple[int, int]], qubits: int) -> frozenset[tuple[int, int]]:
    """Return each qubit with the number of pairs that it is in."""
    return frozenset((q, sum(q in pair for pair in pairs)) for q in range(qubits))
