"""The interface of all games, and the registry of named games."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from inspect import signature
from typing import ClassVar

from compiler.errors import GameError, GameTooLargeError, StateTooLargeError, UnknownNameError
from compiler.judge import Kind, Number, Observable, number_text
from compiler.registry import Registry

Fact = int | str | Mapping[str, str] | None
"""A fact of a game in lists; None for a fact that takes too long to compute."""


class Game(ABC):
    """A frozen value without qubits: the rules, the known cards or moves, and the outcomes.

    An *outcome* is an integer; the game says how to read it (for card games, bit `i*b + j` =
    bit j of the owner of card i).
    """

    name: str
    selects: ClassVar[bool] = True
    """True if shots may be post-selected on legal outcomes."""

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
    def exact_distribution(self) -> Mapping[int, Number]:
        """Return the exact probability of every possible outcome, by enumerating the rules.

        Raises:
            GameTooLargeError: if there are too many to be enumerated.
        """

    def average(self, name: str) -> Number:
        """Return the exact average of an observable, by its name.

        Raises:
            UnknownNameError: if the observable is unknown.
            GameTooLargeError: if the outcomes are too many to be enumerated.
        """
        for observable in self.observables:
            if observable.name == name:
                return observable.average(
                    {} if observable.exact is not None else self.exact_distribution()
                )
        names = ", ".join(observable.name for observable in self.observables)
        raise UnknownNameError(f"{self.name}: no observable '{name}'; known: {names}")

    def is_legal(self, outcome: int) -> bool:
        """Return whether the rules allow `outcome` at the end of a game."""
        return outcome in self.exact_distribution()

    @abstractmethod
    def describe(self, outcome: int) -> str:
        """Return a short label for a legal `outcome`, for people."""

    @property
    def reading(self) -> str:
        """Explanation of outcome labels, one or two sentences."""
        return f"{self.title}."

    @property
    def legend(self) -> str:
        """Meaning of the letters in labels, as a clause; empty if they need none."""
        return ""

    @property
    def outcome_bits(self) -> int | None:
        """Size of a register that holds an outcome in any encoding; None if there is none."""
        return None

    @property
    def assumes(self) -> str:
        """Assumed play in the exact averages, as a clause; empty if there is no assumption."""
        return ""

    @property
    def encodings_need(self) -> str:
        """Requirement of the encodings on a game, as a clause; empty if there is none."""
        return ""

    @property
    def counts(self) -> Mapping[str, int]:
        """Size figures of the game by name, as far as they are known at once."""
        return {}

    def facts(self) -> Mapping[str, Fact]:
        """Return the facts of the game, by names for people and files."""
        return {**self.counts, **self.outcome_facts()}

    def outcome_facts(self) -> Mapping[str, Fact]:
        """Return the facts that follow from the exact distribution.

        These are the average of every observable and, where there is an event, the number of
        outcomes in which the most important one happens.
        """
        events = [observable for observable in self.observables if observable.kind is Kind.EVENT]
        facts: dict[str, Fact] = {"observables": None}
        if events:
            facts["favourable_outcomes"] = None
        with suppress(GameTooLargeError):
            possible = self.exact_distribution()
            averages = {
                observable.name: number_text(self.average(observable.name))
                for observable in self.observables
            }
            facts["observables"] = averages
            if events:
                facts["favourable_outcomes"] = sum(bool(events[0].value(o)) for o in possible)
        return facts

    def most_states(self) -> int:
        """Return an upper bound of the states that `exact_distribution` goes through."""
        return 1

    @property
    def branches(self) -> int:
        """A number of branches that every state of the game at its end has at least."""
        return 1

    def examine(self, runs: Iterable[object]) -> str:
        """Check games that were played one at a time; see `compiler.judge.Judge.examine`.

        Args:
            runs: games as the encoding returns them; see `games.encoding.Encoding.history`.
        """
        raise StateTooLargeError(f"{self.name}: single games contain too little to judge them")


games: Registry[Callable[..., Game]] = Registry("game", "games")
game_files: Registry[Callable[[bytes, str], Game]] = Registry("game file", "games")
game_file = game_files.register
game = games.register


def named_game(spec: str) -> Game:
    """Return a built-in game by spec: `name`, or `name:word:…` for a game with arguments.

    The builder of the game gets the words as positional arguments, such as `skat-9:H10` and
    `skat-32:grand:known`.

    Raises:
        UnknownNameError: if there is no such game.
        GameError: if the game does not accept these words.
    """
    name, *arguments = spec.split(":")
    build = games[name]
    try:
        signature(build).bind(*arguments)
    except TypeError as error:
        raise GameError(f"{spec}: {name} does not take {len(arguments)} words after it") from error
    return build(*arguments)
