"""References of the command line, from its declarations, and of `import stichwerk`."""

import inspect
from typing import Any, get_args

import stichwerk
from service.cli.front.application import all_commands


def command_line() -> str:
    """Return the page."""
    lines = ["# The command line", "", "Made from the declarations of commands and options.", ""]
    for name, command in sorted(all_commands().items()):
        lines += [f"## stichwerk {name}", "", *_described(command), ""]
    return "\n".join(lines)


def _described(command: Any) -> list[str]:
    shown = [param for param in command.params if not getattr(param, "hidden", False)]
    rows = [
        f"| `{_names(row)}` | {_cell(getattr(row, 'help', '') or '')} | {_default(row)} |"
        for row in shown
    ]
    table = ["", "| option | description | default |", "|---|---|---|", *rows] if rows else []
    text = (command.help or "").replace("\f", "").strip()
    return [*text.replace("Examples:\n", "Examples:\n\n").splitlines(), *table]


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
    inner = [argument for argument in get_args(annotation) if argument is not type(None)]
    return _type(inner[0]) if inner else annotation


def _default(parameter: Any) -> str:
    value = parameter.default
    shown = isinstance(value, str | int | float) and not isinstance(value, bool) and value != ""
    return f"`{value}`" if shown else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def modules() -> str:
    """Return the page of the public Python interface."""
    lines = ["# The Python interface", "", "Made from the code; [From Python](../python.md) has "
             "examples.", "", *_fenced(inspect.getdoc(stichwerk) or "")]  # fmt: skip
    for name in stichwerk.__all__:
        lines += [
            f"## stichwerk.{name}",
            "",
            *_fenced(_description(name, getattr(stichwerk, name))),
        ]
    return "\n".join(lines)


def _description(name: str, value: Any) -> str:
    if not callable(value):
        return f"{name}: {type(value).__name__}"
    try:
        signature = str(inspect.signature(value))
    except (TypeError, ValueError):
        signature = "(…)"
    return f"{name}{signature}\n\n{inspect.getdoc(value) or ''}".strip()


def _fenced(text: str) -> list[str]:
    return ["```text", text, "```", ""]
