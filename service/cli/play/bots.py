"""Which bots and rules a command line names."""

from collections.abc import Sequence
from typing import Any

from compiler.errors import InputError, UnknownNameError
from games.playing.playable import Playable


def bot_names(game: str, kind: Playable[Any], text: str) -> tuple[str, ...]:
    """Return the names in a list such as `greedy,expectation`.

    Raises:
        UnknownNameError: if the game has no such bot.
    """
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in kind.bots:
            raise UnknownNameError(f"{game} has no bot '{name}'; known: {', '.join(kind.bots)}")
    return names


def chosen_rules(rules: Sequence[str]) -> dict[str, str]:
    """Return options by name from words such as `fillers=no`.

    Raises:
        InputError: if a word is none of them.
    """
    result = {}
    for rule in rules:
        name, equals, value = rule.partition("=")
        if not equals or name in result:
            raise InputError(f"rule '{rule}': write each one once, as name=value")
        result[name] = value
    return result
