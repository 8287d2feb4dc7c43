"""A circuit of operators as a picture: a line for each register, a box for each operator."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from qiskit import QuantumCircuit

from service.report.markup import Html, element

if TYPE_CHECKING:
    from service.report.circuit_picture import Box

COLUMN, LINE, LEFT, GAP = 44, 30, 78, 14
WIDE, NARROW = 10, 6
"""Steps in a row: both are written, and the browser shows the one that fits the screen."""
MOST_STEPS = 120
LONGEST = 7


def circuit_figure(circuit: QuantumCircuit) -> Html:
    """Return a `<figure>` with a circuit, folded into rows; what is beyond is counted."""
    # It draws with matplotlib, which takes long to import.
    from service.report.circuit_picture import place_boxes

    index = {qubit: place for place, qubit in enumerate(circuit.qubits)}
    lines = {index[qubit]: line for line, one in enumerate(circuit.qregs) for qubit in one}
    boxes = place_boxes(circuit, lines)
    steps = max((one.step for one in boxes), default=0) + 1
    names = [f"{one.name} /{one.size}" for one in circuit.qregs]
    title = f"Circuit of {len(boxes)} steps on {', '.join(names)}"
    drawn = [one for one in boxes if one.step < MOST_STEPS]
    pictures = [
        element(
            "div", _folded(drawn, names, columns, title), class_=f"scroll {kind}", tabindex="0",
            role="group", aria_label="Circuit",
        )
        for columns, kind in ((WIDE, "wide"), (NARROW, "slim"))
    ]  # fmt: skip
    counts = Counter(circuit.count_ops())
    told = ", ".join(f"{n} {name}" for name, n in counts.most_common() if name != "barrier")
    left = f" The first {MOST_STEPS} of {steps} columns are drawn." if steps > MOST_STEPS else ""
    said = (
        f"{circuit.num_qubits} qubits, each line a register with their number. {told}. A box "
        f"stands for an operator; measure is M.{left}"
    )
    return element("figure", *pictures, element("figcaption", said))


def _folded(boxes: "Sequence[Box]", names: list[str], columns: int, title: str) -> Html:
    """Return an `<svg>` with so many steps in a row."""
    rows = max((one.step for one in boxes), default=0) // columns + 1
    height = LINE * len(names) + GAP
    shapes = [shape for row in range(rows) for shape in _wires(names, row * height, columns)]
    for one in boxes:
        row, column = divmod(one.step, columns)
        x = LEFT + COLUMN * column + COLUMN // 2
        shapes.append(_box(x, row * height, one.lines, one.label, one.name))
    width = LEFT + COLUMN * columns + 4
    return element("svg", *shapes, viewBox=f"0 0 {width} {rows * height}", role="img",
                   aria_label=title)  # fmt: skip


def _wires(names: list[str], top: int, columns: int) -> list[Html]:
    right = str(LEFT + COLUMN * columns)
    found = []
    for line, name in enumerate(names):
        y = str(_y(top, line))
        found.append(element("text", name, x=str(LEFT - 6), y=y, class_="name"))
        found.append(element("line", x1=str(LEFT), y1=y, x2=right, y2=y, class_="wire"))
    return found


def _box(x: int, top: int, lines: tuple[int, ...], label: str, name: str) -> Html:
    ys = [_y(top, line) for line in sorted(lines)]
    kind = "measured" if name == "measure" else "gate"
    shapes = [element("line", x1=str(x), y1=str(ys[0]), x2=str(x), y2=str(ys[-1]), class_="link")]
    for y in ys:
        shapes.append(element("rect", x=str(x - 20), y=str(y - 12), width="40", height="24",
                              rx="4", class_=kind))  # fmt: skip
    words = [word[:LONGEST] for word in label.split("\n")[:2]]
    for y in ys:
        for place, word in enumerate(words):
            offset = 0 if len(words) == 1 else 9 * place - 4
            shapes.append(element("text", word, x=str(x), y=str(y + offset), class_=kind))
    return element("g", element("title", name), *shapes)


def _y(top: int, line: int) -> int:
    return top + GAP // 2 + LINE * line + LINE // 2
