"""Arguments and options that several commands share."""

import os
import re
import sys
from collections.abc import Callable, Iterable
from copy import copy
from functools import wraps
from inspect import Parameter, getdoc, signature
from string import Formatter
from typing import Annotated, Any, TypeVar, get_args, get_origin

import typer

from workers.logs import LogFormat

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Details = Annotated[
    bool, typer.Option("--details", help="Also print all fields of the result that are set.")
]
Seed = Annotated[int, typer.Option(min=0, max=2**31 - 1, help="First seed of the attempts.")]
RandomSeed = Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Seed of everything random.")]
Shots = Annotated[int, typer.Option(help="Shots of the circuit.")]
Database = Annotated[
    str,
    typer.Option(
        envvar="STICHWERK_DATABASE", help="Records: a file for SQLite, or an SQLAlchemy URL."
    ),
]
ServiceDatabase = Annotated[
    str,
    typer.Option(
        "--database",
        help="Records, by default STICHWERK_DATABASE or stichwerk.sqlite.",
        show_default=False,
    ),
]
Processes = Annotated[
    int,
    typer.Option(
        min=1,
        max=64,
        help="Processes that compile in parallel; small programs take one with `fast`.",
    ),
]
LogFormatOption = Annotated[
    LogFormat | None,
    typer.Option(
        "--log-format",
        help="Log format: text, or json (one object a line).",
        show_default="STICHWERK_LOG_FORMAT, or text",
    ),
]

HandOver = Annotated[
    bool,
    typer.Option("--queue", help="Submit to the workers, on any backend: one job with child jobs."),
]
QueueTag = Annotated[str, typer.Option("--tag", help="With --queue: tag of all its jobs.")]
Tag = Annotated[str, typer.Option(help="Tag of the job, to find it again.")]

MAX_SECONDS = 1e9
"""Of any duration; NaN is refused like larger values."""
DATABASE = "stichwerk.sqlite"
PROCESSES = len(os.sched_getaffinity(0))


R = TypeVar("R")
OPTION = re.compile(r"^    (\w+): (.+?)(?=\n    \w|\Z)", re.MULTILINE | re.DOTALL)
"""Entry of the section `Options` of a docstring."""


class _Words(Formatter):
    """Formatter that lists the items of collections."""

    def format_field(self, value: Any, format_spec: str) -> str:
        is_list = isinstance(value, Iterable) and not isinstance(value, str)
        return ", ".join(value) if is_list else super().format_field(value, format_spec)


def summary_and_options(declared: Callable[..., object]) -> tuple[str, dict[str, str]]:
    """Return a docstring without its last section `Options`, and the help of each option there.

    Names of the module may stand in it in braces, such as `{SUITES}` or `{ERROR:g}`.
    """
    text, _, section = (getdoc(declared) or "").partition("\n\nOptions:\n")
    names = vars(sys.modules[declared.__module__])
    return text, {
        name: _Words().vformat(" ".join(entry.split()), (), names)
        for name, entry in OPTION.findall(section)
    }


def option_parameters(declared: Callable[..., object]) -> dict[str, Parameter]:
    """Return the parameters of a command, with the help of its docstring.

    A parameter `bool = False` is a flag: it has no option that disables it.
    """
    _, helps = summary_and_options(declared)
    parameters = dict(signature(declared).parameters)
    for name, text in helps.items():
        annotation = parameters[name].annotation
        kind, *infos = get_args(annotation) if get_origin(annotation) is Annotated else [annotation]
        is_flag = kind is bool and parameters[name].default is False
        info = copy(infos[0]) if infos else typer.Option(*[_option(name)] * is_flag)
        info.help = text
        parameters[name] = parameters[name].replace(annotation=Annotated[kind, info])
    return parameters


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def shared_options(
    name: str, declared: Callable[..., object]
) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Return a decorator that replaces one parameter of a command by options.

    Args:
        name: of the parameter.
        declared: its parameters are the options; its result is the parameter's value.
    """
    shared = option_parameters(declared)

    def decorate(command: Callable[..., R]) -> Callable[..., R]:
        own = signature(command)
        parameters = [
            parameter
            for its_name, its_own in own.parameters.items()
            for parameter in (shared.values() if its_name == name else (its_own,))
        ]

        @wraps(command)
        def called(**arguments: object) -> R:
            options = {option: arguments.pop(option) for option in shared}
            return command(**{name: declared(**options)}, **arguments)

        called.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        return called

    return decorate
