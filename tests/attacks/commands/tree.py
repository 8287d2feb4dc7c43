"""Commands, their options and their arguments, as the command line itself declares them."""

import re
from pathlib import Path
from typing import Any, get_args

from attrs import fields, frozen

from service.cli.front.application import all_commands
from workers.settings import PREFIX, Settings

ROOT = Path(__file__).parents[3]
ROOMS = ("backends", "compiler", "games", "play", "service", "workers")
VARIABLE = re.compile(rf'"({PREFIX}[A-Z_]+)"')


@frozen
class Parameter:
    """An option or an argument of a command.

    Args:
        spelling: how an option is written, such as `--shots`; `""` for an argument.
        metavar: what an argument is called in the help.
        kind: the type of its values.
        required: whether the command refuses to do without it.
    """

    spelling: str
    metavar: str
    kind: type
    required: bool


@frozen
class Command:
    """A command: the words that call it, and what may follow."""

    words: tuple[str, ...]
    parameters: tuple[Parameter, ...]


def commands() -> list[Command]:
    """Return all commands, also those of groups."""
    return [
        Command(tuple(words.split()), tuple(_parameter(one) for one in command.params))
        for words, command in all_commands().items()
    ]


def _parameter(declared: Any) -> Parameter:
    option = declared.param_type_name == "option"
    return Parameter(
        max(declared.opts, key=len) if option else "",
        "" if option else (declared.metavar or declared.name),
        _type(declared.type_descriptor.annotation),
        declared.required,
    )


def _type(annotation: Any) -> type:
    """Return the type of one value: `int` of `list[int] | None`."""
    inner = [one for one in get_args(annotation) if one is not type(None)]
    return _type(inner[0]) if inner else annotation


def variables() -> list[str]:
    """Return the environment variables that the program reads: settings, and all others."""
    found = {PREFIX + one.name.upper() for one in fields(Settings)}
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            found |= set(VARIABLE.findall(path.read_text()))
    return sorted(found - {PREFIX})
