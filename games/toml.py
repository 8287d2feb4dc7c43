"""Games from TOML files, and as TOML files."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from compiler.errors import GameError, InputError, UnknownNameError
from compiler.formats.key_lines import placed
from compiler.formats.toml_document import TomlError, toml_document
from compiler.registry import Registry
from games.game import Game

game_kinds: Registry[Callable[[str, Mapping[str, Any]], Game]] = Registry("kind of game", "games")
game_kind = game_kinds.register


def game_from_toml(text: str, name: str) -> Game:
    """Read a game from a TOML document.

    Args:
        text: the document; its key `game` is the kind of the game.
        name: name of the game.

    Raises:
        GameError: naming the invalid line, key and value.
    """
    try:
        table = toml_document(text)
    except TomlError as error:
        raise GameError(placed(name, text, f"not a TOML document: {error}")) from error
    kind = table.pop("game", None)
    try:
        if not isinstance(kind, str):
            wrong = "'game' is missing" if kind is None else f"game = {kind!r}"
            raise GameError(f"{wrong}: say which kind, one of {', '.join(game_kinds)}")
        return game_kinds[kind](name, table)
    except UnknownNameError as error:
        raise GameError(placed(name, text, f"game = {kind!r}: {error}")) from error
    except InputError as error:
        raise GameError(placed(name, text, str(error))) from error


def checked_options(
    table: Mapping[str, Any], keys: Sequence[str], described: str
) -> Mapping[str, Any]:
    """Return the table `options` of a document, empty if it has none.

    Args:
        table: the document.
        keys: its valid keys.
        described: name of the document in messages.

    Raises:
        GameError: naming an unknown key, or if `options` is no table.
    """
    for key in table:
        if key not in keys:
            raise GameError(f"{key}: unknown key of {described}; known: {', '.join(keys)}")
    options = table.get("options", {})
    if not isinstance(options, Mapping):
        raise GameError(f"options = {options!r}: write a table such as [options]")
    return options


WIDEST = 90
"""Characters of a list that is written on one line."""


def toml_text(kind: str, table: Mapping[str, object]) -> str:
    """Return a game's document: its values, then its tables.

    Args:
        kind: kind of the game.
        table: strings, numbers, and lists and tables of such by key; empty tables are left out.
    """
    tables = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    values = {key: value for key, value in table.items() if key not in tables}
    lines = toml_lines({"game": kind, **values})
    for name, rows in tables.items():
        lines += ["", f"[{name}]", *toml_lines(rows)] if rows else []
    return "\n".join([*lines, ""])


def toml_lines(values: Mapping[str, object]) -> list[str]:
    """Return the lines `key = value`; tables among the values are written inline."""
    return [f"{key} = {_written(value)}" for key, value in values.items()]


def _written(value: object) -> str:
    if isinstance(value, Mapping):
        entries = (f"{json.dumps(key)} = {_written(item)}" for key, item in value.items())
        return f"{{ {', '.join(entries)} }}"
    text = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, list) or len(text) <= WIDEST or isinstance(value[0], int):
        return text
    return "".join(["[\n", *(f"    {json.dumps(item)},\n" for item in value), "]"])
