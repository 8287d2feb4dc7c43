"""Style of all plots that commands draw: import it only where one is drawn."""

from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any

from matplotlib import rc_context

from service.pages.colours import BLUE, FAINT, GREEN, GREY, INK, ORANGE, PURPLE, SKY, VERMILION

COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION)
MARKERS = ("o", "s", "^", "D", "v", "P")
STYLE: dict[Any, Any] = {
    "font.size": 9.0,
    "text.color": INK,
    "text.parse_math": False,
    "axes.titlesize": 10.0,
    "axes.titlecolor": INK,
    "axes.edgecolor": GREY,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8.0,
    "lines.linewidth": 1.0,
    "lines.markersize": 5.0,
    "errorbar.capsize": 2.5,
    "figure.constrained_layout.use": True,
}
styled = rc_context(STYLE)
"""Decorator of a function that draws."""


def series_styles() -> Iterator[dict[str, Any]]:
    """Yield the colour and marker of each series of a plot, over and over if they are many."""
    for colour, marker in cycle(zip(COLOURS, MARKERS, strict=True)):
        yield {"color": colour, "marker": marker}


def error_bars(
    values: Sequence[float], lows: Sequence[float], highs: Sequence[float]
) -> list[list[float]]:
    """Return the lengths of error bars, below and above values, from the ends of intervals."""
    below = [value - low for value, low in zip(values, lows, strict=True)]
    return [below, [high - value for value, high in zip(values, highs, strict=True)]]
