"""Values of a game file, each checked and named by its key."""

from collections.abc import Mapping
from typing import Any

from compiler.errors import GameError
from games.trick_taking.rules.cards import Card
from games.trick_taking.rules.names import SEATS, card_of, seat_of


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


def seat(table: Mapping[str, Any], key: str, players: int, *, default: int | None = None) -> int:
    """Return a seat, written as a number from 0 or as its letter.

    Raises:
        GameError: naming key and value.
    """
    value = table.get(key, default)
    found = seat_of(value, players)
    if found is None:
        raise GameError(
            f"{key} = {value!r}: must be a whole number from 0 to {players - 1}, or a letter from "
            f"A to {SEATS[players - 1]}"
        )
    return found


def seats(value: object, players: int) -> tuple[int, ...]:
    """Return a list of seats, nothing if it is none: `true` and `0.0` are no seats."""
    found = [seat_of(one, players) for one in value] if isinstance(value, list) else []
    named = tuple(one for one in found if one is not None)
    return named if len(named) == len(found) else ()


def card(key: str, name: object) -> Card:
    """Return the card of that name.

    Raises:
        GameError: naming key and name.
    """
    try:
        return card_of(name)
    except GameError as error:
        raise GameError(f"{key}: {error}") from error
