"""A plot of several compilers' two-qubit gates as shares of the best peer's."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from compiler.words.held_inputs import FROM_ZERO, from_zero_suffix
from service.report.drawing import BLUE, FAINT, GREEN, GREY, INK, ORANGE, PURPLE, SKY, VERMILION
from workers.peers.comparison import Result
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
LEAST = 0.2
"""Ratios below are drawn here, with an arrow's head."""

ROW_INCHES, PANEL_INCHES, NAMES_INCHES = 0.27, 3.1, 2.3


def draw_peers(results: Sequence[Result]) -> Figure:
    """Draw every proven result, one row a program, one panel a target.

    The horizontal axis is two-qubit gates over those of the best peer; peers are never left of
    1, and ours is the better the further left it is.
    """
    best = {ratio.case: ratio.theirs for ratio in ratios(results)}
    shown = [result for result in results if result.counts and result.case in best]
    targets = list(dict.fromkeys(_target(result) for result in shown)) or ["nothing proven"]
    programs = list(dict.fromkeys(_program(result) for result in shown))
    height = ROW_INCHES * len(programs) + 1.5
    figure = Figure(figsize=(NAMES_INCHES + PANEL_INCHES * len(targets), height))
    panels = figure.subplots(1, len(targets), sharey=True, squeeze=False)[0]
    for panel, target in zip(panels, targets, strict=True):
        _draw_panel(panel, target)
        for result in shown:
            if _target(result) == target:
                ratio = (result.two_qubit_gates or 0) / best[result.case]
                marker, colour = STYLES.get(result.peer, OTHER)
                size = 10 if marker == "*" else 6
                panel.plot(
                    max(ratio, LEAST), programs.index(_program(result)),
                    "<" if ratio < LEAST else marker, color=colour, markersize=size,
                    markeredgecolor="white", markeredgewidth=0.6, label=_label(result),
                )  # fmt: skip
    panels[0].set_yticks(range(len(programs)), programs, size=9)
    panels[0].set_ylim(len(programs) - 0.4, -0.6)
    handles = {
        label: handle
        for panel in panels
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
        if handle.get_marker() != "<"
    }
    figure.legend(handles.values(), handles.keys(), loc="lower center", ncols=5, frameon=False)
    top = 1 - 0.35 / height
    width = NAMES_INCHES + PANEL_INCHES * len(targets)
    figure.subplots_adjust(
        left=NAMES_INCHES / width, right=0.985, top=top, bottom=0.95 / height, wspace=0.06
    )
    return figure


def _draw_panel(panel: Axes, target: str) -> None:
    panel.set_title(target, size=10, color=INK)
    panel.set_xscale("log")
    panel.set_xlim(LEAST * 0.93, 5.5)
    panel.set_xticks(TICKS)
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.xaxis.set_minor_locator(NullLocator())
    panel.tick_params(axis="x", labelsize=8)
    panel.tick_params(axis="both", length=0)
    panel.grid(color=FAINT, linewidth=0.6)
    panel.set_axisbelow(True)
    panel.axvline(1, color=GREY, linewidth=1)
    panel.set_xlabel("two-qubit gates / best peer's", size=9)
    for side in ("top", "right", "left", "bottom"):
        panel.spines[side].set_visible(False)


def _label(result: Result) -> str:
    """Return a compiler's name; of circuits most results hold on any input, and others say so."""
    circuit = result.case.subject.kind is Kind.CIRCUIT
    return result.peer + from_zero_suffix(from_zero=circuit and result.holds == FROM_ZERO)


def _target(result: Result) -> str:
    family, *rest = result.case.target.split(":")
    return family if rest and rest[0].isdigit() else result.case.target


def _program(result: Result) -> str:
    form = result.case.form
    return result.case.subject.title + f" ({form})" * (form is not Form.GIVEN)
