"""The references of the command line, from the declarations of its options, and of modules."""

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

from service.cli.front.application import all_commands


def command_line() -> str:
    """Return the page."""
    lines = ["# The command line", "", "Made from the declarations of commands and options.", ""]
    for name, command in sorted(all_commands().items()):
        lines += [f"## stichwerk {name}", "", *_described(command), ""]
    return "\n".join(lines)


def _described(command: Any) -> list[str]:
    shown = [one for one in command.params if not getattr(one, "hidden", False)]
    rows = [
        f"| `{_names(one)}` | {_cell(getattr(one, 'help', '') or '')} | {_default(one)} |"
        for one in shown
    ]
    table = ["", "| option | what it is | default |", "|---|---|---|", *rows] if rows else []
    told = (command.help or "").replace("\f", "").strip()
    return [*told.replace("Examples:\n", "Examples:\n\n").splitlines(), *table]


def _names(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name).upper().replace("|", "/")
    value = "" if parameter.is_flag else f" {_value(parameter)}"
    names = ", ".join([*parameter.opts, *parameter.secondary_opts])
    return f"{names}{value}".replace("|", "/")


def _value(parameter: Any) -> str:
    if parameter.metavar:
        return str(parameter.metavar)
    return _type(parameter.type_descriptor.annotation).__name__.upper()


def _type(annotation: Any) -> Any:
    """Return the type of one value: `int` of `list[int] | None`."""
    inner = [one for one in get_args(annotation) if one is not type(None)]
    return _type(inner[0]) if inner else annotation


def _default(parameter: Any) -> str:
    value = parameter.default
    told = isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""
    return f"`{value}`" if told else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


PAGE = Path(__file__).parents[2] / "docs" / "python.md"
ROOMS = "backends|compiler|games|workers"
IMPORT = re.compile(rf"^(?:>>> |\.\.\. )?from ((?:{ROOMS})[\w.]*) import ([\w, ]+)$", re.MULTILINE)


def named() -> dict[str, list[str]]:
    """Return what the page imports from our modules, by module."""
    found: dict[str, set[str]] = {}
    for module, names in IMPORT.findall(PAGE.read_text(encoding="utf-8")):
        found.setdefault(module, set()).update(name.strip() for name in names.split(","))
    return {module: sorted(found[module]) for module in sorted(found)}


def modules() -> str:
    """Return the page."""
    lines = ["# Python modules", "", "What the ten examples of [From Python](../python.md) use, "
             "made from the code.", ""]  # fmt: skip
    for module, names in named().items():
        loaded = import_module(module)
        lines += [f"## {module}", "", *_fenced(inspect.getdoc(loaded) or "")]
        for name in names:
            lines += [f"### {module}.{name}", "", *_fenced(_told(name, getattr(loaded, name)))]
    return "\n".join(lines)


def _told(name: str, value: Any) -> str:
    if not callable(value):
        return f"{name}: {type(value).__name__}"
    try:
        signature = str(inspect.signature(value))
    except (TypeError, ValueError):
        signature = "(…)"
    return f"{name}{signature}\n\n{inspect.getdoc(value) or ''}".strip()


def _fenced(text: str) -> list[str]:
    return ["```text", text, "```", ""]
