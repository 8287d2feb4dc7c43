"""A best response of one seat as somebody else's circuits train it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from compiler.errors import InputError
from games.game import Game
from games.training import Count, Say, Training, training
from games.trick_taking.training.on_backends import picture as pictures
from games.trick_taking.training.on_backends.answer import Measured, document
from games.trick_taking.training.on_backends.learning import (
    Backend,
    circuits_of,
    learn_exactly,
    learn_on,
)
from games.trick_taking.training.value import where_it_matters
from games.trick_taking.weighted.game import WeightedGame, start_of
from games.trick_taking.weighted.layout import Layout, layout_of
from games.trick_taking.weighted.toml import weighted_toml

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CARD_PLAYS = "card-plays"


@training(CARD_PLAYS)
class CardPlays(Training):
    """Weights of card plays, from the game's own: asks for `seat`, `steps`, `backend`, `seed`."""

    def circuits(self, game: Game, asked: Mapping[str, Any]) -> int:
        """Return the looks at P(win), and two circuits for each bit that the seat chooses."""
        return circuits_of(_layout(game), asked["seat"], asked["steps"])

    def train(self, game: Game, asked: Mapping[str, Any], count: Count, say: Say) -> dict[str, Any]:
        """Return what `stichwerk train --json` tells, with exact gradients beside measured ones."""
        layout, seat, steps, shots = _layout(game), asked["seat"], asked["steps"], asked["shots"]
        start = start_of(game)
        machine = Backend(layout, asked["backend"], shots, count, say)
        learned = [
            learn_exactly(layout, seat, steps, start),
            learn_on(machine, seat, steps, start),
        ]
        found, last = learned[-1], learned[-1].last
        low, high = found.interval(last)
        chances = where_it_matters(layout.tree, last.chances, seat)
        return {
            **document(Measured(layout.tree, seat, steps, shots, asked["seed"], learned, start)),
            **{"measured": last.measured, "low": low, "high": high},
            "trained": weighted_toml(layout.tree, chances),
        }

    def picture(self, document: Mapping[str, Any], figure: "Figure") -> None:
        """Draw P(win) step by step, exact and measured."""
        pictures.picture(document, figure)


def _layout(game: Game) -> Layout:
    if not isinstance(game, WeightedGame):
        raise InputError(f"{game.name}: no game whose cards have weights")
    return layout_of(game.tree)
