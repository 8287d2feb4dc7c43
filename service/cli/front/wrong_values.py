"""What is wrong with the value of an option, in our words instead of those of the parser."""

import re
from typing import TYPE_CHECKING

from typer.exceptions import TyperException

from compiler.near_misses import meant

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

CHOICES = re.compile(r"is not one of (?P<known>'.*')")
CHOICE = re.compile(r"'([^']*)'")


def told_value(error: TyperException) -> str:
    """Return what the parser says of a command line; of a value that it refuses, in our words."""
    # Commands that are called right need nothing of it.
    from pydantic_core import ValidationError

    told = error.format_message()
    if not isinstance(error.__cause__, ValidationError):
        return told
    first = error.__cause__.errors()[0]
    # The parser's own sentence ends with the words of the check.
    return told.replace(first["msg"], _words(first))


def _words(first: "ErrorDetails") -> str:
    given, bounds = str(first["input"]), first.get("ctx", {})
    match first["type"]:
        case "int_parsing":
            return f"'{given}' is not a whole number"
        case "float_parsing":
            return f"'{given}' is not a number"
        case "greater_than_equal":
            return f"{given} is less than {bounds['ge']}"
        case "less_than_equal":
            return f"{given} is more than {bounds['le']}"
    message = first["msg"].removeprefix("Value error, ")
    choices = CHOICES.search(message)
    return message if choices is None else meant(given, CHOICE.findall(choices["known"]))
