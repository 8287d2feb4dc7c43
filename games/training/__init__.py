"""Trainings whose circuits somebody else runs: what they ask for, and what comes of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from compiler.registry import Registry
from games.game import Game

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@frozen
class Counted:
    """What a circuit of a training has measured.

    Args:
        job: its number among the records.
        counts: shots by measured classical bits, bit i being classical bit i of the program.
        two_qubit_gates: of the circuit that was run.
    """

    job: int
    counts: Mapping[int, int]
    two_qubit_gates: int


Count = Callable[[Sequence[str]], Sequence[Counted]]
"""Runs games, each the text of a file, none of which depends on what another measures."""

Say = Callable[[str], None]


class Training(ABC):
    """How a game is trained by counts. The same counts always lead to the same next circuits."""

    @abstractmethod
    def circuits(self, game: Game, asked: Mapping[str, Any]) -> int:
        """Return how many circuits a training runs.

        Args:
            game: as it is before the training.
            asked: what is to be trained, and how, as JSON has it.

        Raises:
            InputError: if that cannot be.
        """

    @abstractmethod
    def train(self, game: Game, asked: Mapping[str, Any], count: Count, say: Say) -> dict[str, Any]:
        """Return what came of a training, as JSON has it.

        Among the rest, `p_win`, `measured`, `low` and `high` of the last step, and the text of a
        game file, `trained`.

        Args:
            game: as it is before the training.
            asked: as in `circuits`.
            count: runs circuits; whatever it raises ends the training.
            say: takes a line of progress.
        """

    @abstractmethod
    def picture(self, document: Mapping[str, Any], figure: "Figure") -> None:
        """Draw what `train` has returned on an empty figure."""


trainings: Registry[type[Training]] = Registry("training", "games")
training = trainings.register
