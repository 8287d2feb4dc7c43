"""A plot of the gates that compilers win over Qiskit against the CPU seconds that they take."""

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from service.cli.peers.plot import OTHER, STYLES
from service.report.drawing import FAINT, GREY, INK
from workers.peers.comparison import Result
from workers.peers.costs import SIZES, Cost, costs

REFERENCE = "qiskit"


def draw_seconds(results: Sequence[Result]) -> Figure:
    """Draw one panel a size: CPU seconds over Qiskit's, and two-qubit gates over Qiskit's.

    Right of 1 a compiler takes longer than Qiskit's calls together, below 1 it needs fewer gates.
    A hollow marker is a result that is not proven.
    """
    found = [cost for cost in costs(results) if cost.reference.peer == REFERENCE]
    sizes = [s for s in SIZES if any(s[0] <= cost.qubits <= s[1] for cost in found)] or [SIZES[0]]
    figure = Figure(figsize=(3.6 * len(sizes) + 0.6, 4.2))
    panels = figure.subplots(1, len(sizes), sharey=True, squeeze=False)[0]
    for panel, (least, most) in zip(panels, sizes, strict=True):
        panel.set_title(f"{least} to {most} qubits", size=10, color=INK)
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_xlabel("CPU seconds / Qiskit's", size=9)
        panel.grid(color=FAINT, linewidth=0.6, which="both")
        panel.set_axisbelow(True)
        panel.axhline(1, color=GREY, linewidth=1)
        panel.axvline(1, color=GREY, linewidth=1)
        panel.tick_params(labelsize=8, length=0, which="both")
        for side in ("top", "right", "left", "bottom"):
            panel.spines[side].set_visible(False)
        for cost in found:
            if least <= cost.qubits <= most:
                panel.add_line(_marker(cost))
        panel.autoscale_view()
    panels[0].set_ylabel("two-qubit gates / Qiskit's", size=9)
    names = list(dict.fromkeys(cost.result.peer for cost in found))
    handles = [
        Line2D([], [], linestyle="", marker=marker, color=colour, label=name)
        for name in names
        for marker, colour in [STYLES.get(name, OTHER)]
    ]
    figure.legend(handles=handles, loc="lower center", ncols=5, frameon=False)
    figure.subplots_adjust(left=0.09, right=0.98, top=0.92, bottom=0.24, wspace=0.08)
    return figure


def _marker(cost: Cost) -> Line2D:
    marker, colour = STYLES.get(cost.result.peer, OTHER)
    return Line2D(
        [cost.cpu],
        [cost.gates],
        linestyle="",
        marker=marker,
        color=colour,
        markersize=9 if marker == "*" else 6,
        markerfacecolor=colour if cost.result.counts else "white",
    )
