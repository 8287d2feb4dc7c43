"""The reference of the Python modules that `docs/python.md` uses, from their docstrings."""

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
ROOMS = "backends|compiler|games|workers"
IMPORT = re.compile(rf"^(?:>>> |\.\.\. )?from ((?:{ROOMS})[\w.]*) import ([\w, ]+)$", re.MULTILINE)


def named() -> dict[str, list[str]]:
    """Return what the page imports from our modules, by module."""
    found: dict[str, set[str]] = {}
    for module, names in IMPORT.findall(PAGE.read_text(encoding="utf-8")):
        found.setdefault(module, set()).update(name.strip() for name in names.split(","))
    return {module: sorted(found[module]) for module in sorted(found)}


def markdown() -> str:
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
