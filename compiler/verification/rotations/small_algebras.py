"""Products of few Pauli rotations as small matrices, whatever number of qubits they act on.

r independent Paulis generate an algebra that depends on nothing but which of them anticommute.
It is that of r qubits' operators g_i = X_i ∏ Z_j over those j < i that anticommute with g_i, a
faithful copy: products that are equal here are equal there, and norms are the same.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from compiler.circuits.matrices import IDENTITY, PAULIS, Matrix

X, _, Z = PAULIS


@frozen(eq=False)
class Algebra:
    """Hermitian products of generators.

    Args:
        elements: 2^r matrices; bit i of the index says whether generator i is a factor, and the
            product, in order, is times i where it would not be Hermitian.
        powers: of the i by which each product was multiplied.
    """

    elements: Matrix
    powers: tuple[int, ...]

    @classmethod
    def of(cls, anticommute: NDArray[np.bool_]) -> "Algebra":
        """Return the algebra of generators of which some pairs anticommute."""
        r = len(anticommute)
        generators = []
        for i in range(r):
            matrix = np.eye(1, dtype=complex)
            for j in range(r):
                one = X if j == i else Z if j < i and anticommute[i, j] else IDENTITY
                matrix = np.kron(matrix, one)
            generators.append(matrix)
        elements, powers = [], []
        for mask in range(1 << r):
            inside = [i for i in range(r) if mask >> i & 1]
            product = np.eye(1 << r, dtype=complex)
            for i in inside:
                product = product @ generators[i]
            flips = sum(bool(anticommute[i, j]) for i, j in combinations(inside, 2)) % 2
            elements.append(1j**flips * product)
            powers.append(flips)
        return cls(np.array(elements), tuple(powers))

    def rotation(self, element: int, angle: float) -> Matrix:
        """Return exp(-iθg/2) of an element."""
        one = self.elements[0]
        turned: Matrix = np.cos(angle / 2) * one - 1j * np.sin(angle / 2) * self.elements[element]
        return turned

    def prefixes(self, rotations: Sequence[tuple[int, float]]) -> Matrix:
        """Return the products of the first k rotations, for every k from 0 on."""
        found = [self.elements[0]]
        for element, angle in rotations:
            found.append(self.rotation(element, angle) @ found[-1])
        return np.array(found)

    def quarter_turns(self, matrix: Matrix, tolerance: float) -> tuple[list[int], float] | None:
        """Return quarter turns whose product a matrix is, up to a phase.

        Returns:
            Elements g_1 … g_k, of which the matrix is R_{g_k}(π/2) ⋯ R_{g_1}(π/2), where -1 - g
            stands for an angle of -π/2; and the distance that is left. None if that is above the
            tolerance.
        """
        turns: list[int] = []
        size = len(self.elements[0])
        rest = matrix
        while True:
            weights = np.abs(np.einsum("gij,ji->g", self.elements, rest)) / size
            support = [int(g) for g in np.flatnonzero(weights > 0.01)]
            if len(support) > 1 and np.ptp(weights[support]) > 10 * tolerance:
                return None
            if len(support) == 1:
                break
            for other in support[1:]:
                between = support[0] ^ other
                options = [
                    (sign, self.rotation(between, -sign * np.pi / 2) @ rest) for sign in (1, -1)
                ]
                counts = [
                    int((np.abs(np.einsum("gij,ji->g", self.elements, made)) > 0.01 * size).sum())
                    for _, made in options
                ]
                best = int(np.argmin(counts))
                if counts[best] < len(support):
                    turns.append(between if options[best][0] > 0 else -1 - between)
                    rest = options[best][1]
                    break
            else:
                return None
        if support[0]:
            rest = self.rotation(support[0], -np.pi) @ rest
            turns += [support[0], support[0]]
        phase = np.trace(rest)
        if abs(phase) < size / 2:
            return None
        left = float(np.linalg.norm(rest - phase / abs(phase) * self.elements[0], 2))
        return (turns[::-1], left) if left <= tolerance else None
