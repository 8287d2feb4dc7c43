"""Values of a game file, each checked and named by its key."""

from collections.abc import Mapping
from typing import Any

from compiler.errors import GameError
from games.trick_taking.rules.cards import Card


def integer(
    table: Mapping[str, Any],
    key: str,
    low: int,
    high: int,
    *,
    default: int | None = None,
    prefix: str = "",
) -> int:
    """Return a whole number.

    Args:
        table: where to look it up.
        key: its key.
        low: smallest allowed value.
        high: largest allowed value.
        default: the value where the key is missing; None if it must be there.
        prefix: what to write before the key in messages.

    Raises:
        GameError: naming key and value.
    """
    value = table.get(key, default)
    if value is None:
        raise GameError(f"{prefix}{key}: missing; give a whole number from {low} to {high}")
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise GameError(f"{prefix}{key} = {value!r}: must be a whole number from {low} to {high}")
    return value


def seats(value: object, players: int) -> tuple[int, ...]:
    """Return a list of seats, nothing if it is none: `true` and `0.0` are no seats."""
    if not isinstance(value, list) or not all(type(s) is int and 0 <= s < players for s in value):
        return ()
    return tuple(value)


def card(key: str, name: object) -> Card:
    """Return the card of that name.

    Raises:
        GameError: naming key and name.
    """
    try:
        return Card.parse(name)
    except GameError as error:
        raise GameError(f"{key}: {error}") from error
