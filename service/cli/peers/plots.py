"""Plots of the command `peers`: gates against the best peer's, and gates against CPU seconds."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from compiler.words.held_inputs import FROM_ZERO, from_zero_suffix
from service.cli.output.plot_style import styled
from service.pages.colours import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, SKY, VERMILION
from workers.peers.comparison import Result
from workers.peers.costs import SIZES, Cost, costs
from workers.peers.ratios import ratios
from workers.peers.subjects import Form, Kind

STYLES = {
    "qiskit": ("o", ORANGE),
    "tket": ("s", GREEN),
    "bqskit": ("^", PURPLE),
    "qmap": ("P", INK),
    "iqm": ("p", SKY),
    "stichwerk-fast": ("v", INK),
    "stichwerk-any-input": ("D", BLUE),
    "stichwerk": ("*", VERMILION),
}
OTHER = ("h", GREY)
TICKS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0)
LABELS = {
    "two_qubit_gates": "two-qubit gates / best peer's",
    "two_qubit_depth": "two-qubit depth / best peer's",
    "expected_fidelity": "best peer's expected fidelity / fidelity",
}
MIN_RATIO = 0.2
"""Ratios below are drawn here, with an arrow's head."""

REFERENCE = "qiskit"


@styled
def draw_peers(results: Sequence[Result]) -> Figure:
    """Draw every proven result, one row a program, one panel a target.

    The horizontal axis is the figure of the objective over that of the best peer; peers are never
    left of 1, and ours is the better the further left it is.
    """
    best = {ratio.case: ratio.theirs for ratio in ratios(results)}
    shown = [r for r in results if r.counts and r.case in best and r.cost is not None]
    objectives = {case.objective for case in best}
    label = ", ".join(LABELS[objective] for objective in sorted(objectives))
    targets = list(dict.fromkeys(map(_target, shown))) or ["nothing proven"]
    programs = list(dict.fromkeys(map(_program, shown)))
    figure = Figure(figsize=(2.3 + 3.1 * len(targets), 0.27 * len(programs) + 1.5))
    panels = figure.subplots(1, len(targets), sharey=True, squeeze=False)[0]
    for panel, target in zip(panels, targets, strict=True):
        for result in shown:
            if _target(result) == target:
                ratio = (result.cost or 0) / best[result.case]
                marker, colour = STYLES.get(result.peer, OTHER)
                panel.plot(
                    max(ratio, MIN_RATIO), programs.index(_program(result)),
                    "<" if ratio < MIN_RATIO else marker, color=colour,
                    markersize=10 if marker == "*" else 6, markeredgecolor="white",
                    markeredgewidth=0.6, label=_label(result),
                )  # fmt: skip
        panel.set_title(target)
        panel.set_xscale("log")
        panel.set_xlim(MIN_RATIO * 0.93, 5.5)
        panel.set_xticks(TICKS)
        panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        panel.xaxis.set_minor_locator(NullLocator())
        panel.axvline(1, color=GREY)
        _finish(panel, label)
    panels[0].set_yticks(range(len(programs)), programs)
    panels[0].set_ylim(len(programs) - 0.4, -0.6)
    handles = {
        label: handle
        for panel in panels
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
        if handle.get_marker() != "<"
    }
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=5)
    return figure


@styled
def draw_seconds(results: Sequence[Result]) -> Figure:
    """Draw one panel a size: CPU seconds over Qiskit's, and two-qubit gates over Qiskit's.

    Right of 1 a compiler takes longer than Qiskit's calls together, below 1 it needs fewer gates.
    A hollow marker is a result that is not proven.
    """
    compared = [cost for cost in costs(results) if cost.reference == REFERENCE]
    sizes = [s for s in SIZES if any(s[0] <= c.qubits <= s[1] for c in compared)] or [SIZES[0]]
    figure = Figure(figsize=(3.6 * len(sizes) + 0.6, 4.2))
    panels = figure.subplots(1, len(sizes), sharey=True, squeeze=False)[0]
    for panel, (smallest, largest) in zip(panels, sizes, strict=True):
        panel.set_title(f"{smallest} to {largest} qubits")
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.axhline(1, color=GREY)
        panel.axvline(1, color=GREY)
        for cost in compared:
            if smallest <= cost.qubits <= largest:
                panel.add_line(_marker(cost.peer, cost))
        panel.autoscale_view()
        _finish(panel, "CPU seconds / Qiskit's")
    panels[0].set_ylabel("two-qubit gates / Qiskit's")
    handles = [_marker(name) for name in dict.fromkeys(cost.peer for cost in compared)]
    figure.legend(handles=handles, loc="outside lower center", ncols=5)
    return figure


def _marker(peer: str, cost: Cost | None = None) -> Line2D:
    """Return the marker of a compiler, at a cost or for the legend."""
    marker, colour = STYLES.get(peer, OTHER)
    return Line2D(
        [] if cost is None else [cost.cpu_ratio],
        [] if cost is None else [cost.gates_ratio],
        linestyle="",
        marker=marker,
        color=colour,
        label=peer,
        markersize=9 if marker == "*" else 6,
        markerfacecolor=colour if cost is None or cost.proven else "white",
    )


def _finish(panel: Axes, label: str) -> None:
    panel.set_xlabel(label)
    panel.tick_params(labelsize=8, length=0, which="both")
    panel.spines[["left", "bottom"]].set_visible(False)


def _label(result: Result) -> str:
    """Return a compiler's name; of circuits most results hold on any input, and others say so."""
    circuit = result.case.subject.kind is Kind.CIRCUIT
    return result.peer + from_zero_suffix(from_zero=circuit and result.holds == FROM_ZERO)


def _target(result: Result) -> str:
    family, *remaining = result.case.target.split(":")
    return family if remaining and remaining[0].isdigit() else result.case.target


def _program(result: Result) -> str:
    form = result.case.form
    return result.case.subject.title + f" ({form})" * (form is not Form.GIVEN)
