"""Pictures of circuits, gate by gate, with bands that name their parts."""

from collections.abc import Sequence

from attrs import frozen
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate, Instruction

from service.pages.colours import FAINT, GREY, INK, SKY, YELLOW

STEP, ROW = 0.49, 0.36
"""Inches from gate to gate and from line to line."""
LEFT, TOP, BOTTOM, RIGHT = 0.95, 0.62, 0.12, 0.12
SIZE = 11.0
LETTER = 0.1
"""Inches that a letter of a band's name takes."""
EXCHANGE = "exchange"


@frozen
class Band:
    """Gates that are drawn together under a name.

    Args:
        name: may have several lines.
        circuit: gates, and boxes labelled `exchange`.
    """

    name: str
    circuit: QuantumCircuit


@frozen
class _Placed:
    gate: Instruction
    lines: tuple[int, ...]
    step: float


def draw_bands(rows: Sequence[Sequence[Band]], names: Sequence[str]) -> Figure:
    """Draw circuits on the same qubits one after the other.

    Args:
        rows: of the picture, read like lines of text.
        names: of the lines, one per qubit.
    """
    steps = max(_place(bands)[1][-1] for bands in rows)
    width, height = LEFT + steps * STEP + RIGHT, TOP + len(names) * ROW + BOTTOM
    figure = Figure(figsize=(width, height * len(rows)))
    for row, bands in enumerate(rows):
        axes = figure.add_axes((0, 1 - (row + 1) / len(rows), 1, 1 / len(rows)))
        axes.set_axis_off()
        axes.set_xlim(0, width)
        axes.set_ylim(height, 0)
        _draw_row(axes, bands, names)
    return figure


def _draw_row(axes: Axes, bands: Sequence[Band], names: Sequence[str]) -> None:
    placed, starts = _place(bands)
    for place, band in enumerate(bands):
        left, right = (LEFT + step * STEP for step in starts[place : place + 2])
        if place % 2 == 0:
            axes.axvspan(left, right, ymax=1, color=FAINT, alpha=0.5, linewidth=0, zorder=0)
        axes.text((left + right) / 2, TOP / 2, band.name, ha="center", va="center", size=SIZE)
    for line, name in enumerate(names):
        y = _y(line)
        axes.plot([LEFT, LEFT + starts[-1] * STEP], [y, y], color=GREY, linewidth=0.9, zorder=1)
        axes.text(LEFT - 0.08, y, name, ha="right", va="center", size=SIZE)
    for gate in placed:
        _draw_gate(axes, gate)


def _place(bands: Sequence[Band]) -> tuple[list[_Placed], list[float]]:
    """Place every gate of a band as early in it as its span allows, and the band's name above."""
    placed: list[_Placed] = []
    starts = [0.0]
    for band in bands:
        columns = _columns(band.circuit)
        used = 1 + max(column for _, column in columns)
        width = max(used, max(map(len, band.name.split("\n"))) * LETTER / STEP)
        first = starts[-1] + (width - used) / 2
        placed += [_Placed(gate, lines, first + column) for (gate, lines), column in columns]
        starts.append(starts[-1] + width)
    return placed, starts


def _columns(circuit: QuantumCircuit) -> list[tuple[tuple[Instruction, tuple[int, ...]], int]]:
    free = [0] * circuit.num_qubits
    columns = []
    for item in circuit.data:
        lines = tuple(circuit.find_bit(qubit).index for qubit in item.qubits)
        span = range(min(lines), max(lines) + 1)
        column = max(free[line] for line in span)
        columns.append(((item.operation, lines), column))
        for line in span:
            free[line] = column + 1
    return columns


def _y(line: float) -> float:
    return TOP + (line + 0.5) * ROW


def _draw_gate(axes: Axes, placed: _Placed) -> None:
    x = LEFT + (placed.step + 0.5) * STEP
    ends = [_y(min(placed.lines)), _y(max(placed.lines))]
    axes.plot([x, x], ends, color=INK, linewidth=1.3, zorder=2)
    gate = placed.gate
    if gate.name == EXCHANGE:
        *held, target, start = placed.lines
        for line in held:
            _dot(axes, x, line, INK)
        _box(axes, x, target, str(gate.label), SKY)
        _box(axes, x, start, "⇄", SKY)
        return
    base, controls = gate, 0
    if isinstance(gate, ControlledGate):
        base, controls = gate.base_gate, gate.num_ctrl_qubits
    for i, line in enumerate(placed.lines[:controls]):
        filled = gate.ctrl_state >> i & 1
        _dot(axes, x, line, INK if filled else "white")
    target = placed.lines[-1]
    if base.name == "z" and controls:
        _dot(axes, x, target, INK)
    elif base.name == "x" and controls:
        axes.plot([x], [_y(target)], "o", markerfacecolor="white", markeredgecolor=INK,
                  markersize=13, zorder=3)  # fmt: skip
        axes.plot([x], [_y(target)], "+", color=INK, markersize=13, zorder=4)
    else:
        _box(axes, x, target, base.name.upper(), YELLOW)


def _dot(axes: Axes, x: float, line: int, colour: str) -> None:
    axes.plot([x], [_y(line)], "o", markerfacecolor=colour, markeredgecolor=INK, markersize=6.5,
              zorder=3)  # fmt: skip


def _box(axes: Axes, x: float, line: int, label: str, colour: str) -> None:
    half_width, half_height = 0.215, 0.14
    corner = (x - half_width, _y(line) - half_height)
    shape = FancyBboxPatch(corner, 2 * half_width, 2 * half_height, facecolor=colour, edgecolor=INK,
                           boxstyle="round,pad=0,rounding_size=0.04", linewidth=0.8,
                           zorder=3)  # fmt: skip
    axes.add_patch(shape)
    axes.text(x, _y(line), label, ha="center", va="center", size=SIZE - 1, zorder=5)
