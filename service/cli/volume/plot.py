"""A plot of how well devices play games of ever more cards."""

from typing import Any

from matplotlib.figure import Figure

from compiler.scores.game_volume import THRESHOLDS
from service.report.drawing import BLUE, GREEN, GREY, INK, ORANGE, PURPLE

COLOURS = (BLUE, ORANGE, GREEN, PURPLE)
MARKERS = ("o", "s", "^", "D")


def draw_volume(answer: dict[str, Any]) -> Figure:
    """Draw fidelity against cards, a line a backend, with intervals and thresholds.

    Beside each game stand its two-qubit gates.
    """
    best = {
        run["cards"]: max(
            other["normalized_fidelity"]
            for other in answer["runs"]
            if other["cards"] == run["cards"]
        )
        for run in answer["runs"]
    }
    figure = Figure(figsize=(7.6, 4.6), layout="constrained")
    axes = figure.subplots()
    for threshold in THRESHOLDS:
        axes.axhline(threshold, color=GREY, linestyle=":", linewidth=1)
    for place, one in enumerate(answer["volumes"]):
        runs = [run for run in answer["runs"] if run["backend"] == one["backend"]]
        found = [run["normalized_fidelity"] for run in runs]
        axes.errorbar(
            [run["cards"] for run in runs],
            found,
            yerr=[
                [f - run["low"] for f, run in zip(found, runs, strict=True)],
                [run["high"] - f for f, run in zip(found, runs, strict=True)],
            ],
            marker=MARKERS[place % len(MARKERS)],
            color=COLOURS[place % len(COLOURS)],
            capsize=3,
            label=one["backend"].partition(":")[2],
        )
        for run in runs:
            above = run["normalized_fidelity"] == best[run["cards"]]
            axes.annotate(
                str(run["two_qubit_gates"]),
                (run["cards"], run["high"] if above else run["low"]),
                xytext=(0, 4 if above else -4),
                textcoords="offset points",
                ha="center",
                va="bottom" if above else "top",
                fontsize=7.5,
                color=COLOURS[place % len(COLOURS)],
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
            )
    axes.set_xlabel("cards of the game")
    axes.set_ylabel("normalised fidelity (0: uniform noise)")
    axes.set_xticks(sorted({run["cards"] for run in answer["runs"]}))
    axes.set_ylim(min(-0.05, *(run["low"] for run in answer["runs"])), 1)
    axes.set_title(
        "How large a game the devices play; numbers are two-qubit gates", size=10, color=INK
    )
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return figure
