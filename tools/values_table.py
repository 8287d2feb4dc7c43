"""`python -m tools.values_table`: writes the table of values in the chart's README.

Each value of values.yaml is explained by the comment above it; the parts of an explained value
need no comments of their own.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tools.tables import table, with_table

CHART = Path(__file__).parents[1] / "helm" / "stichwerk"
README = CHART / "README.md"
KEY = re.compile(r"^(?P<indent> *)(?P<name>[A-Za-z][A-Za-z0-9]*):")


def rows(text: str) -> list[tuple[tuple[str, ...], Any, str]]:
    """Return path, default and meaning of the explained values, without those that hold others.

    Args:
        text: of a values.yaml.
    """
    values = yaml.safe_load(text)
    explained = {path: comment for path, comment in _comments(text) if comment}
    result = []
    for path, comment in explained.items():
        default = values
        for name in path:
            default = default[name]
        inner = any(other[: len(path)] == path and other != path for other in explained)
        if not inner:
            result.append((path, default, comment))
    return result


def _comments(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the path of each key, with the comment right above it."""
    path: list[str] = []
    comment: list[str] = []
    for line in text.splitlines():
        if line.lstrip().startswith("#"):
            comment.append(line.lstrip(" #"))
        elif key := KEY.match(line):
            path = [*path[: len(key["indent"]) // 2], key["name"]]
            yield tuple(path), " ".join(comment)
            comment = []
        else:
            comment = []


def markdown() -> str:
    """Return the table: value, default, description."""
    return table(
        ("value", "default", "description"),
        (
            (f"`{'.'.join(path)}`", f"`{json.dumps(default)}`", meaning)
            for path, default, meaning in rows((CHART / "values.yaml").read_text())
        ),
    )


if __name__ == "__main__":
    README.write_text(with_table(README.read_text(), markdown()))
