"""The TOML form of a round, whole or begun."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from compiler.errors import GameError, naming
from games.options import whole_number
from games.six_nimmt.game import POINTS, SixNimmtRound
from games.six_nimmt.rules.cards import (
    FEWEST_PLAYERS,
    HAND,
    MAX_PLAYERS,
    ROWS,
    Choice,
    Options,
    checked_deck,
    shuffled_deck,
)
from games.toml import checked_options, game_kind, toml_text

KEYS = ("players", "deck", "seed", "turns", "prompts", "points", "options")
MAX_PROMPTS = HAND * MAX_PLAYERS
FRACTION = re.compile(r"-?[0-9]{1,18}(/[1-9][0-9]{0,17})?")


@game_kind("six-nimmt")
def round_from_toml(name: str, table: Mapping[str, Any]) -> SixNimmtRound:
    """Read a round of Quantum 6 Nimmt!.

    Keys: `players`; `deck` (all cards as they are dealt) or `seed` (a whole number that shuffles
    them); `turns`, for each turn a list of everybody's choice by seat, such as `"53 H"`;
    `prompts`, the rows that players choose when they are asked; `points` (everybody's before the
    round, 66 by default); `[options]`.

    Raises:
        GameError: naming the offending key and value.
    """
    options = checked_options(table, KEYS, "a six-nimmt round")
    players = whole_number("players", table.get("players"), FEWEST_PLAYERS, MAX_PLAYERS)
    result = SixNimmtRound(
        name=name,
        players=players,
        deck=_deck(table),
        turns=_turns(table.get("turns")),
        prompts=_prompts(table.get("prompts", [])),
        options=Options.from_names(options),
        start=_points(table.get("points", [POINTS] * players), players),
    )
    if not result.takings:
        raise GameError("turns: no row is taken, so that nothing is measured; add further turns")
    return result


def _deck(table: Mapping[str, Any]) -> tuple[int, ...]:
    if ("deck" in table) == ("seed" in table):
        raise GameError("deck: give either a deck of all cards, or a seed that shuffles them")
    if "deck" in table:
        return checked_deck(table["deck"])
    seed = table["seed"]
    if type(seed) is not int or seed < 0:
        raise GameError(f"seed = {seed!r}: must be a whole number from 0 on")
    return shuffled_deck(seed, 0)


def _turns(turns: object) -> tuple[tuple[Choice, ...], ...]:
    if not isinstance(turns, list) or not 1 <= len(turns) <= HAND:
        raise GameError(f"turns: give a list of 1 to {HAND} turns, each a list of choices by seat")
    turns_ = []
    for number, choices in enumerate(turns):
        with naming(f"turn {number}"):
            if not isinstance(choices, list):
                raise GameError(
                    f'{choices!r} is no list; write everybody\'s choice, such as ["53 H", "20"]'
                )
            turns_.append(tuple(map(Choice.parse, choices)))
    return tuple(turns_)


def _prompts(rows: object) -> tuple[int, ...]:
    if not isinstance(rows, list) or len(rows) > MAX_PROMPTS:
        raise GameError(f"prompts = {rows!r}: give a list of rows from 0 to {ROWS - 1}")
    return tuple(whole_number("prompts", row, 0, ROWS - 1) for row in rows)


def _points(points: object, players: int) -> tuple[Fraction, ...]:
    if not isinstance(points, list) or len(points) != players:
        raise GameError(f"points = {points!r}: give a list of {players} numbers")
    return tuple(_number(number) for number in points)


def _number(number: object) -> Fraction:
    if type(number) is int or (isinstance(number, str) and FRACTION.fullmatch(number)):
        return Fraction(number)
    raise GameError(f"points: {number!r}: write a whole number, or a fraction such as '61/2'")


def round_as_toml(game: SixNimmtRound) -> str:
    """Return a round as the document that `round_from_toml` reads."""
    return toml_text(
        "six-nimmt",
        {
            "players": game.players,
            "deck": list(game.deck),
            "turns": [list(map(str, choices)) for choices in game.turns],
            "prompts": list(game.prompts),
            "points": [
                int(points) if points.denominator == 1 else str(points) for points in game.start
            ],
            "options": game.options.changed(),
        },
    )
