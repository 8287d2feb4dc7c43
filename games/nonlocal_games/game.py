"""A nonlocal game with a strategy: one question, or questions drawn by qubits."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm, sqrt
from typing import ClassVar

from attrs import evolve, frozen
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from compiler.circuits.tolerances import ROUNDING, SAME
from compiler.errors import GameError, GameTooLargeError
from compiler.judge import Kind, Observable
from games.game import Fact, Game
from games.nonlocal_games.rules import Numbers, Rules
from games.nonlocal_games.strategy import Strategy, packed, unpacked, win_rate

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
