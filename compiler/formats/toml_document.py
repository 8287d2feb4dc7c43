"""TOML of users, with bounds."""

import tomllib
from collections.abc import Callable, Iterator
from typing import Any

from compiler.errors import InputError

MAX_NESTING = 32
MAX_DOTS = 200
"""In one line: the parser takes time quadratic in the parts of a key."""
LONGEST_NUMBER = 400
LARGEST_INTEGER = 2**63
"""Limit of integers of either sign, by TOML's definition."""


class TomlError(InputError):
    """A text is no TOML document, or none that is taken."""


def toml_document(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Parse a document.

    Args:
        text: the document.
        parse_float: returns the value of a number with a fraction or an exponent.

    Raises:
        TomlError: with the fault; the caller adds the name of the document.
    """
    for place, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > MAX_DOTS:
            raise TomlError(f"more than {MAX_DOTS} dots in line {place}")

    def fraction(digits: str) -> Any:
        if len(digits) > LONGEST_NUMBER:
            raise TomlError(f"a number of {len(digits)} digits is too large")
        try:
            return parse_float(digits)
        except ArithmeticError as error:
            raise TomlError(f"{digits}: too large a number") from error

    try:
        document = tomllib.loads(text, parse_float=fraction)
    except RecursionError as error:
        raise TomlError(f"nested deeper than {MAX_NESTING} levels") from error
    except tomllib.TOMLDecodeError as error:
        raise TomlError(str(error)) from error
    except ValueError as error:
        # Python converts no decimal number of thousands of digits.
        raise TomlError("a number has too many digits") from error
    for value, depth in _values(document):
        _check(value, depth)
    return document


def _values(document: dict[str, Any]) -> Iterator[tuple[object, int]]:
    """Yield every key and value with how deep it lies, without recursion."""
    waiting: list[tuple[object, int]] = [(document, 0)]
    while waiting:
        value, depth = waiting.pop()
        yield value, depth
        if isinstance(value, dict):
            waiting += [(item, depth + 1) for pair in value.items() for item in pair]
        elif isinstance(value, list):
            waiting += [(item, depth + 1) for item in value]


def _check(value: object, depth: int) -> None:
    if depth > MAX_NESTING:
        raise TomlError(f"nested deeper than {MAX_NESTING} levels")
    if isinstance(value, int) and not -LARGEST_INTEGER <= value < LARGEST_INTEGER:
        raise TomlError("an integer needs more than 64 bits")
    if isinstance(value, str) and "\0" in value:
        raise TomlError(f"{value[:40]!r}: holds the character NUL")
