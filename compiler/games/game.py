"""What every game offers, whatever its rules."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from fractions import Fraction
from inspect import signature

from qiskit import QuantumCircuit

from compiler.errors import GameError
from compiler.registry import Registry


class Game(ABC):
    """A frozen value: rules, what is known, and how outcomes are judged.

    An *outcome* is the integer read from the program's classical bits, bit 0 the first
    classical bit (for card games, bit `i*b + j` = bit j of the owner of card i).
    """

    name: str

    @property
    @abstractmethod
    def title(self) -> str:
        """One line for lists."""

    @property
    @abstractmethod
    def encodings(self) -> tuple[str, ...]:
        """Names of the encodings that `program` takes, the default first."""

    @abstractmethod
    def program(self, encoding: str) -> QuantumCircuit:
        """Return the operator-level circuit, with its final measurements.

        Raises:
            UnknownNameError: if `encoding` is not one of `encodings`.
        """

    def outcome_of(self, encoding: str, measured: int) -> int | None:
        """Return the outcome that a program's measured bits stand for, None if they are illegal.

        Args:
            encoding: the encoding of the program.
            measured: bit i is the program's classical bit i.
        """
        return measured if self.is_legal(measured) else None

    @abstractmethod
    def exact_distribution(self) -> Mapping[int, Fraction]:
        """Return the exact probability of every possible outcome, by enumerating the rules."""

    @abstractmethod
    def is_legal(self, outcome: int) -> bool:
        """Tell whether the rules allow `outcome` at the end of a game."""

    @abstractmethod
    def is_win(self, outcome: int) -> bool:
        """Tell whether the party whose chances are asked for wins with a legal `outcome`."""

    @abstractmethod
    def points(self, outcome: int) -> int:
        """Return the party's points in a legal `outcome`."""

    @abstractmethod
    def describe(self, outcome: int) -> str:
        """Return a short label for a legal `outcome`, for people."""

    def p_win(self) -> Fraction:
        """Return the exact probability that the party wins."""
        return sum((p for o, p in self.exact_distribution().items() if self.is_win(o)), Fraction(0))

    def expected_points(self) -> Fraction:
        """Return the exact expected points of the party."""
        return sum((p * self.points(o) for o, p in self.exact_distribution().items()), Fraction(0))

    def favourable_outcomes(self) -> frozenset[int]:
        """Return the possible outcomes with which the party wins."""
        return frozenset(o for o in self.exact_distribution() if self.is_win(o))


games: Registry[Callable[..., Game]] = Registry("game")
game = games.register


def named_game(spec: str) -> Game:
    """Return a built-in game by spec: `name`, or `name:word:…` where it takes words.

    The builder of the game gets the words as positional arguments and says what they mean, such
    as `skat-9:H10` and `skat-32:grand:known`.

    Raises:
        UnknownNameError: if there is no such game.
        GameError: if the game does not take these words.
    """
    name, *words = spec.split(":")
    build = games[name]
    try:
        signature(build).bind(*words)
    except TypeError as error:
        raise GameError(f"{spec}: {name} does not take {len(words)} words after it") from error
    return build(*words)
