"""Parameters of commands, with the help of their docstrings."""

import ast
import re
import sys
from collections.abc import Callable, Iterable
from copy import copy
from functools import wraps
from inspect import Parameter, getdoc, getsource, signature
from itertools import pairwise
from string import Formatter
from types import ModuleType
from typing import Annotated, Any, TypeVar, get_args, get_origin

import typer
from typer.models import ParameterInfo

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
    module = sys.modules[declared.__module__]
    return text, {name: _filled(entry, module) for name, entry in OPTION.findall(section)}


def _filled(text: str, module: ModuleType) -> str:
    """Return a text on one line, with values of its module in the place of names in braces."""
    return _Words().vformat(" ".join(text.split()), (), vars(module))


def describe_aliases() -> None:
    """Let the help of options that modules of commands declare by name be the strings below."""
    for name, module in list(sys.modules.items()):
        if name.startswith("service.cli.") and (aliases := _undescribed(module)):
            for pair in pairwise(ast.parse(getsource(module)).body):
                match pair:
                    case (
                        ast.Assign(targets=[ast.Name(id=alias)]),
                        ast.Expr(value=ast.Constant(value=str(text))),
                    ) if alias in aliases:
                        aliases[alias].help = _filled(text, module)


def _undescribed(module: ModuleType) -> dict[str, ParameterInfo]:
    aliases = ((name, get_args(value)[1]) for name, value in vars(module).items()
               if get_origin(value) is Annotated)  # fmt: skip
    return {name: of for name, of in aliases if isinstance(of, ParameterInfo) and not of.help}


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
        info = copy(infos[0]) if infos else typer.Option(*[f"--{name.replace('_', '-')}"] * is_flag)
        info.help = text
        parameters[name] = parameters[name].replace(annotation=Annotated[kind, info])
    return parameters


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
