"""Why a command has failed: the one line for people, and the exit code."""

import re
from collections.abc import Iterable, Mapping

from attrs import frozen
from typer import Abort
from typer.exceptions import TyperException

from compiler.errors import GameTooLargeError, InputError, StateTooLargeError, StichwerkError
from service.cli.front.wrong_values import told_value
from workers.settings import PREFIX

DEBUG = "STICHWERK_DEBUG"
"""Environment variable; if it is set, the tracebacks of our own mistakes are shown."""

EXTRA = re.compile(r"extra argument.*\([^\s()]+\.\w+\)")
"""A single file that no argument takes."""
NO, BAD_INPUT, INTERRUPTED = 1, 2, 130
UNFIT = (InputError, GameTooLargeError, StateTooLargeError)
"""What another input would not have led to: what cannot be read, and what is too large to ask."""


@frozen
class Failure:
    """What is told of a failure.

    Args:
        message: for people.
        code: with which the command exits.
        ours: whether nobody has foreseen it.
    """

    message: str
    code: int
    ours: bool = False


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
    """Return a hint for a file that a command is told without the option that it goes with."""
    found = EXTRA.search(error.format_message())
    context = getattr(error, "ctx", None)
    options = [name for one in context.command.params for name in one.opts] if context else []
    if found is None or "--output" not in options:
        return ""
    return " A file to write goes with --output."


def failure(error: BaseException) -> Failure:
    """Return what is told of an error that has ended a command.

    What nobody has foreseen is told as what it is: our mistake, not bad input.
    """
    if isinstance(error, KeyboardInterrupt | Abort):
        return Failure("interrupted", INTERRUPTED)
    if isinstance(error, TyperException):
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "stichwerk"
        told = _sentence(told_value(error)) + _output_meant(error)
        return Failure(f"{told} See '{command} --help'.", BAD_INPUT)
    if isinstance(error, StichwerkError):
        return Failure(str(error), BAD_INPUT if isinstance(error, UNFIT) else NO)
    if isinstance(error, MemoryError):
        return Failure("not enough memory for this", NO)
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return Failure(f"the system refused: {where}{error.strerror}", NO)
    return _of_database(error) or Failure(
        f"internal error: {type(error).__name__}: {error}; please report it, with what "
        f"{DEBUG}=1 shows",
        NO,
        ours=True,
    )


def _of_database(error: BaseException) -> Failure | None:
    """Return what is told if a database has failed, None if it was not the database."""
    from sqlalchemy.exc import DatabaseError, InterfaceError, OperationalError, ProgrammingError
    from sqlalchemy.exc import TimeoutError as PoolTimeoutError

    from workers.records.database import described

    foreseen = OperationalError | InterfaceError | ProgrammingError | PoolTimeoutError
    if isinstance(error, foreseen) or type(error) is DatabaseError:
        return Failure(described(error), BAD_INPUT)
    return None
