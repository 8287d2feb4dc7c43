"""A plot of hours against the error: classical playouts and quantum machines."""

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from service.cli.crossover.comparison import YEAR_HOURS
from service.report.drawing import BLUE, FAINT, GREEN, GREY, INK, ORANGE, PURPLE, SKY, VERMILION

COLOURS = (BLUE, SKY, VERMILION, ORANGE, GREEN, PURPLE)
MARKERS = ("o", "s", "^", "D", "v", "P")
CENTURY_HOURS = 100 * YEAR_HOURS
LEGIBLE = (1e-7, 1e10)
"""Hours that are shown at most."""


def draw_crossover(answer: Mapping[str, Any]) -> Figure:
    """Draw hours against the error on the left, and qubits against hours on the right.

    On the right are the frontiers at the error in the middle of those that were asked for. Dashed
    is the second opinion.
    """
    figure = Figure(figsize=(12.5, 6.4))
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    errors = [one["error"] for one in answer["estimates"]]
    hours = [one["classical"]["hours"] for one in answer["estimates"]]
    title = f"playouts on {answer['cores']:,} cores"
    left.plot(errors, hours, ".-", color=INK, linewidth=2, label=title)
    for name, colour, marker in zip(answer["models"], COLOURS, MARKERS, strict=False):
        machines = [
            (one["error"], one["physical"][name]["machines"]) for one in answer["estimates"]
        ]
        found = [(error, ways[0]["hours"]) for error, ways in machines if ways]
        for error in (error for error, ways in machines if not ways):
            # Above the axes, where nobody reads it as so many hours.
            height = 1.012 + 0.015 * COLOURS.index(colour)
            left.plot(error, height, "x", markersize=5, color=colour, clip_on=False,
                      transform=left.get_xaxis_transform())  # fmt: skip
        cross = answer["crossings"][name]
        says = f"{cross['error']:.1g}" if cross else "never within a year"
        left.plot(*zip(*found, strict=True) if found else ((), ()), marker=marker, markersize=4,
                  color=colour, linewidth=1.2, label=f"{name}: {says}")  # fmt: skip
        second = [
            (one["error"], one["second_opinion"][name]["machines"]) for one in answer["estimates"]
        ]
        left.plot([error for error, ways in second if ways],
                  [ways[0]["hours"] for _, ways in second if ways],
                  linestyle="--", color=colour, linewidth=0.9)  # fmt: skip
        if cross:
            left.plot(cross["error"], cross["hours"], "o", markersize=10, color=colour,
                      fillstyle="none")  # fmt: skip
    left.plot([], [], "--", color=GREY, label="second opinion")
    if any(not one["physical"][name]["machines"] for one in answer["estimates"]
           for name in answer["models"]):  # fmt: skip
        left.plot([], [], "x", color=GREY, label="infeasible")
    for line, words in ((YEAR_HOURS, "a year"), (CENTURY_HOURS, "a century")):
        left.axhline(line, color=GREY, linewidth=0.8, linestyle=":")
        left.text(0.01, line, words, size=8, color=GREY, va="bottom",
                  transform=left.get_yaxis_transform())  # fmt: skip
    left.set_xscale("log")
    left.set_yscale("log")
    left.invert_xaxis()
    left.set_ylim(max(LEGIBLE[0], left.get_ylim()[0]), min(LEGIBLE[1], left.get_ylim()[1]))
    left.set_xlabel("error of P(win), 95 %")
    left.set_ylabel("hours, the fastest machine")
    left.set_title(f"{answer['program']}, {answer['encoding']}", size=11, color=INK, pad=24)
    # Below the axes, where no curve can be.
    left.legend(fontsize=8, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2)
    _frontiers(right, answer)
    for panel in (left, right):
        panel.xaxis.set_minor_formatter(NullFormatter())
        panel.grid(color=FAINT, linewidth=0.6)
        panel.set_axisbelow(True)
        for side in ("top", "right"):
            panel.spines[side].set_visible(False)
    figure.tight_layout()
    return figure


def _frontiers(panel: Any, answer: Mapping[str, Any]) -> None:
    """Draw qubits against hours at the error in the middle of those that were asked for."""
    chosen = answer["estimates"][(len(answer["estimates"]) - 1) // 2]
    infeasible = []
    for name, colour, marker in zip(answer["models"], COLOURS, MARKERS, strict=False):
        machines = chosen["physical"][name]["machines"]
        second = chosen["second_opinion"][name]["machines"]
        panel.plot([m["hours"] for m in second], [m["physical_qubits"] for m in second], "--",
                   color=colour, linewidth=0.9)  # fmt: skip
        if not machines:
            infeasible.append(f"{name}: {chosen['physical'][name]['infeasible']}")
            continue
        panel.plot([m["hours"] for m in machines], [m["physical_qubits"] for m in machines],
                   marker=marker, markersize=4, color=colour, linewidth=1, label=name)  # fmt: skip
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel("hours")
    panel.set_ylabel("physical qubits")
    panel.set_title(f"qubits against hours, error {chosen['error']:g}", size=11, color=INK, pad=24)
    if infeasible:
        panel.text(0, -0.2, "infeasible:\n" + "\n".join(infeasible), size=8, color=GREY, va="top",
                   transform=panel.transAxes)  # fmt: skip
