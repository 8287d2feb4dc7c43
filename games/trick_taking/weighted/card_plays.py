"""A best response of one seat, or an equilibrium, as somebody else's circuits train it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from compiler.errors import InputError
from games.game import Game
from games.training import Count, Say, Training, training
from games.trick_taking.training.on_backends import picture as pictures
from games.trick_taking.training.on_backends.answer import Measured, document
from games.trick_taking.training.on_backends.backend import Backend
from games.trick_taking.training.on_backends.learning import (
    circuits_of,
    learn_exactly,
    learn_on,
)
from games.trick_taking.training.on_backends.wanted import Wanted
from games.trick_taking.training.result import BEST_RESPONSE, to_save
from games.trick_taking.weighted.game import WeightedGame, start_of
from games.trick_taking.weighted.layout import Layout, layout_of
from games.trick_taking.weighted.toml import weighted_toml

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CARD_PLAYS = "card-plays"


@training(CARD_PLAYS)
class CardPlays(Training):
    """Weights of card plays, from the game's own.

    Asks for `objective`, a best response if it is not said, `seat`, `steps`, `shots`, `backend`
    and `seed`.
    """

    def circuits(self, game: Game, asked: Mapping[str, Any]) -> int:
        """Return the looks at P(win), and two circuits for each bit that is chosen."""
        return circuits_of(_layout(game), _wanted(game, asked))

    def train(self, game: Game, asked: Mapping[str, Any], count: Count, say: Say) -> dict[str, Any]:
        """Return what `stichwerk train --json` tells, with exact gradients beside measured ones."""
        layout, wanted = _layout(game), _wanted(game, asked)
        machine = Backend(layout, asked["backend"], asked["shots"], count, say)
        learned = [learn_exactly(layout, wanted), learn_on(machine, wanted)]
        found, last = learned[-1], learned[-1].last
        low, high = found.interval(last)
        chances = to_save(layout.tree, wanted.objective, wanted.seat, last.chances)
        measured = Measured(layout.tree, wanted, asked["shots"], asked["seed"], learned)
        return {
            **document(measured),
            **{"measured": last.measured, "low": low, "high": high},
            "trained": weighted_toml(layout.tree, chances),
        }

    def picture(self, document: Mapping[str, Any], figure: "Figure") -> None:
        """Draw P(win) step by step, exact and measured."""
        pictures.picture(document, figure)


def _wanted(game: Game, asked: Mapping[str, Any]) -> Wanted:
    objective = str(asked.get("objective", BEST_RESPONSE))
    return Wanted(objective, asked["seat"], asked["steps"], start_of(game))


def _layout(game: Game) -> Layout:
    if not isinstance(game, WeightedGame):
        raise InputError(f"{game.name}: no game whose cards have weights")
    return layout_of(game.tree)
