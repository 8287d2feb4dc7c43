"""What every game offers, whatever its rules, and the games that have a name."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from inspect import signature

from compiler.errors import GameError, StateTooLargeError, UnknownNameError
from compiler.judge import Number, Observable
from compiler.registry import Registry


class Game(ABC):
    """A frozen value without a qubit: rules, what is known, and what outcomes mean.

    An *outcome* is an integer; the game says how to read it (for card games, bit `i*b + j` =
    bit j of the owner of card i).
    """

    name: str

    @property
    @abstractmethod
    def title(self) -> str:
        """One line for lists."""

    @property
    def axes(self) -> Mapping[str, int]:
        """The game's size, by the name of each dimension, such as cards and players."""
        return {}

    @property
    @abstractmethod
    def observables(self) -> Sequence[Observable]:
        """The quantities that legal outcomes have, the most important first."""

    @abstractmethod
    def exact_distribution(self) -> Mapping[int, Fraction]:
        """Return the exact probability of every possible outcome, by enumerating the rules.

        Raises:
            GameTooLargeError: if there are too many to be enumerated.
        """

    def average(self, name: str) -> Number:
        """Return the exact average of an observable, by its name.

        Raises:
            UnknownNameError: if there is no such observable.
            GameTooLargeError: if the outcomes are too many to be enumerated.
        """
        for one in self.observables:
            if one.name == name:
                return one.average({} if one.exact is not None else self.exact_distribution())
        known = ", ".join(one.name for one in self.observables)
        raise UnknownNameError(f"{self.name}: no observable '{name}'; known: {known}")

    @abstractmethod
    def is_legal(self, outcome: int) -> bool:
        """Tell whether the rules allow `outcome` at the end of a game."""

    @abstractmethod
    def describe(self, outcome: int) -> str:
        """Return a short label for a legal `outcome`, for people."""

    @property
    def reading(self) -> str:
        """How people read the labels of outcomes, a sentence or two."""
        return f"{self.title}."

    @property
    def branches(self) -> int:
        """A number of branches that every state of the game at its end has at least."""
        return 1

    def examine(self, runs: Iterable[object]) -> str:
        """Check games that were played one at a time; see `compiler.judge.Judge.examine`.

        Args:
            runs: games as the encoding tells them; see `games.encoding.Encoding.history`.
        """
        raise StateTooLargeError(f"single games of {self.name} tell too little to judge them")


games: Registry[Callable[..., Game]] = Registry("game", "games")
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
