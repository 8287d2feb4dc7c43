"""A plot of two-qubit gates and compile time against size, on logarithmic axes."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

from service.cli.scaling.curves import Curve, Point, fit
from service.report.drawing import BLUE, FAINT, GREEN, GREY, INK, ORANGE, PURPLE, SKY, VERMILION

COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION)
MARKERS = ("o", "s", "^", "D", "v", "P")
TITLES = {"cards": "all-to-all, by cards", "qubits": "by qubits of the target"}


def draw_scaling(points: Mapping[Curve, Sequence[Point]]) -> Figure:
    """Draw gates in the upper row and seconds in the lower, one column an axis of size."""
    figure = Figure(figsize=(12.5, 9))
    axes = list(dict.fromkeys(curve.axis for curve in points))
    panels = figure.subplots(2, len(axes), squeeze=False)
    for column, axis in enumerate(axes):
        curves = {curve: found for curve, found in points.items() if curve.axis == axis}
        above, below = panels[0][column], panels[1][column]
        above.set_title(TITLES.get(axis, axis), size=11, color=INK)
        _draw(above, curves, "two_qubit_gates")
        _draw(below, curves, "seconds")
        for curve, colour in zip(curves, COLOURS * len(curves), strict=False):
            literal = [(p.size, p.literal) for p in curves[curve] if p.literal]
            if literal:
                above.plot(*zip(*literal, strict=True), linestyle=":", color=colour, linewidth=1.3)
        if any(point.literal for found in curves.values() for point in found):
            above.plot([], [], linestyle=":", color=GREY, label="literal, by formula")
        sizes = sorted({point.size for found in curves.values() for point in found})
        for panel, name in ((above, "two-qubit gates"), (below, "seconds to compile")):
            _scale(panel, sizes)
            panel.set_ylabel(name)
            panel.legend(fontsize=7.5, frameon=False, loc="upper left")
        below.set_xlabel(axis)
    figure.tight_layout()
    return figure


def _draw(panel: Axes, curves: Mapping[Curve, Sequence[Point]], figure: str) -> None:
    for place, (curve, found) in enumerate(curves.items()):
        sizes = [point.size for point in found]
        figures = [getattr(point, figure) for point in found]
        law = fit(sizes, figures)
        label = curve.name + (f": {law.exponent:.2f} (R² {law.r_squared:.3f})" if law else "")
        colour = COLOURS[place % len(COLOURS)]
        panel.plot(sizes, figures, MARKERS[place % len(MARKERS)], color=colour, markersize=5,
                   label=label)  # fmt: skip
        if law:
            ends = [sizes[0], sizes[-1]]
            panel.plot(ends, [law.factor * size**law.exponent for size in ends], color=colour,
                       linewidth=1)  # fmt: skip


def _scale(panel: Axes, sizes: Sequence[int]) -> None:
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xticks(sizes)
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.xaxis.set_minor_locator(NullLocator())
    panel.xaxis.set_minor_formatter(NullFormatter())
    panel.grid(color=FAINT, linewidth=0.6)
    panel.set_axisbelow(True)
    low, high = panel.get_ylim()
    # Room for the legend above the curves.
    panel.set_ylim(low, high * (high / low) ** 0.45)
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)
