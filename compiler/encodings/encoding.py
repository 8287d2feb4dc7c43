"""What an encoding is: how a game's state lies on qubits."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.errors import VerificationError
from compiler.registry import Registry

if TYPE_CHECKING:
    from compiler.games.trick_taking import TrickTakingGame


@frozen
class Played:
    """A game that was measured and is legal move by move.

    Args:
        deal: owner of every card before the first open play.
        plays: cards in the order they were played, as places in the deck.
        owners: final owner of every card.
    """

    deal: tuple[int, ...]
    plays: tuple[int, ...]
    owners: tuple[int, ...]


class Encoding(ABC):
    """The registers of a game's state, and for each of its operators the gate that acts on them.

    All encodings of a game give the same distribution of outcomes.

    Attributes:
        judges: whether `outcome` returns legal outcomes only. An encoding that measures the
            outcome itself leaves it to the rules what is legal.
    """

    judges: bool = False

    @abstractmethod
    def supports(self, game: "TrickTakingGame") -> bool:
        """Tell whether a game can be encoded so."""

    @abstractmethod
    def program(self, game: "TrickTakingGame") -> QuantumCircuit:
        """Return the game's operators on named registers, with the final measurements."""

    def outcome(self, game: "TrickTakingGame", measured: int) -> int | None:
        """Return the game's outcome that measured classical bits stand for.

        Args:
            game: the game that was played.
            measured: bit i is classical bit i of the program.

        Returns:
            The outcome, or None where no play of the game ends with these bits.
        """
        return measured


class HistoryEncoding(Encoding):
    """An encoding whose measured bits tell how the game went.

    Barriers lie where all qubits could be measured without changing any outcome.
    """

    judges = True

    @abstractmethod
    def played(self, game: "TrickTakingGame", measured: int) -> Played:
        """Return the game that measured classical bits tell, once the rules have judged it.

        Raises:
            VerificationError: naming the first thing that is illegal.
        """

    def outcome(self, game: "TrickTakingGame", measured: int) -> int | None:
        """Return the outcome of the game that was played; see `Encoding`."""
        try:
            return game.outcome(self.played(game, measured).owners)
        except VerificationError:
            return None


encodings: Registry[Encoding] = Registry("encoding")

PREFERRED = ("lists", "lists-win", "lean", "paper")
"""The encodings that are best known first; others follow as they are registered."""

SMALL = 9
"""Cards up to which the papers' own encoding is a game's default, where it has one."""


def encodings_of(game: "TrickTakingGame") -> tuple[str, ...]:
    """Return the names of the encodings that support a game, its default first."""
    ranks = {name: rank for rank, name in enumerate(PREFERRED)}
    if len(game.deck) <= SMALL:
        ranks["paper"] = -1
    found = [name for name, how in encodings.items() if how.supports(game)]
    return tuple(sorted(found, key=lambda name: ranks.get(name, len(ranks))))


E = TypeVar("E", bound=type[Encoding])


def encoding(name: str) -> Callable[[E], E]:
    """Return a decorator that files an encoding under `name`."""
    file = encodings.register(name)

    def decorate(kind: E) -> E:
        file(kind())
        return kind

    return decorate
