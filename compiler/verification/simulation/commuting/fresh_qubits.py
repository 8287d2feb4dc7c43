"""Blocks that are the first to act on a qubit, by what they do where it starts in |0⟩."""

from math import asin

import numpy as np

from compiler.circuits.gate_steps import Step
from compiler.circuits.matrices import Matrix

CLOSE = 1e-9
HADAMARD: Matrix = np.array([[1, 1], [1, -1]], dtype=complex) / np.sqrt(2)


ALIKE = 1e-8
"""Angle between two states up to which they are one."""


def as_turn(
    qubits: tuple[int, int], matrix: Matrix, fresh: int, before: Matrix
) -> list[Step] | None:
    """Return one-qubit gates around at most one `zz` that do what a block does to a fresh qubit.

    The block must take each of two orthogonal states of the other qubit to a product of two
    states, of which those of the other qubit are orthogonal again: the fresh one is then turned
    by how much the other one says.

    Args:
        qubits: of the block.
        matrix: of the block, shape (4, 4), the first qubit being the low bit.
        fresh: which of the two nothing but one-qubit gates has acted on.
        before: their product; they stay where they are.

    Returns:
        The steps, equal to the block up to a phase; None if there are none.
    """
    # Axes: out of the other qubit, out of the fresh one, into the other one, into the fresh one.
    order = (0, 1, 2, 3) if fresh == 0 else (1, 0, 3, 2)
    tensor = matrix.reshape(2, 2, 2, 2).transpose(order) @ before[:, 0]
    kraus = tensor.transpose(1, 0, 2)
    inputs = _basis([a.conj().T @ b for a in kraus for b in kraus])
    states: list[Matrix] = []
    others: list[Matrix] = []
    for column in inputs.T:
        left, sizes, right = np.linalg.svd(tensor @ column)
        if sizes[1] > CLOSE:
            return None
        others.append(left[:, 0] * sizes[0])
        states.append(right[0])
    if abs(np.vdot(*others)) > CLOSE:
        return None
    overlap = complex(np.vdot(*states))
    if abs(overlap) > CLOSE:
        states[1] = states[1] * (overlap.conjugate() / abs(overlap))
        others[1] = others[1] * (overlap / abs(overlap))
    # Half the angle between two states whose overlap is real; an arc cosine would be less exact.
    angle = asin(float(np.linalg.norm(states[0] - states[1])) / 2)
    own, other = qubits[fresh], qubits[1 - fresh]
    ready, told = before.conj().T, np.stack(others, axis=1)
    if angle < ALIKE:
        return [
            Step("u", (own,), _turn(states, 0.0) @ HADAMARD @ ready),
            Step("u", (other,), told @ inputs.conj().T),
        ]
    return [
        Step("u", (own,), HADAMARD @ ready),
        Step("u", (other,), inputs.conj().T),
        Step("zz", (own, other), angle=angle),
        Step("u", (own,), _turn(states, angle)),
        Step("u", (other,), told),
    ]


def _basis(operators: list[Matrix]) -> Matrix:
    """Return as columns a basis in which all of some operators are diagonal, if there is one."""
    hermitian = [
        part for one in operators for part in (one + one.conj().T, 1j * (one - one.conj().T))
    ]
    widest = max(hermitian, key=lambda one: float(np.ptp(np.linalg.eigvalsh(one))))
    _, vectors = np.linalg.eigh(widest)
    basis: Matrix = vectors
    return basis


def _turn(states: list[Matrix], angle: float) -> Matrix:
    """Return a unitary that takes exp(±iφZ)|+⟩ to two states, which are as far from each other."""
    signs = np.exp(1j * angle * np.array([[1, -1], [-1, 1]])) / np.sqrt(2)
    left, _, right = np.linalg.svd(np.stack(states, axis=1) @ signs.conj().T)
    turn: Matrix = left @ right
    return turn
