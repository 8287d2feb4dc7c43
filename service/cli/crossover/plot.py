"""A plot of hours against the error: classical playouts and quantum machines."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from service.cli.crossover.estimates import YEAR_HOURS
from service.cli.output.plot_style import series_styles, styled
from service.pages.colours import GREY, INK
from service.results.crossover import CrossoverResult

TIMES = {"a year": YEAR_HOURS, "a century": 100 * YEAR_HOURS}
MAX_HOURS_RANGE = (1e-7, 1e10)


@styled
def draw_crossover(result: CrossoverResult) -> Figure:
    """Draw hours against the error on the left, and qubits against hours on the right.

    On the right are the frontiers at the error in the middle of all.
    """
    figure = Figure(figsize=(12.5, 6.4))
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    _draw_hours(left, result)
    _draw_frontiers(right, result)
    for panel in (left, right):
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.xaxis.set_minor_formatter(NullFormatter())
    left.invert_xaxis()
    low, high = left.get_ylim()
    left.set_ylim(max(MAX_HOURS_RANGE[0], low), min(MAX_HOURS_RANGE[1], high))
    return figure


def _draw_hours(panel: Axes, result: CrossoverResult) -> None:
    errors = [estimate.error for estimate in result.estimates]
    hours = [estimate.classical.hours for estimate in result.estimates]
    title = f"playouts on {result.cores:,} cores"
    panel.plot(errors, hours, ".-", color=INK, linewidth=2, label=title)
    for place, (name, style) in enumerate(zip(result.models, series_styles(), strict=False)):
        colour, crossing = style["color"], result.crossings[name]
        says = f"{crossing.error:.1g}" if crossing else "never within a year"
        first = [
            (estimate.error, estimate.physical[name].machines) for estimate in result.estimates
        ]
        panel.plot([error for error, machines in first if machines],
                   [machines[0].hours for _, machines in first if machines],
                   label=f"{name}: {says}", **style)  # fmt: skip
        infeasible = [error for error, machines in first if not machines]
        # Above the axes, where it cannot be mistaken for hours.
        panel.plot(infeasible, [1.012 + 0.015 * place] * len(infeasible), "x", color=colour,
                   clip_on=False, transform=panel.get_xaxis_transform())  # fmt: skip
        if crossing:
            panel.plot(crossing.error, crossing.hours, "o", markersize=10, color=colour,
                       fillstyle="none")  # fmt: skip
    if any(of.infeasible for estimate in result.estimates for of in estimate.physical.values()):
        panel.plot([], [], "x", color=GREY, label="infeasible")
    for text, hour in TIMES.items():
        panel.axhline(hour, color=GREY, linestyle=":")
        panel.text(0.01, hour, text, color=GREY, va="bottom", transform=panel.get_yaxis_transform())
    panel.set_xlabel("error of P(win), 95 %")
    panel.set_ylabel("hours, the fastest machine")
    panel.set_title(f"{result.program}, {result.encoding}", pad=24)
    # Below the axes, where no curve can be.
    panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2)


def _draw_frontiers(panel: Axes, result: CrossoverResult) -> None:
    """Draw qubits against hours at the error in the middle of all."""
    chosen = result.estimates[(len(result.estimates) - 1) // 2]
    for frontier, style in zip(chosen.physical.values(), series_styles(), strict=False):
        panel.plot(
            [machine.hours for machine in frontier.machines],
            [machine.physical_qubits for machine in frontier.machines],
            **style,
        )
    panel.set_xlabel("hours")
    panel.set_ylabel("physical qubits")
    panel.set_title(f"qubits against hours, error {chosen.error:g}", pad=24)
    reasons = [f"{name}: {of.infeasible}" for name, of in chosen.physical.items() if of.infeasible]
    if reasons:
        panel.text(0, -0.2, "\n".join(["infeasible:", *reasons]), color=GREY, va="top",
                   transform=panel.transAxes)  # fmt: skip
