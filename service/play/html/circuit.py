"""The circuit of a match as a small picture: wires, gates, and what was measured."""

from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import frozen
from qiskit import QuantumCircuit

from service.report.markup import Html, element

COLUMN, WIRE, LEFT, EDGE = 26, 26, 52, 8
COLUMNS = 12
"""Of a line of the picture: what a phone shows without scrolling."""
MOST_LINES = 3
HALF = 9
"""Half of a box."""
LONGEST = 4
"""Letters in a box."""


@frozen
class Drawn:
    """A gate in the picture.

    Args:
        name: of the gate.
        wires: on which it acts, in its order.
        column: from the left.
        outcome: of a measurement; None if it is no measurement, or not known.
    """

    name: str
    wires: tuple[int, ...]
    column: int
    outcome: int | None = None


def circuit_picture(circuit: QuantumCircuit, known: Sequence[int]) -> Html:
    """Return a `<figure>` with the circuit, the last columns of it if it is long.

    Args:
        circuit: of the match so far.
        known: outcomes of its first classical bits.
    """
    gates = placed(circuit, known)
    names = [_name(circuit, wire) for wire in range(circuit.num_qubits)]
    columns = max((gate.column for gate in gates), default=0) + 1
    first = max(0, -(-columns // COLUMNS) - MOST_LINES) * COLUMNS
    lines = -(-(columns - first) // COLUMNS)
    height = WIRE * len(names) + EDGE
    shapes = [shape for line in range(lines) for shape in _wires(names, line * height)]
    for gate in gates:
        if gate.column >= first:
            line, column = divmod(gate.column - first, COLUMNS)
            x = LEFT + COLUMN * column + COLUMN // 2
            shapes.append(_gate(gate, x, line * height, names))
    width = LEFT + COLUMN * COLUMNS + EDGE
    spoken = "; ".join(_words(gate, names) for gate in gates) or "no gate yet"
    svg = element(
        "svg",
        *shapes,
        viewBox=f"0 0 {width} {lines * height}",
        role="img",
        aria_label=f"Circuit: {spoken}",
    )
    skipped = f"The first {first} columns are not shown. " if first else ""
    said = f"{skipped}A filled box is a measurement, with its outcome."
    return element("figure", svg, element("figcaption", said))


def placed(circuit: QuantumCircuit, known: Sequence[int]) -> list[Drawn]:
    """Return the gates of a circuit, each as far left as its wires and those between are free."""
    wire_of = {qubit: wire for wire, qubit in enumerate(circuit.qubits)}
    bit_of = {bit: place for place, bit in enumerate(circuit.clbits)}
    free: Counter[int] = Counter()
    found = []
    for item in circuit.data:
        if item.operation.name == "barrier":
            continue
        wires = tuple(wire_of[qubit] for qubit in item.qubits)
        span = range(min(wires), max(wires) + 1)
        column = max(free[wire] for wire in span)
        free.update({wire: column + 1 - free[wire] for wire in span})
        outcome = None
        if item.operation.name == "measure":
            bit = bit_of[item.clbits[0]]
            outcome = known[bit] if bit < len(known) else None
        found.append(Drawn(item.operation.name, wires, column, outcome))
    return found


def _name(circuit: QuantumCircuit, wire: int) -> str:
    registers = circuit.find_bit(circuit.qubits[wire]).registers
    if not registers:
        return str(wire)
    register, place = registers[0]
    return f"{register.name}[{place}]" if register.size > 1 else str(register.name)


def _words(gate: Drawn, names: Sequence[str]) -> str:
    on = ", ".join(names[wire] for wire in gate.wires)
    if gate.name != "measure":
        return f"{gate.name} on {on}"
    return f"{on} measured: {'not known yet' if gate.outcome is None else gate.outcome}"


def _wires(names: Sequence[str], top: int) -> Iterator[Html]:
    right = LEFT + COLUMN * COLUMNS
    for wire, name in enumerate(names):
        y = _y(wire, top)
        yield element("text", name, x=str(LEFT - 6), y=str(y), class_="name")
        yield _line(LEFT, y, right, y, "wire")


def _gate(gate: Drawn, x: int, top: int, names: Sequence[str]) -> Html:
    ys = [_y(wire, top) for wire in gate.wires]
    shapes: list[Html] = []
    if len(ys) > 1:
        shapes.append(_line(x, min(ys), x, max(ys), "link"))
    if gate.name == "measure":
        said = "?" if gate.outcome is None else str(gate.outcome)
        shapes += _box(x, ys, said, "measured")
    elif gate.name == "cx":
        shapes += [_dot(x, ys[0], 4, "dot"), _dot(x, ys[1], HALF, "ring"),
                   _line(x - HALF, ys[1], x + HALF, ys[1], "link"),
                   _line(x, ys[1] - HALF, x, ys[1] + HALF, "link")]  # fmt: skip
    elif gate.name.endswith("swap") and len(ys) == 2:
        for y in ys:
            shapes += [_line(x - 6, y - 6, x + 6, y + 6, "cross"),
                       _line(x - 6, y + 6, x + 6, y - 6, "cross")]  # fmt: skip
    else:
        said = "|0⟩" if gate.name == "reset" else gate.name.upper()
        short = said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"
        shapes += _box(x, ys, short, "gate")
    return element("g", element("title", _words(gate, names)), *shapes)


def _box(x: int, ys: Sequence[int], said: str, kind: str) -> list[Html]:
    high = max(ys) - min(ys) + 2 * HALF
    box = element(
        "rect", x=str(x - HALF - 1), y=str(min(ys) - HALF), width=str(2 * HALF + 2),
        height=str(high), rx="3", class_=kind,
    )  # fmt: skip
    middle = (min(ys) + max(ys)) // 2
    return [box, element("text", said, x=str(x), y=str(middle), class_=kind)]


def _line(x: int, y: int, to_x: int, to_y: int, kind: str) -> Html:
    return element("line", x1=str(x), y1=str(y), x2=str(to_x), y2=str(to_y), class_=kind)


def _dot(x: int, y: int, radius: int, kind: str) -> Html:
    return element("circle", cx=str(x), cy=str(y), r=str(radius), class_=kind)


def _y(wire: int, top: int) -> int:
    return top + EDGE // 2 + WIRE * wire + WIRE // 2
