"""A quantum strategy: a shared state, and a measurement of each player for each question."""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.quantum_info import SparsePauliOp, Statevector

from compiler.circuits.matrices import Matrix, Reals
from compiler.circuits.tolerances import ROUNDING
from compiler.errors import GameError
from games.nonlocal_games.rules import Numbers, Rules

NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,20}|/[1-9][0-9]{0,8})?"
TERM = re.compile(rf"([+-]?)\s*({NUMBER})?\s*([IXYZ]+)\s*")


@frozen(eq=False)
class Strategy:
    """Quantum strategy of all players.

    Args:
        qubits: number of qubits of each player.
        state: a circuit that prepares the shared state; player 0 has its first qubits.
        bases: by player and question, a unitary matrix. Its column c is the state whose answer is
            the low bits of c.
    """

    qubits: Numbers
    state: QuantumCircuit
    bases: tuple[tuple[Matrix, ...], ...]

    def probabilities(self, question: Numbers, bits: Numbers) -> Reals:
        """Return the probability of each answer of all players, player 0 in the low bits.

        It follows from the state and the bases, not from the circuits of the encodings.

        Args:
            question: question to each player.
            bits: number of bits of each player's answer.
        """
        amplitudes = Statevector(self.state).data
        for player, number in enumerate(question):
            # Player k's qubits lie above those of the players before.
            below, own = 1 << sum(self.qubits[:player]), 1 << self.qubits[player]
            tensor = amplitudes.reshape(-1, own, below)
            bra = self.bases[player][number].conj().T
            amplitudes = np.einsum("ij,ajb->aib", bra, tensor).reshape(-1)
        chances: Reals = np.abs(amplitudes) ** 2
        for player, size in enumerate(bits):
            below = 1 << sum(bits[:player])
            chances = chances.reshape(-1, 1 << (self.qubits[player] - size), 1 << size, below)
            chances = chances.sum(axis=1).reshape(-1)
        return chances


def win_rate(rules: Rules, strategy: Strategy, bits: Numbers, question: Numbers) -> float:
    """Return the probability that a strategy wins one question."""
    chances = strategy.probabilities(question, bits)
    return float(sum(chances[packed(answer, bits)] for answer in rules.wins[question]))


def packed(values: Numbers, bits: Numbers) -> int:
    """Return values side by side in an integer, the first one in the low bits."""
    return sum(value << sum(bits[:place]) for place, value in enumerate(values))


def unpacked(number: int, bits: Numbers) -> Numbers:
    """Return the values that `packed` has put into an integer."""
    return tuple(number >> sum(bits[:place]) & ((1 << size) - 1) for place, size in enumerate(bits))


def basis_of(observables: Sequence[Matrix]) -> Matrix:
    """Return a common eigenbasis of commuting observables; see `Strategy.bases`.

    Bit k of an answer is 1 where observable k is −1.

    Raises:
        GameError: if they do not commute, or do not have ±1 equally often.
    """
    for place, first in enumerate(observables):
        if any(not np.allclose(first @ other, other @ first) for other in observables[:place]):
            raise GameError("observables: those of one question do not commute; choose others")
    unit = np.eye(len(observables[0]))
    codes = reduce(
        np.add, [(unit - matrix) / 2 * (1 << place) for place, matrix in enumerate(observables)]
    )
    values, vectors = np.linalg.eigh(codes)
    share = len(unit) >> len(observables)
    if not np.allclose(values, np.repeat(np.arange(1 << len(observables)), share), atol=1e-9):
        raise GameError("observables: give independent ones with eigenvalues +1 and -1 alike")
    # Column a + 2^k·j is the j-th eigenvector of answer a.
    return np.asarray(vectors[:, np.arange(len(unit)).reshape(-1, share).T.ravel()])


def pauli_sum(text: str, qubits: int) -> Matrix:
    """Return the matrix of a sum such as `Z + X` or `3/5 ZI - 4/5 XX`, scaled to eigenvalues ±1.

    The last letter is that of the player's first qubit.

    Raises:
        GameError: if it is no such sum, or its square is no multiple of 1.
    """
    terms = TERM.findall(text)
    if (
        not terms
        or TERM.sub("", text).strip()
        or any(len(paulis) != qubits for _, _, paulis in terms)
        or not all(sign for sign, _, _ in terms[1:])
    ):
        raise GameError(
            f"observables: {text[:40]!r}: write a sum of {qubits} letters of I, X, Y and Z each, "
            "such as 'Z + X'"
        )
    matrix = SparsePauliOp.from_list(
        [(paulis, float(Fraction(sign + (size or "1")))) for sign, size, paulis in terms]
    ).to_matrix()
    square = matrix @ matrix
    if square[0, 0].real < ROUNDING or not np.allclose(square, square[0, 0] * np.eye(len(square))):
        raise GameError(f"observables: {text[:40]!r}: its square is no multiple of 1; change it")
    return np.asarray(matrix / np.sqrt(square[0, 0].real))
