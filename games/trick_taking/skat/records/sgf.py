"""The server's dialect of SGF: properties with digits in their names, which SGF does not have."""

from collections.abc import Iterator, Mapping
from re import DOTALL, compile

from games.trick_taking.skat.records.record import RecordError

PROPERTY = compile(r"([A-Z][A-Z0-9]*)\[((?:\\.|[^\]\\])*)\]", DOTALL)
SHOWN = 20


def read_properties(text: str) -> Iterator[Mapping[str, str]]:
    """Return the properties of one game after the other, each `(;NAME[value]… ;)`.

    Raises:
        RecordError: naming the game, and the line and what stands there.
    """
    place, number = _after_blanks(text, 0), 0
    while place < len(text):
        number += 1
        if text[place] != "(":
            raise _error(text, place, number, "must begin with '(;'")
        found: dict[str, str] = {}
        place += 1
        while True:
            place = _after_blanks(text, place)
            if text[place : place + 1] == ")":
                break
            if (read := PROPERTY.match(text, place)) is None:
                raise _error(text, place, number, "must be a property NAME[value], or ')'")
            if read[1] in found:
                raise _error(text, place, number, f"{read[1]} stands there twice")
            found[read[1]] = read[2]
            place = read.end()
        yield found
        place = _after_blanks(text, place + 1)


def _after_blanks(text: str, place: int) -> int:
    """Return the place of the next character that is neither blank nor the start of a node."""
    while place < len(text) and (text[place].isspace() or text[place] == ";"):
        place += 1
    return place


def _error(text: str, place: int, number: int, reason: str) -> RecordError:
    line = text.count("\n", 0, place) + 1
    shown = text[place : place + SHOWN].split("\n", maxsplit=1)[0] or "the end"
    return RecordError(f"game {number}, line {line}, at '{shown}': {reason}")
