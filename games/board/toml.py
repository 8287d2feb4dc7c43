"""The TOML form of a game on a quantum board, whole or begun."""

from collections.abc import Mapping
from typing import Any

from compiler.errors import GameError
from games.board.game import BoardGame
from games.board.rules.five_in_a_row import FiveInARow
from games.board.rules.moves import Move, read_move
from games.board.rules.options import Options
from games.board.rules.points import check_size
from games.board.rules.position import MOST_GAMES, BoardRules
from games.board.rules.weiqi import Weiqi
from games.toml import game_kind

KEYS = ("size", "moves", "most_games", "options")
MOST_MOVES = 2000


@game_kind("five-in-a-row")
def five_from_toml(name: str, table: Mapping[str, Any]) -> BoardGame:
    """Read a game of Five in a Row; see `board_from_toml`."""
    return board_from_toml(name, table, FiveInARow())


@game_kind("weiqi")
def weiqi_from_toml(name: str, table: Mapping[str, Any]) -> BoardGame:
    """Read a game of Weiqi; see `board_from_toml`."""
    return board_from_toml(name, table, Weiqi())


def board_from_toml(name: str, table: Mapping[str, Any], rules: BoardRules) -> BoardGame:
    """Read a game on a quantum board.

    Keys: `moves`, black's first, such as `["S+ E5 F5", "X E6"]`; `size`, lines of the board;
    `most_games` that may be superposed on classical computers; `[options]`.

    Raises:
        GameError: naming the offending key and value.
    """
    for key in table:
        if key not in KEYS:
            raise GameError(f"{key}: unknown key of {rules.name}; known: {', '.join(KEYS)}")
    options = table.get("options", {})
    if not isinstance(options, Mapping):
        raise GameError(f"options = {options!r}: write a table such as [options]")
    size = check_size(table.get("size", rules.usual_size))
    return BoardGame(
        name=name,
        rules=rules,
        size=size,
        moves=tuple(_moves(table.get("moves"), size, rules)),
        options=Options.from_names(options),
        most_games=table.get("most_games", MOST_GAMES),
    )


def _moves(moves: object, size: int, rules: BoardRules) -> list[Move]:
    if not isinstance(moves, list) or not 1 <= len(moves) <= MOST_MOVES:
        raise GameError(f"moves: give a list of 1 to {MOST_MOVES} moves, such as ['S+ E5 F5']")
    found = []
    for number, move in enumerate(moves, start=1):
        if not isinstance(move, str):
            raise GameError(f"move {number}: {str(move)[:40]!r} is no text such as 'S+ E5 F5'")
        try:
            found.append(read_move(move, size, passing=rules.passing))
        except GameError as error:
            raise GameError(f"move {number}: {error}") from error
    return found


def board_toml(game: BoardGame) -> str:
    """Return a game as `board_from_toml` reads it."""
    moves = [f'    "{move.written(game.size)}",' for move in game.moves]
    limit = [] if game.most_games == MOST_GAMES else [f"most_games = {game.most_games}"]
    changed = [f'{name} = "{value}"' for name, value in game.options.changed().items()]
    lines = [
        f'game = "{game.rules.name}"',
        f"size = {game.size}",
        *limit,
        "moves = [",
        *moves,
        "]",
        *(["", "[options]"] if changed else []),
        *changed,
    ]
    return "\n".join(lines) + "\n"
