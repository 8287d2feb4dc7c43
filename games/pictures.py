"""Colours and axes of pictures of games; the caller loads Matplotlib and passes the axes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
"""Colours of the Okabe–Ito palette, which is safe for colour-blind readers."""
BLUE, ORANGE, PURPLE = COLOURS[0], COLOURS[1], COLOURS[3]
GREY, FAINT = "#6b6b6b", "#dddddd"


def plain_axes(*all_axes: "Axes", along: Literal["both", "x", "y"] = "both") -> None:
    """Give axes a faint grid behind the plot, and hide the lines above and on the right."""
    for axes in all_axes:
        axes.grid(axis=along, color=FAINT, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)


def draw_intervals(
    axes: "Axes", places: Sequence[float], intervals: Sequence[Any], **style: Any
) -> None:
    """Draw values with their intervals along x, orange squares unless the style says otherwise.

    Args:
        axes: axes to draw on.
        places: positions of the values on the other axis.
        intervals: objects with a `value`, a `low` and a `high` end.
        style: see `matplotlib.axes.Axes.errorbar`.
    """
    values = [float(interval.value) for interval in intervals]
    ends = zip(values, intervals, strict=True)
    widths = [(value - estimate.low, estimate.high - value) for value, estimate in ends]
    usual: dict[str, Any] = {"fmt": "s", "color": ORANGE, "markersize": 5}
    axes.errorbar(values, places, xerr=tuple(zip(*widths, strict=True)), **usual | style)
