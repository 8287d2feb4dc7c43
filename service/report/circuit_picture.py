"""The operator-level circuit: one line per register, one box per operator."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from attrs import evolve, frozen
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from qiskit import QuantumCircuit
from qiskit.circuit import Clbit, IfElseOp, Instruction, SwitchCaseOp

from compiler.dynamic.choices import choice_of
from compiler.synthesis.operator import operators
from service.report.drawing import BLUE, GREEN, GREY, INK, WIDTH_PT, picture
from service.report.markup import Html, element

CONTROLS = {"cx": 1, "ccx": 2}
"""Controls of the gates that are drawn with dots."""

STEPS_A_LINE = 9
MOST_QUBITS, MOST_GATES, MOST_LETTERS, MOST_ASKED = 20, 100, 8, 2
ROW_PT, STEP_PT, LEFT_PT, GAP_PT = 25.0, 30.0, 57.0, 10.0


@frozen
class Box:
    """One operator, or equal gates side by side, on some lines of the picture.

    Args:
        name: the gate's name.
        label: what is written on it.
        lines: in the order of its operands.
        step: column of the picture.
        wires: the qubits, to tell gates side by side from gates after each other.
    """

    name: str
    label: str
    lines: tuple[int, ...]
    step: int
    wires: frozenset[int]


def circuit_picture(program: QuantumCircuit, bundled: bool, name: str) -> Html:
    """Draw a program.

    Args:
        program: at the level of operators.
        bundled: whether each register is one line, rather than each qubit.
        name: the picture's id.
    """
    if not bundled and (program.num_qubits > MOST_QUBITS or program.size() > MOST_GATES):
        kinds = ", ".join(
            f"{name} × {n:,}" for name, n in Counter(program.count_ops()).most_common()
        )
        return element(
            "p",
            f"Too large to draw: {program.num_qubits:,} qubits, {program.size():,} gates: {kinds}.",
        )
    names, line_of = _lines(program, bundled)
    boxes = place_boxes(program, line_of)
    steps = max((box.step for box in boxes), default=0) + 1
    folds = -(-steps // STEPS_A_LINE)
    height = folds * (ROW_PT * len(names) + GAP_PT)
    listed = ", ".join(box.label.replace("\n", " ") for box in boxes)
    return picture(
        lambda figure: _draw(figure, names, boxes, steps),
        height,
        f"Circuit with the lines {', '.join(names)}. In order: {listed}.",
        _caption(program, bundled),
        name,
    )


def place_boxes(program: QuantumCircuit, line_of: Mapping[int, int]) -> list[Box]:
    """Place every gate as early as possible; gates whose spans overlap take different steps.

    What reads or writes a classical bit comes after what was done with it before.

    Args:
        program: its barriers are left out.
        line_of: line of the picture on which each qubit lies, by index.
    """
    index = {qubit: i for i, qubit in enumerate(program.qubits)}
    free: Counter[int | Clbit] = Counter()
    boxes: list[Box] = []
    for item in program.data:
        gate = item.operation
        if gate.name == "barrier":
            continue
        wires = [index[qubit] for qubit in item.qubits]
        lines = tuple(dict.fromkeys(line_of[wire] for wire in wires))
        last = boxes[-1] if boxes else None
        if last and (last.name, last.lines) == (gate.name, lines) and last.wires.isdisjoint(wires):
            boxes[-1] = evolve(last, wires=last.wires | set(wires))
            continue
        span = (*range(min(lines), max(lines) + 1), *item.clbits)
        step = max(free[place] for place in span)
        boxes.append(Box(gate.name, _label(gate, program), lines, step, frozenset(wires)))
        for place in span:
            free[place] = step + 1
    return boxes


def _label(gate: Instruction, program: QuantumCircuit) -> str:
    if gate.name == "measure":
        return "M"
    if isinstance(gate, IfElseOp | SwitchCaseOp):
        return "\n".join(map(_short, (gate.name.partition("_")[0], *_asked(gate, program))))
    words = str(gate.label or gate.name)
    if gate.label or "_" in gate.name:
        words = words.replace("_", "\n").replace(" ", "\n")
    elif len(gate.params) == 1 and isinstance(gate.params[0], int | float):
        words += f"\n{gate.params[0]:.2g}"
    return "\n".join(map(_short, words.split("\n")[:3]))


def _short(word: str, most: int = MOST_LETTERS) -> str:
    return word if len(word) <= most else f"{word[:5]}…"


def _asked(branch: IfElseOp | SwitchCaseOp, program: QuantumCircuit) -> list[str]:
    """Return the names of the registers whose bits decide."""
    places = [program.find_bit(bit).registers for bit in choice_of(branch).reads]
    names = dict.fromkeys(place[0][0].name for place in places if place)
    # Unlike most words of this length, a register's name may be all wide letters.
    return [_short(name, MOST_LETTERS - 2) for name in [*names][:MOST_ASKED]]


def _lines(program: QuantumCircuit, bundled: bool) -> tuple[list[str], dict[int, int]]:
    if not bundled:
        names = [
            f"{place.registers[0][0].name}[{place.registers[0][1]}]" if place.registers else str(i)
            for i, place in enumerate(map(program.find_bit, program.qubits))
        ]
        return names, {i: i for i in range(program.num_qubits)}
    index = {qubit: i for i, qubit in enumerate(program.qubits)}
    registers = program.qregs
    lines = {index[qubit]: line for line, reg in enumerate(registers) for qubit in reg}
    return [f"{register.name} /{register.size}" for register in registers], lines


def _caption(program: QuantumCircuit, bundled: bool) -> str:
    drawn = "each line a register with its number of qubits" if bundled else "each line a qubit"
    play = "CP2 A: seat A plays one of its 2 cards. " if "card_play" in program.count_ops() else ""
    branches = {"if": "if_else", "switch": "switch_case"}
    met = [word for word, name in branches.items() if name in program.count_ops()]
    by = f" {' and '.join(met)}: by measured bits, whose registers are named." if met else ""
    return f"{program.num_qubits} qubits; {drawn}. {play}M: measured.{by}"


def _draw(figure: Figure, names: Sequence[str], boxes: Sequence[Box], steps: int) -> None:
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    fold_pt = ROW_PT * len(names) + GAP_PT
    folds = -(-steps // STEPS_A_LINE)
    axes.set_xlim(0, WIDTH_PT)
    axes.set_ylim(folds * fold_pt, 0)
    for fold in range(folds):
        end = min(STEPS_A_LINE, steps - fold * STEPS_A_LINE)
        for line, name in enumerate(names):
            y = _y(fold * fold_pt, line)
            axes.plot(
                [LEFT_PT, LEFT_PT + end * STEP_PT], [y, y], color=GREY, linewidth=0.9, zorder=1
            )
            axes.text(LEFT_PT - 4, y, name, ha="right", va="center", size=7.5)
    for box in boxes:
        fold, column = divmod(box.step, STEPS_A_LINE)
        _draw_box(axes, box, LEFT_PT + (column + 0.5) * STEP_PT, fold * fold_pt)


def _y(top: float, line: int) -> float:
    return top + GAP_PT / 2 + (line + 0.5) * ROW_PT


def _draw_box(axes: Axes, box: Box, x: float, top: float) -> None:
    colour = operators[box.name].colour if box.name in operators else "white"
    ink = "white" if colour in (BLUE, GREEN) else INK
    ends = [_y(top, line) for line in (min(box.lines), max(box.lines))]
    axes.plot([x, x], ends, color=INK if colour == "white" else colour, linewidth=1.6, zorder=2)
    if CONTROLS.get(box.name) == len(box.lines) - 1:
        *controls, target = (_y(top, line) for line in box.lines)
        axes.plot([x] * len(controls), controls, "o", color=INK, markersize=5, zorder=3)
        axes.plot([x], [target], "o", markerfacecolor="white", markeredgecolor=INK, markersize=10,
                  zorder=3)  # fmt: skip
        axes.plot([x], [target], "+", color=INK, markersize=10, zorder=4)
        return
    runs = _runs(sorted(box.lines))
    for run in runs:
        middle, half = STEP_PT / 2 - 1, (len(run) * ROW_PT) / 2 - 3
        y = (_y(top, run[0]) + _y(top, run[-1])) / 2
        style = "round,pad=0,rounding_size=3"
        corner = (x - middle, y - half)
        axes.add_patch(
            FancyBboxPatch(corner, 2 * middle, 2 * half, boxstyle=style, facecolor=colour,
                           edgecolor=INK, linewidth=0.8, zorder=3)
        )  # fmt: skip
    longest = max(runs, key=len)
    y = (_y(top, longest[0]) + _y(top, longest[-1])) / 2
    axes.text(
        x, y, box.label, ha="center", va="center", color=ink, size=6.6, linespacing=1.1, zorder=5
    )


def _runs(lines: Sequence[int]) -> list[list[int]]:
    """Split sorted lines where they do not adjoin."""
    runs = [[lines[0]]]
    for before, line in pairwise(lines):
        if line == before + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs
