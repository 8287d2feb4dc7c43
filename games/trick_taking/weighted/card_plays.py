"""Training of the weights of card plays by circuits that workers run."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from compiler.errors import InputError
from games.game import Game
from games.training import RunGames, Say, Training, training
from games.trick_taking.training.backend_learning import Backend, circuit_count
from games.trick_taking.training.document import TrainingDocument
from games.trick_taking.training.learning import BEST_RESPONSE, Task
from games.trick_taking.training.picture import measured_picture
from games.trick_taking.training.result import train_on_backends, training_document
from games.trick_taking.weighted.encoding import Layout, layout_of
from games.trick_taking.weighted.game import WeightedGame, start_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CARD_PLAYS = "card-plays"


@training(CARD_PLAYS)
class CardPlays(Training):
    """Weights of card plays, from the game's own.

    A request has `objective`, by default a best response, `seat`, `steps`, `shots`, `backend` and
    `seed`.
    """

    def circuits(self, game: Game, request: Mapping[str, Any]) -> int:
        """Return the looks at P(win), and two circuits for each bit that is chosen."""
        return circuit_count(_layout(game), _task(game, request))

    def train(
        self, game: Game, request: Mapping[str, Any], run: RunGames, say: Say
    ) -> dict[str, Any]:
        """Return a `TrainingDocument`, with exact gradients beside measured ones."""
        layout = _layout(game)
        backend = Backend(layout, request["backend"], request["shots"], run, say)
        found = train_on_backends(layout, _task(game, request), [backend], request["seed"])
        return training_document(found, by_workers=True).model_dump(mode="json")

    def picture(self, document: Mapping[str, Any], figure: "Figure") -> None:
        """Draw P(win) step by step, exact and measured."""
        measured_picture(TrainingDocument.model_validate(document), figure)


def _task(game: Game, request: Mapping[str, Any]) -> Task:
    objective = str(request.get("objective", BEST_RESPONSE))
    return Task(objective, request["seat"], request["steps"], start_of(game))


def _layout(game: Game) -> Layout:
    if not isinstance(game, WeightedGame):
        raise InputError(f"{game.name}: no game whose cards have weights")
    return layout_of(game.tree)
