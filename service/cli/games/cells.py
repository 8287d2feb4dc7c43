"""Facts of games as cells of tables."""

from collections.abc import Mapping
from typing import Any

Facts = dict[str, Any]


def shown(value: object, *, large: bool) -> object:
    """Return what a table shows of a fact that is missing only where a game is too large."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {'?' if one is None else one}" for key, one in value.items())
    if value is None and large:
        return "too large"
    return f"{value:,}" if isinstance(value, int) else value
