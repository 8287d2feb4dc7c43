"""What an encoding is: how a game's state lies on qubits."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from qiskit import QuantumCircuit

from compiler.registry import Registry

if TYPE_CHECKING:
    from compiler.games.trick_taking import TrickTakingGame


class Encoding(ABC):
    """The registers of a game's state, and for each of its operators the gate that acts on them.

    All encodings of a game give the same distribution of outcomes.
    """

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


encodings: Registry[Encoding] = Registry("encoding")

E = TypeVar("E", bound=type[Encoding])


def encoding(name: str) -> Callable[[E], E]:
    """Return a decorator that files an encoding under `name`."""
    file = encodings.register(name)

    def decorate(kind: E) -> E:
        file(kind())
        return kind

    return decorate
