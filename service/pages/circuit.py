"""Drawing of a circuit: a line for each qubit or register, a box for each operator."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from attrs import evolve, frozen
from markupsafe import Markup
from qiskit import QuantumCircuit
from qiskit.circuit import Clbit, IfElseOp, Instruction, SwitchCaseOp

from compiler.dynamic.pieces import choice_of
from compiler.synthesis.method import operators
from service.pages.colours import BLUE, GREEN
from service.pages.rendering import render_part

CONTROLS = {"cx": 1, "ccx": 2}
"""Controls of the gates that are drawn with dots."""

COLUMNS = 8
"""Columns of a row of the drawing: as many as a phone shows legibly."""
MAX_QUBITS, MAX_GATES, MAX_COLUMNS, MAX_LETTERS, MAX_REGISTERS = 20, 100, 120, 8, 2
MAX_SHORT = 3
"""Letters of a label in larger type."""
LINE, COLUMN, LEFT, GAP = 32, 40, 62, 8


@frozen
class Box:
    """An operator, or equal gates side by side.

    Args:
        name: of the gate.
        label: text on it, of at most three lines.
        lines: of the drawing, in the order of its operands.
        column: from the left.
        wires: the qubits, to tell gates side by side from gates after each other.
        outcome: of a measurement, if it is shown.
    """

    name: str
    label: str
    lines: tuple[int, ...]
    column: int
    wires: frozenset[int]
    outcome: str = ""


def circuit_figure(
    circuit: QuantumCircuit,
    *,
    bundled: bool,
    outcomes: Sequence[int] | None = None,
    max_columns: int = MAX_COLUMNS,
    name: str = "",
) -> Markup:
    """Return a `<figure>` with the circuit, folded into rows.

    Args:
        circuit: at the level of operators; a large one is only described.
        bundled: whether each line is a register rather than a qubit.
        outcomes: of its first classical bits, in a running match. Then the last columns are
            drawn, and the first ones otherwise.
        max_columns: number of columns that are drawn.
        name: id of the figure; empty for none.
    """
    counts = Counter(circuit.count_ops())
    kinds = ", ".join(f"{n:,} {kind}" for kind, n in counts.most_common() if kind != "barrier")
    size = f"{circuit.num_qubits:,} qubits"
    many = circuit.num_qubits > MAX_QUBITS or circuit.size() > MAX_GATES
    if not bundled and outcomes is None and many:
        return Markup("<p>{}</p>").format(f"Too large to draw: {size}, {kinds}.")
    names, lines = _lines(circuit, bundled)
    boxes = place_boxes(circuit, lines, outcomes)
    columns = max((box.column for box in boxes), default=0) + 1
    folds = -(-min(columns, max_columns) // COLUMNS)
    first = 0 if outcomes is None else max(0, -(-columns // COLUMNS) - folds) * COLUMNS
    height = LINE * len(names) + GAP
    drawn = [
        _shapes(evolve(box, column=box.column - first), names, height)
        for box in boxes
        if first <= box.column < first + max_columns
    ]
    heights = [(fold * height + _y(line), name) for fold in range(folds)
               for line, name in enumerate(names)]  # fmt: skip
    what = "register with its number of qubits" if bundled else "qubit"
    caption = []
    if outcomes is None:
        caption = [f"{size}, each line a {what}. {kinds or 'No gate'}."]
    if "measure" in counts:
        caption.append("A filled box is a measurement.")
    if "card_play" in counts:
        caption.append("CP2 A: seat A plays one of its 2 cards.")
    branches = [word for word in ("if_else", "switch_case") if word in counts]
    if branches:
        registers = " and ".join(word.partition("_")[0] for word in branches)
        caption.append(f"{registers}: by measured bits, whose registers are named.")
    if columns > max_columns:
        end = "first" if outcomes is None else "last"
        caption.append(f"The {end} {folds * COLUMNS} of {columns} columns are drawn.")
    return render_part(
        "circuit.html",
        name=name,
        view=(LEFT + COLUMN * COLUMNS + 4, folds * height),
        left=LEFT,
        wires=heights,
        boxes=drawn,
        spoken=f"Circuit of {', '.join(names)}: "
        + ("; ".join(_box_text(box, names) for box in boxes) or "no gate yet"),
        caption=" ".join(caption),
    )


def place_boxes(
    circuit: QuantumCircuit, lines: Sequence[int], outcomes: Sequence[int] | None = None
) -> list[Box]:
    """Place every gate as early as possible; gates whose spans overlap take different columns.

    A gate that reads or writes a classical bit follows the gates that used it before.

    Args:
        circuit: its barriers are left out.
        lines: line of the drawing of each qubit.
        outcomes: of its first classical bits; None if they are not shown.
    """
    qubits = {qubit: place for place, qubit in enumerate(circuit.qubits)}
    bits = {bit: place for place, bit in enumerate(circuit.clbits)}
    free: Counter[int | Clbit] = Counter()
    boxes: list[Box] = []
    for item in circuit.data:
        gate = item.operation
        if gate.name == "barrier":
            continue
        wires = [qubits[qubit] for qubit in item.qubits]
        own = tuple(dict.fromkeys(lines[wire] for wire in wires))
        last = boxes[-1] if boxes else None
        if last and (last.name, last.lines) == (gate.name, own) and last.wires.isdisjoint(wires):
            boxes[-1] = evolve(last, wires=last.wires | set(wires))
            continue
        span = (*range(min(own), max(own) + 1), *item.clbits)
        column = max(free[place] for place in span)
        outcome = ""
        if gate.name == "measure" and outcomes is not None:
            bit = bits[item.clbits[0]]
            outcome = str(outcomes[bit]) if bit < len(outcomes) else "?"
        label = outcome or _label(gate, circuit)
        boxes.append(Box(gate.name, label, own, column, frozenset(wires), outcome))
        for place in span:
            free[place] = column + 1
    return boxes


def _label(gate: Instruction, circuit: QuantumCircuit) -> str:
    if gate.name in ("measure", "reset"):
        return "M" if gate.name == "measure" else "|0⟩"
    if isinstance(gate, IfElseOp | SwitchCaseOp):
        registers = _deciding_registers(gate, circuit)
        return "\n".join(map(_short, (gate.name.partition("_")[0], *registers)))
    text = str(gate.label or gate.name)
    if gate.label or "_" in gate.name:
        text = text.replace("_", "\n").replace(" ", "\n")
    elif len(gate.params) == 1 and isinstance(gate.params[0], int | float):
        text += f"\n{gate.params[0]:.2g}"
    return "\n".join(map(_short, text.split("\n")[:3]))


def _short(word: str, letters: int = MAX_LETTERS) -> str:
    return word if len(word) <= letters else f"{word[:5]}…"


def _deciding_registers(branch: IfElseOp | SwitchCaseOp, circuit: QuantumCircuit) -> list[str]:
    places = [circuit.find_bit(bit).registers for bit in choice_of(branch).reads]
    names = dict.fromkeys(place[0][0].name for place in places if place)
    # Unlike most words of this length, a register's name may be all wide letters.
    return [_short(name, MAX_LETTERS - 2) for name in [*names][:MAX_REGISTERS]]


def _lines(circuit: QuantumCircuit, bundled: bool) -> tuple[list[str], list[int]]:
    """Return the names of the lines, and the line of each qubit."""
    if bundled:
        line_of = {qubit: line for line, register in enumerate(circuit.qregs) for qubit in register}
        names = [f"{register.name} /{register.size}" for register in circuit.qregs]
        return names, [line_of[qubit] for qubit in circuit.qubits]
    places = [circuit.find_bit(qubit).registers for qubit in circuit.qubits]
    names = [
        str(line) if not place
        else place[0][0].name if place[0][0].size == 1
        else f"{place[0][0].name}[{place[0][1]}]"
        for line, place in enumerate(places)
    ]  # fmt: skip
    return names, list(range(circuit.num_qubits))


def _box_text(box: Box, names: Sequence[str]) -> str:
    on = ", ".join(names[line] for line in box.lines)
    if box.outcome:
        return f"{on} measured: {'not known yet' if box.outcome == '?' else box.outcome}"
    return f"{box.name} on {on}"


def _shapes(box: Box, names: Sequence[str], height: int) -> dict[str, Any]:
    """Return the coordinates of a box and of its parts."""
    fold, column = divmod(box.column, COLUMNS)
    ys = [fold * height + _y(line) for line in box.lines]
    runs = _runs(sorted(box.lines))
    lines = box.label.split("\n")
    middles = [fold * height + (_y(run[0]) + _y(run[-1])) / 2 for run in runs]
    colour = operators[box.name].colour if box.name in operators else "white"
    kind = "box"
    if CONTROLS.get(box.name) == len(box.lines) - 1:
        kind = "controlled"
    elif box.name.endswith("swap") and len(ys) == 2:
        kind = "swap"
    return {
        "kind": kind,
        "class": "measured" if box.name == "measure" else "gate",
        "size": " short" if len(box.label) <= MAX_SHORT else "",
        "title": _box_text(box, names),
        "x": LEFT + COLUMN * column + COLUMN // 2,
        "ys": ys,
        "ends": (min(ys), max(ys)),
        "runs": [(fold * height + _y(run[0]) - LINE / 2 + 2, LINE * len(run) - 4) for run in runs],
        "words": [
            (f"{middle + 9 * (place - (len(lines) - 1) / 2):g}", word)
            for middle in middles
            for place, word in enumerate(lines)
        ],
        "colour": "" if colour == "white" else colour,
        "ink": "white" if colour in (BLUE, GREEN) else "#222222",
    }


def _y(line: int) -> int:
    return GAP // 2 + LINE * line + LINE // 2


def _runs(lines: Sequence[int]) -> list[list[int]]:
    """Split sorted lines where they do not adjoin."""
    runs = [[lines[0]]]
    for before, line in pairwise(lines):
        if line == before + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs
