"""Rounds that have a name."""

from collections.abc import Mapping
from typing import Literal

from compiler.errors import GameError, UnknownNameError
from games.endless_fun.game import EndlessRound
from games.endless_fun.rules.round import Round
from games.game import game, named_game

PAPER = Round.parsed("0210", "SWAPr X1 I H3 Z2 I I CNOTl I I I Y1")
"""The first round that the instructions work out: four players, three cards each."""

Which = Literal["paper", "pair", "three", "qubits"]

ROUNDS: Mapping[str, Round] = {
    "paper": PAPER,
    "pair": Round.parsed("00", "H3 I CNOTr I"),
    "three": Round.parsed("000", "H1 H2 H3 CNOTr SWAPr I Y1 Z2 Y2 H2 H1 CNOTl"),
    "qubits": Round.parsed("000", "H1 I I CNOTr CNOTr I", 2),
}


@game("endless-fun")
def endless_fun(which: Which = "paper") -> EndlessRound:
    """Return a round.

    Args:
        which: `endless-fun:paper` is the example of the instructions, `endless-fun:pair` two
            qutrits with equal values, `endless-fun:three` three cards of each kind of gate on
            three qutrits, `endless-fun:qubits` three qubits with equal values.

    Raises:
        UnknownNameError: if no round is called so.
    """
    if which not in ROUNDS:
        raise UnknownNameError(f"endless-fun has no round '{which}'; known: {', '.join(ROUNDS)}")
    return EndlessRound(f"endless-fun:{which}", ROUNDS[which])


def round_named(name: str) -> EndlessRound:
    """Return a round of Endless Fun by its name.

    Raises:
        GameError: if the name is that of another game.
    """
    game = named_game(name)
    if not isinstance(game, EndlessRound):
        raise GameError(f"{name} is no round of Endless Fun; see stichwerk games")
    return game
