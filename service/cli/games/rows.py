"""Rows of the list of built-in games."""

from inspect import Parameter, signature
from typing import get_args

from games import Game, encoded, encodings, encodings_of, games, named_game
from service.results.catalog import GameRow

QUICK = 100_000
"""States up to which a list enumerates a game without being asked for it."""


def rows() -> list[GameRow]:
    """Return a row for each game, whose programs are built to see how wide they are.

    Those that would be simulated for it are left to `stichwerk games GAME`.
    """
    return [_row(name, named_game(name)) for name in games]


def _row(name: str, game: Game) -> GameRow:
    return GameRow.from_objects(
        game,
        game=name + _words(name),
        size=game.counts,
        observables=game.outcome_facts()["observables"] if game.most_states() <= QUICK else None,
        qubits={
            one: None if encodings[one].simulated(game) else encoded(game, one).circuit.num_qubits
            for one in encodings_of(game)
        },
    )


def _words(name: str) -> str:
    """Return what may follow a game's name, as its builder's parameters say."""
    return "".join(
        f"[:{'|'.join(get_args(p.annotation)) or p.name}]"
        + "…" * (p.kind is Parameter.VAR_POSITIONAL)
        for p in signature(games[name]).parameters.values()
    )
