"""A nonlocal game with a quantum strategy: one question, or questions drawn by qubits."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from math import gcd, lcm, sqrt
from typing import ClassVar

import numpy as np
from attrs import evolve, frozen
from qiskit import QuantumCircuit
from qiskit.quantum_info import SparsePauliOp, Statevector

from compiler.circuits.matrices import Matrix, Reals
from compiler.circuits.tolerances import ROUNDING, SAME
from compiler.errors import GameError, GameTooLargeError
from compiler.judge import Kind, Observable
from games.game import Fact, Game
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


MAX_DRAWN = 3
"""Questions of a player up to which a circuit draws them."""


@frozen(eq=False, slots=False)
class NonlocalGame(Game):
    """A game, its rules and a quantum strategy.

    An outcome has the answers of all players, player 0 in the low bits, and above them the
    questions if they are drawn.

    Args:
        name: spec of the game, without a question.
        label: label of the game, for people.
        rules: rules of the referee.
        strategy: strategy of the players.
        question: question to each player; None if qubits of the program draw them.
        value: formula of the strategy's win rate; empty if only the number is known.
        classical: the largest classical win rate; None to compute it.
        source: source of values and strategy.
        drawing: a circuit that draws the questions; None for the general one.
        path: qubits of the target from the first player to the last, `distance` steps apart.
        width: qubits of that target.
        distance: see `path`; 0 if any qubits will do.
    """

    name: str
    label: str
    rules: Rules
    strategy: Strategy
    question: Numbers | None = None
    value: str = ""
    classical: Fraction | None = None
    source: str = ""
    drawing: QuantumCircuit | None = None
    path: Numbers = ()
    width: int = 0
    distance: int = 0
    selects: ClassVar[bool] = False

    @property
    def title(self) -> str:
        """One line for lists."""
        if self.question is None:
            return f"{self.label}, questions drawn by qubits"
        return f"{self.label}, questions {_text(self.question)}"

    @property
    def reading(self) -> str:
        """Form of the labels, and the reason why no shot is left out."""
        return (
            f"{self.title}: {self.legend}. Post-selection is refused: players who may leave rounds "
            "out win without entanglement."
        )

    @property
    def legend(self) -> str:
        """Meaning of a label's numbers."""
        return "answers of all players" + ", after their questions" * (self.question is None)

    @property
    def encodings_need(self) -> str:
        """Condition under which a game has a program."""
        return f"too many to draw; ask each with --questions, or one: {self.name}:0,0"

    @property
    def counts(self) -> Mapping[str, int]:
        """Players and questions to all of them."""
        return {"players": len(self.rules.questions), "questions": len(self.rules.distribution)}

    @property
    def axes(self) -> Mapping[str, int]:
        """The same as counts."""
        return self.counts

    @property
    def bits(self) -> Numbers:
        """Number of bits of each player's answer."""
        return tuple((answers - 1).bit_length() for answers in self.rules.answers)

    @property
    def question_bits(self) -> Numbers:
        """Number of bits of each player's question."""
        return tuple((questions - 1).bit_length() for questions in self.rules.questions)

    @property
    def outcome_bits(self) -> int:
        """Number of bits of the answers, and of drawn questions."""
        return sum(self.bits) + (sum(self.question_bits) if self.question is None else 0)

    @property
    def draws(self) -> bool:
        """True if a circuit can draw the questions."""
        return max(self.rules.questions) <= MAX_DRAWN

    def fixed(self, question: Numbers) -> "NonlocalGame":
        """Return the game with a fixed question.

        Raises:
            GameError: if the referee never asks it.
        """
        if question not in self.rules.distribution:
            example = _text(next(iter(self.rules.distribution)))
            raise GameError(
                f"question = {_text(question)}: {self.label} does not ask it. Choose another, "
                f"such as {example}"
            )
        return evolve(self, question=question)

    def along(self, path: Numbers, width: int, distance: int) -> "NonlocalGame":
        """Return the game on qubits of a target; see `path`.

        Raises:
            GameError: if the strategy has another state, or this is no path.
        """
        self.check_spread()
        length = distance * (len(self.bits) - 1) + 1
        if distance < 1 or len(path) != length or len(set(path)) < length or max(path) >= width:
            raise GameError(
                f"path = {_text(path)}: give {length} different qubits below the width of {width}, "
                "and a distance of 1 or more"
            )
        return evolve(self, path=path, width=width, distance=distance)

    def check_spread(self) -> None:
        """Refuse a strategy that cannot be spread along a path.

        Raises:
            GameError: if it has not one qubit a player in the state (|0…0⟩ + |1…1⟩)/√2.
        """
        state = Statevector(self.strategy.state).data
        if set(self.strategy.qubits) != {1} or abs(state[0] + state[-1]) < sqrt(2) - SAME:
            raise GameError(
                f"{self.label}: a distance needs one qubit a player and the state |0…0⟩ + |1…1⟩; "
                "leave it out"
            )

    @property
    def shares(self) -> Mapping[Numbers, int]:
        """Relative frequency of each question, in the smallest integers."""
        chances = self.rules.distribution
        unit = lcm(*(p.denominator for p in chances.values()))
        common = gcd(*(int(p * unit) for p in chances.values()))
        return {question: int(p * unit) // common for question, p in chances.items()}

    @cached_property
    def quantum_value(self) -> float:
        """The win rate of the strategy, from its state and observables."""
        return sum(
            float(p) * win_rate(self.rules, self.strategy, self.bits, question)
            for question, p in self.rules.distribution.items()
        )

    @cached_property
    def classical_value(self) -> Fraction:
        """The largest win rate without entanglement, or a proven bound of it."""
        return self.rules.classical.proven if self.classical is None else self.classical

    def facts(self) -> Mapping[str, Fact]:
        """Return values and bounds, each with its source."""
        number = f"{self.quantum_value:.9f}"
        try:
            perfect = self.quantum_value > 1 - SAME
            no_signalling: str | None = f"{1 if perfect else self.rules.no_signalling:.9g}"
        except GameTooLargeError:
            no_signalling = None
        return {
            **self.counts,
            # The best strategy of a game of one's own is not known.
            **(
                {"quantum_value": f"{self.value} = {number}"}
                if self.value
                else {"strategy_value": number}
            ),
            "classical_value": str(self.classical_value),
            "no_signalling_bound": no_signalling,
            "source": self.source or "the file",
            **self.outcome_facts(),
        }

    @property
    def observables(self) -> Sequence[Observable]:
        """The event that all players together win."""
        if self.question is None:
            exact, bound = self.quantum_value, float(self.classical_value)
        else:
            exact, bound = win_rate(self.rules, self.strategy, self.bits, self.question), None
        return (Observable("win", Kind.EVENT, self._wins, exact=exact, bound=bound),)

    def read(self, outcome: int) -> tuple[Numbers, Numbers]:
        """Return questions and answers of an outcome."""
        values = unpacked(outcome, (*self.bits, *self.question_bits))
        players = len(self.bits)
        return self.question or values[players:], values[:players]

    def _wins(self, outcome: int) -> int:
        question, answers = self.read(outcome)
        return int(answers in self.rules.wins[question])

    def exact_distribution(self) -> Mapping[int, float]:
        """Return the probability of all questions and answers; see `Game`."""
        size = sum(self.bits)
        if self.question is not None:
            drawn = {self.question: (1.0, 0)}
        else:
            drawn = {
                question: (float(p), packed(question, self.question_bits) << size)
                for question, p in self.rules.distribution.items()
            }
        return {
            high | answers: p * float(chance)
            for question, (p, high) in drawn.items()
            for answers, chance in enumerate(self.strategy.probabilities(question, self.bits))
            if chance > ROUNDING
        }

    def most_states(self) -> int:
        """Return an upper bound of the outcomes."""
        return len(self.rules.distribution) << sum(self.bits)

    def is_legal(self, outcome: int) -> bool:
        """Return whether questions and answers exist."""
        question, answers = self.read(outcome)
        return question in self.rules.distribution and all(
            answer < most for answer, most in zip(answers, self.rules.answers, strict=True)
        )

    def describe(self, outcome: int) -> str:
        """Return the answers, after the questions if these are drawn."""
        question, answers = self.read(outcome)
        return f"{_text(question)}: {_text(answers)}" if self.question is None else _text(answers)


def _text(numbers: Numbers) -> str:
    return ",".join(map(str, numbers))
