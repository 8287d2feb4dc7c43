"""Games written as JSON, in TOML: the one language that games are kept in."""

import json
from collections.abc import Mapping
from typing import Any

from compiler.errors import GameError
from service.api.strict_json import strict_json
from workers.untrusted_programs.text_checks import MOST_NESTING


def toml_text(game: str | Mapping[str, Any]) -> str:
    """Return a JSON object, or its text, as a TOML document.

    Raises:
        GameError: if it is none, or holds null or more levels than a game needs.
    """
    try:
        table = strict_json(game.encode()) if isinstance(game, str) else game
    except ValueError as error:
        raise GameError(f"game: not a JSON object: {error}") from error
    return "".join(f"{_text(key)} = {_value(value, 1)}\n" for key, value in table.items())


def _value(value: object, depth: int) -> str:
    if depth > MOST_NESTING:
        raise GameError(f"game: nested deeper than {MOST_NESTING} levels")
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return _text(value)
        case Mapping():
            pairs = (f"{_text(key)} = {_value(one, depth + 1)}" for key, one in value.items())
            return "{" + ", ".join(pairs) + "}"
        case list():
            return "[" + ", ".join(_value(one, depth + 1) for one in value) + "]"
    raise GameError("game: null has no meaning in a game; leave the key out")


def _text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise GameError("game: holds half of a surrogate pair, which is no text") from error
    # Its escapes are TOML's too, as long as other characters are not escaped.
    return json.dumps(value, ensure_ascii=False)
