"""How the last outcomes were got, for people."""

from collections.abc import Sequence

from games.playing.match_log import Entry, Measured
from games.playing.measurements.origins import How
from games.playing.panels import Lines

LAST = 4
"""Measurements that are shown."""


def origin_panels(log: Sequence[Entry]) -> list[Lines]:
    """Return a panel with the last measurements; none if all were drawn exactly, unasked."""
    found = [entry for entry in log if isinstance(entry, Measured) and entry.origin is not None]
    if all(
        one.origin is None or (one.origin.how is How.EXACT and not one.origin.reason)
        for one in found
    ):
        return []
    lines = [
        f"{''.join(map(str, one.outcomes))}: {one.origin.told()}"
        for one in found[-LAST:]
        if one.origin is not None
    ]
    return [Lines("How it was measured", lines)]
