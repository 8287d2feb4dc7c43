"""A plot of two-qubit gates and compile time against size, on logarithmic axes."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

from service.cli.output.plot_style import series_styles, styled
from service.pages.colours import GREY
from service.results.costs import CurveResult, ScalingResult

TITLES = {"cards": "all-to-all, by cards", "qubits": "by qubits of the target"}
ROWS = (
    ("two_qubit_gates", "gates_fit", "two-qubit gates"),
    ("seconds", "seconds_fit", "seconds to compile"),
)


@styled
def draw_scaling(result: ScalingResult) -> Figure:
    """Draw gates in the upper row and seconds in the lower, one column an axis of size."""
    figure = Figure(figsize=(12.5, 9))
    axes = list(dict.fromkeys(curve.axis for curve in result.curves))
    panels = figure.subplots(2, len(axes), squeeze=False)
    for column, axis in enumerate(axes):
        curves = [curve for curve in result.curves if curve.axis == axis]
        panels[0][column].set_title(TITLES.get(axis, axis))
        panels[1][column].set_xlabel(axis)
        for row, (figure_name, fit, label) in enumerate(ROWS):
            _draw(panels[row][column], curves, figure_name, fit)
            panels[row][column].set_ylabel(label)
    return figure


def _draw(panel: Axes, curves: Sequence[CurveResult], figure: str, fit: str) -> None:
    for curve, style in zip(curves, series_styles(), strict=False):
        sizes = [point.size for point in curve.points]
        law = getattr(curve, fit)
        label = curve.name + (f": {law.exponent:.2f} (R² {law.r_squared:.3f})" if law else "")
        values = [getattr(point, figure) for point in curve.points]
        panel.plot(sizes, values, linestyle="none", label=label, **style)
        if law:
            ends = [sizes[0], sizes[-1]]
            panel.plot(ends, [law.factor * size**law.exponent for size in ends],
                       color=style["color"])  # fmt: skip
        literal = [(point.size, point.literal) for point in curve.points if point.literal]
        if literal and figure == "two_qubit_gates":
            panel.plot(*zip(*literal, strict=True), linestyle=":", color=style["color"])
    if figure == "two_qubit_gates" and any(p.literal for curve in curves for p in curve.points):
        panel.plot([], [], linestyle=":", color=GREY, label="literal, by formula")
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xticks(sorted({point.size for curve in curves for point in curve.points}))
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.xaxis.set_minor_locator(NullLocator())
    panel.xaxis.set_minor_formatter(NullFormatter())
    low, high = panel.get_ylim()
    # Room for the legend above the curves.
    panel.set_ylim(low, high * (high / low) ** 0.45)
    panel.legend(loc="upper left")
