"""A circuit of operators as a picture: a line for each register, a box for each operator."""

from collections import Counter

from qiskit import QuantumCircuit

from service.report.markup import Html, element

COLUMN, LINE, LEFT, COLUMNS, GAP = 44, 30, 78, 10, 14
MOST_ROWS = 12
LONGEST = 7


def circuit_figure(circuit: QuantumCircuit) -> Html:
    """Return a `<figure>` with a circuit, folded into rows; what is beyond is counted."""
    # It draws with matplotlib, which takes long to import.
    from service.report.circuit_picture import place_boxes

    index = {qubit: place for place, qubit in enumerate(circuit.qubits)}
    lines = {index[qubit]: line for line, one in enumerate(circuit.qregs) for qubit in one}
    names = [f"{one.name} /{one.size}" for one in circuit.qregs]
    boxes = place_boxes(circuit, lines)
    rows = -(-(max((one.step for one in boxes), default=0) + 1) // COLUMNS)
    shown, height = min(rows, MOST_ROWS), LINE * len(names) + GAP
    shapes = [shape for row in range(shown) for shape in _wires(names, row * height)]
    for one in boxes:
        row, column = divmod(one.step, COLUMNS)
        if row < shown:
            x = LEFT + COLUMN * column + COLUMN // 2
            shapes.append(_box(x, row * height, one.lines, one.label, one.name))
    width = LEFT + COLUMN * COLUMNS + 4
    svg = element("svg", *shapes, viewBox=f"0 0 {width} {shown * height}", role="img",
                  aria_label=f"Circuit of {len(boxes)} steps on {', '.join(names)}")  # fmt: skip
    counts = Counter(circuit.count_ops())
    told = ", ".join(f"{n} {name}" for name, n in counts.most_common() if name != "barrier")
    left = f" The first {shown} of {rows} rows are drawn." if shown < rows else ""
    said = (
        f"{circuit.num_qubits} qubits, each line a register with their number. {told}. A box "
        f"stands for an operator; measure is M.{left}"
    )
    scroll = element("div", svg, class_="scroll", tabindex="0", role="group", aria_label="Circuit")
    return element("figure", scroll, element("figcaption", said))


def _wires(names: list[str], top: int) -> list[Html]:
    right = str(LEFT + COLUMN * COLUMNS)
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
