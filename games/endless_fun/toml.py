"""The TOML form of a round."""

from collections.abc import Mapping
from typing import Any

from compiler.counting import counted
from compiler.errors import GameError
from games.endless_fun.game import EndlessRound
from games.endless_fun.rules.round import Round
from games.endless_fun.rules.winning import MEASUREMENTS
from games.endless_fun.words import state_text
from games.toml import game_kind

KEYS = ("dimension", "start", "rows", "measurements", "pauli")
MOST_ROWS = 1000


@game_kind("endless-fun")
def round_from_toml(name: str, table: Mapping[str, Any]) -> EndlessRound:
    """Read a round of Endless Fun.

    Keys: `start`, a digit for each qudit; `rows`, for each row of cards a text with a gate for
    each qudit, `I` where no card lies; `dimension`, 3 by default or 2; `measurements`, 100 by
    default; `pauli`, whether Y of 2D is Pauli's matrix, false by default.

    Raises:
        GameError: naming the offending key and value.
    """
    for key in table:
        if key not in KEYS:
            raise GameError(f"{key}: unknown key of an endless-fun round; known: {', '.join(KEYS)}")
    start, rows = table.get("start"), table.get("rows")
    if not isinstance(start, str):
        raise GameError(f"start = {start!r}: write a digit for each qudit, such as '0210'")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise GameError("rows: give a list of texts such as 'SWAPr X1 I H3', one a row")
    if len(rows) > MOST_ROWS:
        raise GameError(f"rows: {len(rows)} of them; give at most {MOST_ROWS}")
    dimension, pauli = table.get("dimension", 3), table.get("pauli", False)
    if type(dimension) is not int:
        raise GameError(f"dimension = {dimension!r}: must be 2 or 3")
    if not isinstance(pauli, bool):
        raise GameError(f"pauli = {pauli!r}: must be true or false")
    for number, row in enumerate(rows, start=1):
        if len(row.split()) != len(start):
            raise GameError(
                f"row {number} has {counted(len(row.split()), 'gate')}; give {len(start)}, "
                "one a qudit"
            )
    played = Round.parsed(start, " ".join(rows), dimension, pauli)
    return EndlessRound(name, played, table.get("measurements", MEASUREMENTS))


def round_as_toml(game: EndlessRound) -> str:
    """Return a round as `round_from_toml` reads it."""
    played = game.round
    rows = "".join(f'  "{" ".join(row)}",\n' for row in played.rows)
    return (
        'game = "endless-fun"\n'
        f"dimension = {played.dimension}\n"
        f'start = "{state_text(played.start)}"\n'
        f"rows = [\n{rows}]\n"
        f"measurements = {game.measurements}\n"
        f"pauli = {str(played.pauli).lower()}\n"
    )
