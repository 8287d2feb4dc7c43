"""Plot of the command `fidelity`."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from service.cli.output.plot_style import error_bars, styled
from service.pages.colours import BLUE, GREEN, GREY, INK, ORANGE
from service.results.device_runs import FidelityResult, FidelityRun

MIN_SHOWN = -0.3
"""Lower end of the axis of fidelities; few shots can score far below noise."""

KINDS = (
    ("raw", "as measured", BLUE, "o"),
    ("mitigated", "readout mitigated", ORANGE, "D"),
    ("post_selected", "post-selected on legal outcomes", GREEN, "s"),
)


@styled
def draw_fidelity(result: FidelityResult) -> Figure:
    """Draw normalised fidelities and winning chances of every run, one row each."""
    runs = result.runs
    figure = Figure(figsize=(9.6, 1.7 + 0.36 * len(runs)))
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    _draw_fidelities(left, runs, result.flattered)
    _draw_winning(right, runs, result.observables["win"])
    left.set_yticks(range(len(runs)), [_label(run) for run in runs])
    left.set_ylim(len(runs) - 0.4, -0.6)
    for axes in (left, right):
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
    calibrations = ", ".join(device.text for device in result.devices)
    used = ", ".join(f"{name} {result.versions[name]}" for name in ("stichwerk", "qiskit-aer"))
    figure.suptitle(
        f"{result.program} with the noise of {calibrations}\nseed {result.seed}, {used}",
        fontsize=9.5,
    )
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _draw_fidelities(axes: Axes, runs: Sequence[FidelityRun], flattered: Sequence[str]) -> None:
    for offset, (kind, label, colour, marker) in zip((-0.2, 0, 0.2), KINDS, strict=True):
        points = [
            (score.owner_normalized_fidelity, row)
            for row, run in enumerate(runs)
            if (score := run.scores.get(kind)) and score.owner_normalized_fidelity is not None
            and not (kind == "post_selected" and run.encoding in flattered)
        ]  # fmt: skip
        style: dict[str, Any] = {"linestyle": "none", "color": colour, "alpha": 0.85}
        shown = [(value, row) for value, row in points if value >= MIN_SHOWN]
        axes.plot([value for value, _ in shown], [row for _, row in shown], marker=marker,
                  label=label, **style)  # fmt: skip
        below = [row + offset for value, row in points if value < MIN_SHOWN]
        axes.plot([MIN_SHOWN + 0.02] * len(below), below, marker="<", **style)
    for value in (0, 1):
        axes.axvline(value, color=GREY)
    axes.set_xlim(MIN_SHOWN, 1.03)
    axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0 = noise", ".2", ".4", ".6", ".8", "1"])
    axes.set_xlabel("normalised Hellinger fidelity of the owners (◂ far below noise)")


def _draw_winning(axes: Axes, runs: Sequence[FidelityRun], exact: float) -> None:
    for offset, (kind, _, colour, marker) in zip((-0.13, 0.13), KINDS, strict=False):
        points = [
            (row + offset, win.measured, win.low, win.high)
            for row, run in enumerate(runs)
            if (score := run.scores.get(kind))
            for win in [score.observables["win"]]
        ]
        places, *values = zip(*points, strict=True)
        axes.errorbar(values[0], places, xerr=error_bars(*values), fmt=marker, color=colour)
    axes.axvline(exact, color=INK, linestyle="--")
    axes.set_xlim(0, 1 if exact > 0.6 else 0.75)
    axes.set_xlabel(f"P(win), 95 % intervals; dashed: {exact:.4f}")


def _label(run: FidelityRun) -> str:
    return (
        f"{run.noise}: {run.circuit}\n{run.two_qubit_gates:,} two-qubit gates, {run.shots:,} shots"
    )
