"""What browsers send of a form."""

from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Depends, HTTPException, Request

from compiler.errors import InputError
from games.playing.playable import Playable, playables
from service.play.matches import LONGEST_MOVE, PERSON
from service.play.schemas import MOST_SEATS, MOST_SEED

KIND = "application/x-www-form-urlencoded"
MOST_FIELDS = 200
LONGEST_FIELD = 200
LONGEST_RECORD = 200_000
LONGEST = {"move": LONGEST_MOVE, "record": LONGEST_RECORD}
"""Characters of fields in which more is written than a name."""
RULE = "rule-"
PEOPLE = 2
"""Seats that are offered to people first."""


async def form_of(request: Request) -> Mapping[str, str]:
    """Return the fields of a form by name.

    Raises:
        HTTPException: if it is none, or has too many fields, too long ones, or one twice.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != KIND:
        raise HTTPException(415, f"send a form as {KIND}")
    try:
        pairs = parse_qsl(
            (await request.body()).decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except ValueError as error:
        raise HTTPException(422, "this is no form of these pages") from error
    fields = dict(pairs)
    if len(fields) < len(pairs) or any(
        len(value) > LONGEST.get(name, LONGEST_FIELD) for name, value in fields.items()
    ):
        raise HTTPException(422, "a field of the form is there twice, or too long")
    return fields


Form = Annotated[Mapping[str, str], Depends(form_of)]


def move_of(form: Mapping[str, str]) -> tuple[str, int]:
    """Return the move that a form says, and how many came before it.

    Raises:
        InputError: if it says none.
    """
    move = form.get("move") or f"{form.get('piece', '')} {form.get('action', '')}"
    if not move.strip():
        raise InputError("choose a move")
    return move.strip(), _number(form.get("number", ""), "number")


def seats_of(form: Mapping[str, str]) -> list[str]:
    """Return who sits where.

    A form may choose another game, or another number of players, than those whose seats it shows:
    then the usual ones sit where it shows none.
    """
    kind = playables[form.get("game", "")]
    seats: list[str] = []
    while (name := form.get(f"seat-{len(seats)}")) and len(seats) < MOST_SEATS:
        seats.append(name)
    if "players" not in form:
        return seats
    players = players_of(kind, form["players"])
    shown = seats[:players] if _shows_its_game(form) else []
    return [*shown, *usual_seats(kind, players)[len(shown) :]]


def usual_seats(kind: Playable[Any], players: int) -> list[str]:
    """Return the default seats."""
    return [PERSON if seat < PEOPLE else next(iter(kind.bots)) for seat in range(players)]


def players_of(kind: Playable[Any], text: str) -> int:
    """Return the number of players that a text says, the nearest one that the game has."""
    fewest, most, usual = kind.seats
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else usual
    return min(max(number, fewest), most)


def rules_of(form: Mapping[str, str]) -> dict[str, str]:
    """Return the options of the rules by name; none, which are the usual ones, of another game."""
    if not _shows_its_game(form):
        return {}
    return {name.removeprefix(RULE): value for name, value in form.items() if name.startswith(RULE)}


def _shows_its_game(form: Mapping[str, str]) -> bool:
    game = form.get("game")
    return form.get("shown", game) == game


def record_of(form: Mapping[str, str]) -> tuple[str, bytes] | None:
    """Return the kind and content of a match to go on with; None if a new one is to be started.

    Raises:
        InputError: if it is empty.
    """
    if "record" not in form:
        return None
    if not form["record"].strip():
        raise InputError("record: paste the contents of a file, or choose one")
    return form.get("format", ""), form["record"].encode("utf-8", "surrogatepass")


def seed_of(form: Mapping[str, str]) -> int | None:
    """Return the seed; None for one that nobody knows.

    Raises:
        InputError: if it is none.
    """
    text = form.get("seed", "").strip()
    return _number(text, "seed") if text else None


def _number(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and int(text) <= MOST_SEED):
        raise InputError(f"{name} = {text[:20]!r}: must be a whole number from 0 to {MOST_SEED}")
    return int(text)
