"""Failures of commands: message and exit code of each class of errors."""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from attrs import frozen
from typer import Abort
from typer.exceptions import TyperException

from compiler.errors import (
    GameTooLargeError,
    InputError,
    MissingExtraError,
    StateTooLargeError,
    StichwerkError,
    meant,
)
from workers.settings import PREFIX

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

DEBUG = "STICHWERK_DEBUG"
"""Environment variable; if it is set, the tracebacks of our own mistakes are shown."""

CHOICES = re.compile(r"is not one of (?P<choices>'.*')")
CHOICE = re.compile(r"'([^']*)'")
EXTRA = re.compile(r"extra argument.*\([^\s()]+\.\w+\)")
"""A single file that no argument takes."""
NO, BAD_INPUT, INTERRUPTED = 1, 2, 130
UNFIT = (InputError, GameTooLargeError, StateTooLargeError)
"""Errors of bad input: unreadable, or too large."""


@frozen
class Failure:
    """Message and exit code of a failure.

    Args:
        message: one line.
        code: exit code of the command.
        internal: whether it is a defect of Stichwerk.
    """

    message: str
    code: int
    internal: bool = False


def check_is_text(arguments: Iterable[str], environment: Mapping[str, str]) -> None:
    """Refuse bytes that are no text: names are recorded, shown and sent, all of them as UTF-8.

    Raises:
        InputError: naming the argument or the variable.
    """
    ours = {name: value for name, value in environment.items() if name.startswith(PREFIX)}
    for what, value in [*(("argument ", value) for value in arguments),
                        *((f"{name}=", value) for name, value in ours.items())]:  # fmt: skip
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise InputError(f"{what}'{value}': not UTF-8; rename it or write it anew") from error


def _sentence(message: str) -> str:
    return message if message.endswith((".", "?", "!")) else f"{message}."


def _output_meant(error: TyperException) -> str:
    """Return a hint for a file name that needs the option `--output`."""
    extra = EXTRA.search(error.format_message())
    context = getattr(error, "ctx", None)
    options = [name for param in context.command.params for name in param.opts] if context else []
    if extra is None or "--output" not in options:
        return ""
    return " A file to write goes with --output."


def failure(error: BaseException) -> Failure:
    """Return the failure for an error that has ended a command.

    An unexpected error is reported as a defect of Stichwerk, not as bad input.
    """
    if isinstance(error, KeyboardInterrupt | Abort):
        return Failure("interrupted", INTERRUPTED)
    if isinstance(error, TyperException):
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "stichwerk"
        message = _sentence(_parser_message(error)) + _output_meant(error)
        return Failure(f"{message} See '{command} --help'.", BAD_INPUT)
    error = MissingExtraError.of(error) or error
    if isinstance(error, StichwerkError):
        return Failure(str(error), BAD_INPUT if isinstance(error, UNFIT) else NO)
    if isinstance(error, MemoryError):
        return Failure("not enough memory for this", NO)
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return Failure(f"the system refused: {where}{error.strerror}", NO)
    return _of_database(error) or Failure(
        f"internal error: {type(error).__name__}: {error}; please report it, with the output of "
        f"{DEBUG}=1",
        NO,
        internal=True,
    )


def _of_database(error: BaseException) -> Failure | None:
    """Return the failure of a database, None for any other error."""
    from sqlalchemy.exc import DatabaseError, InterfaceError, OperationalError, ProgrammingError
    from sqlalchemy.exc import TimeoutError as PoolTimeoutError

    from workers.records.database import described

    foreseen = OperationalError | InterfaceError | ProgrammingError | PoolTimeoutError
    if isinstance(error, foreseen) or type(error) is DatabaseError:
        return Failure(described(error), BAD_INPUT)
    return None


def _parser_message(error: TyperException) -> str:
    """Return the parser's message; a refused value is described in our words."""
    # A command line without mistakes needs no Pydantic, which `--help` does not load.
    from pydantic_core import ValidationError

    text = error.format_message()
    if not isinstance(error.__cause__, ValidationError):
        return text
    first = error.__cause__.errors()[0]
    # The parser's own sentence ends with the words of the check.
    return text.replace(first["msg"], _rejection(first))


def _rejection(first: "ErrorDetails") -> str:
    value, bounds = str(first["input"]), first.get("ctx", {})
    match first["type"]:
        case "int_parsing":
            return f"'{value}' is not a whole number"
        case "float_parsing":
            return f"'{value}' is not a number"
        case "greater_than_equal":
            return f"{value} is less than {bounds['ge']}"
        case "less_than_equal":
            return f"{value} is more than {bounds['le']}"
    message = first["msg"].removeprefix("Value error, ")
    choices = CHOICES.search(message)
    return message if choices is None else meant(value, CHOICE.findall(choices["choices"]))
