"""Panels for the last look at a match that a machine holds."""

from collections.abc import Sequence
from typing import Any

from compiler.judge import observable_title
from games.panels import Cell, Grid, Lines, Panel
from play.match import Match
from play.match_log import Entry, Measured, Measurement, Seen


def look_panels(match: Match[Any], *, chances: bool) -> list[Panel]:
    """Return a table of measured and exact values; empty without a look.

    Args:
        match: the match.
        chances: whether exact values are shown.
    """
    look = match.last_look
    if look is None:
        return []
    if look.reason:
        return [Lines("The last look", [look.told()])]
    table = _table(match.listed(look), chances=chances)
    return [Grid(look.told(), *table), *match.look_panels(look)]


def _table(seen: Sequence[Seen], *, chances: bool) -> tuple[list[str], list[list[Cell]]]:
    columns = ["", "measured", "95 %", *["exact"] * chances]
    rows = []
    for item in seen:
        cells = [observable_title(item.name, item.kind), _shown(item.measured), _interval(item)]
        cells += [_shown(item.exact)] * chances
        rows.append([Cell(text) for text in cells])
    return columns, rows


def _interval(item: Seen) -> str:
    if item.low is None or item.high is None:
        return ""
    return f"{_shown(item.low)} to {_shown(item.high)}"


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


LAST = 4
"""Measurements that are shown."""


def origin_panels(log: Sequence[Entry]) -> list[Lines]:
    """Return a panel with the last measurements; none if all were drawn exactly, unasked."""
    measured = [
        (entry.outcomes, entry.origin)
        for entry in log
        if isinstance(entry, Measured) and entry.origin is not None
    ]
    if all(origin.how is Measurement.EXACT and not origin.reason for _, origin in measured):
        return []
    lines = [f"{''.join(map(str, bits))}: {origin.told()}" for bits, origin in measured[-LAST:]]
    return [Lines("Measurement results", lines)]
