"""Trainings whose circuits run on backends."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from compiler.registry import Registry
from games.game import Game

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@frozen
class CircuitRun:
    """Result of a game that was compiled and run on a backend.

    Args:
        job: its number among the records.
        counts: shots by measured classical bits, bit i being classical bit i of the program.
        two_qubit_gates: of the circuit that was run.
        observables: name → `measured`, `low`, `high`, `exact`, if the run was scored.
    """

    job: int
    counts: Mapping[int, int]
    two_qubit_gates: int
    observables: Mapping[str, Mapping[str, Any]] = {}


RunGames = Callable[[Sequence[str]], Sequence[CircuitRun]]
"""Runs independent games, each the text of a game file."""

Say = Callable[[str], None]


class Training(ABC):
    """Training of a game by counts. The same counts always lead to the same next circuits."""

    @abstractmethod
    def circuits(self, game: Game, request: Mapping[str, Any]) -> int:
        """Return the number of circuits that a training runs.

        Args:
            game: before the training.
            request: options of the training, as JSON has them.

        Raises:
            InputError: if the game cannot be trained so.
        """

    @abstractmethod
    def train(
        self, game: Game, request: Mapping[str, Any], run: RunGames, say: Say
    ) -> dict[str, Any]:
        """Train a game, and return the result as JSON has it.

        It has, among others, `p_win`, `measured`, `low` and `high` of the last step, and the text
        of a game file, `trained`.

        Args:
            game: before the training.
            request: as in `circuits`.
            run: runs circuits; whatever it raises ends the training.
            say: takes a line of progress.
        """

    @abstractmethod
    def picture(self, document: Mapping[str, Any], figure: "Figure") -> None:
        """Draw the result of `train` on an empty figure."""


trainings: Registry[type[Training]] = Registry("training", "games")
training = trainings.register
