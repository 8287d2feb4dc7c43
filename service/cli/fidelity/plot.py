"""The picture of the command `fidelity`: how close to perfect, and how often the party wins."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from service.cli.fidelity.table import circuit_name, device_name, flattered
from service.cli.output.plots import write_figure
from service.report.drawing import BLUE, FAINT, GREEN, GREY, INK, ORANGE

LEAST = -0.3
"""Where the axis of fidelities ends; few shots can score far below noise."""

KINDS = (
    ("raw", "as measured", BLUE, "o"),
    ("mitigated", "readout mitigated", ORANGE, "D"),
    ("post_selected", "post-selected on legal outcomes", GREEN, "s"),
)
STYLE: dict[Any, Any] = {
    "font.size": 9.0,
    "text.color": INK,
    "text.parse_math": False,
    "axes.edgecolor": GREY,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "svg.hashsalt": "fidelity",
}


def write_plot(answer: dict[str, Any], path: Path) -> None:
    """Draw normalised fidelities and winning chances of every run, one row each.

    Raises:
        InputError: if the file cannot be written.
    """
    runs = answer["runs"]
    with rc_context(STYLE):
        figure = Figure(figsize=(9.6, 1.7 + 0.36 * len(runs)), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
        _fidelities(left, runs, flattered(answer))
        _winning(right, runs, answer["observables"]["win"])
        left.set_yticks(range(len(runs)), [_label(run) for run in runs])
        left.set_ylim(len(runs) - 0.4, -0.6)
        for axes in (left, right):
            axes.tick_params(axis="y", length=0)
            axes.grid(axis="x", color=FAINT)
            axes.set_axisbelow(True)
        figure.suptitle(_title(answer), fontsize=9.5)
        handles, labels = left.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
        write_figure(figure, path)


def _fidelities(
    axes: Axes, runs: Sequence[dict[str, Any]], without_post_selection: Sequence[str]
) -> None:
    for offset, (kind, label, colour, marker) in zip((-0.2, 0, 0.2), KINDS, strict=True):
        found = [
            {}
            if kind == "post_selected" and run["encoding"] in without_post_selection
            else run["scores"][kind] or {}
            for run in runs
        ]
        values = [one.get("owner_normalized_fidelity") for one in found]
        known = [(value, place) for place, value in enumerate(values) if value is not None]
        style: dict[str, Any] = {"linestyle": "none", "color": colour, "alpha": 0.85}
        axes.plot(
            [value for value, _ in known if value >= LEAST],
            [place for value, place in known if value >= LEAST],
            marker=marker,
            label=label,
            **style,
        )
        below = [place + offset for value, place in known if value < LEAST]
        axes.plot([LEAST + 0.02] * len(below), below, marker="<", markersize=5, **style)
    for value in (0, 1):
        axes.axvline(value, color=GREY, linewidth=1)
    axes.set_xlim(LEAST, 1.03)
    axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0 = noise", ".2", ".4", ".6", ".8", "1"])
    axes.set_xlabel("normalised Hellinger fidelity of the owners (◂ far below noise)")


def _winning(axes: Axes, runs: Sequence[dict[str, Any]], exact: float) -> None:
    for offset, (kind, _, colour, marker) in zip((-0.13, 0.13), KINDS, strict=False):
        found = [run["scores"][kind]["observables"]["win"] for run in runs]
        shares = [one["measured"] for one in found]
        errors = (
            [one["measured"] - one["low"] for one in found],
            [one["high"] - one["measured"] for one in found],
        )
        places = [place + offset for place in range(len(runs))]
        axes.errorbar(shares, places, xerr=errors, fmt=marker, color=colour, markersize=4)
    axes.axvline(exact, color=INK, linestyle="--", linewidth=1)
    axes.set_xlim(0, 1 if exact > 0.6 else 0.75)
    axes.set_xlabel(f"P(win), 95 % intervals; dashed: {exact:.4f}")


def _label(run: dict[str, Any]) -> str:
    gates, shots = run["two_qubit_gates"], run["shots"]
    return f"{device_name(run)}: {circuit_name(run)}\n{gates:,} two-qubit gates, {shots:,} shots"


def _title(answer: dict[str, Any]) -> str:
    calibrated = ", ".join(
        f"{one['snapshot']} {one['backend_version']} of {one['calibrated_at'][:10]}"
        if one["calibrated_at"]
        else str(one["snapshot"])
        for one in answer["devices"]
    )
    versions = answer["versions"]
    return (
        f"{answer['program']} with the noise of {calibrated}\n"
        f"seed {answer['seed']}, stichwerk {versions['stichwerk']}, qiskit {versions['qiskit']}, "
        f"qiskit-aer {versions['qiskit-aer']}"
    )
