"""Draw the pictures of `card-play.md`, and print the numbers and tables they state.

Run `.venv/bin/python -m tools.draw`; the same code gives the same files and the same lines.
"""

import re
from collections.abc import Callable
from inspect import cleandoc
from io import StringIO
from pathlib import Path
from typing import Any

from attrs import fields
from matplotlib import rc_context
from matplotlib.figure import Figure
from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import Gate

from games.trick_taking.operators.card_play import literal_card_play
from tools.card_play import charts, figures, parts
from workers.settings import PREFIX, Settings


def settings_table() -> str:
    """Return the table: variable, default, meaning."""
    rows = ["| variable | default | description |", "|---|---|---|"]
    for field in fields(Settings):
        default = f"`{field.default}`" if field.default not in (None, "") else ""
        name = f"`{PREFIX}{field.name.upper()}`"
        rows.append(f"| {name} | {default} | {explained()[field.name]} |")
    return "\n".join(rows)


def explained() -> dict[str, str]:
    """Return the class's description of each of its fields."""
    described = cleandoc(Settings.__doc__ or "").partition("Args:\n")[2]
    entries = re.findall(r"^    (\w+): (.*?)(?=^    \w+: |\Z)", described, re.DOTALL | re.MULTILINE)
    return {name: " ".join(text.split()).rstrip(".") for name, text in entries}


DOCS = Path(__file__).parents[1] / "docs"
FOLDER = DOCS / "card-play"
STYLE: Any = {
    "svg.hashsalt": "stichwerk",
    "svg.fonttype": "path",
    "axes.spines.right": False,
    "axes.spines.top": False,
}


def literal() -> Figure:
    """Draw the literal play of one of two cards among four, subset by subset."""
    cards, hand = figures.SMALL
    circuit = literal_card_play(cards, hand, 1, 1, opening=True)
    drawn = _wires(cards, "condition")
    for condition in range(0, len(circuit.data), 5):
        pattern = circuit.data[condition].operation.ctrl_state
        held = ", ".join(str(card) for card in range(cards) if pattern >> card & 1)
        drawn.barrier(label=f"hand = {{{held}}}")
        for item in circuit.data[condition : condition + 5]:
            drawn.append(item.operation, [circuit.find_bit(qubit).index for qubit in item.qubits])
    return _drawn(drawn, fold=18)


def amplified() -> Figure:
    """Draw the amplified play of one of two cards among four, part by part."""
    drawn = _wires(figures.SMALL[0], "start")
    for part in parts.amplified_parts(*figures.SMALL):
        drawn.barrier(label=part.name)
        for piece in part.pieces:
            if piece.exchanged:
                label = f"exchange {piece.probability}"
                drawn.append(Gate("exchange", len(piece.exchanged), [], label), piece.exchanged)
            else:
                drawn.compose(piece.gates, inplace=True)
    return _drawn(drawn, fold=-1)


def _wires(cards: int, last: str) -> QuantumCircuit:
    names = [f"{letter}{card}" for letter in "ht" for card in range(cards)]
    return QuantumCircuit(*(QuantumRegister(1, name) for name in (*names, last)))


def _drawn(circuit: QuantumCircuit, fold: int) -> Figure:
    figure: Figure = circuit.draw("mpl", fold=fold, style="bw")
    return figure


def mark_stages() -> Figure:
    """Draw where the mark is after each stage."""
    return charts.draw_stages(parts.stages(), parts.HELD)


def costs() -> Figure:
    """Draw the gates of both constructions against the deck's size."""
    return charts.draw_deck_costs(figures.deck_costs())


def hand_tournaments() -> Figure:
    """Draw the tournament of a hand with two legal cards, with three, and of a void one."""
    titles = ("two cards of the led class", "three", "none: the hand is void")
    return charts.draw_tournaments(
        [
            (title, figures.drawn(marks), marks)
            for title, marks in zip(titles, figures.HANDS, strict=True)
        ]
    )


PICTURES: dict[str, Callable[[], Figure]] = {
    "literal": literal,
    "amplified": amplified,
    "stages": mark_stages,
    "costs": costs,
    "tournament": hand_tournaments,
}


def svg(name: str) -> str:
    """Return a picture on white as the text of an SVG file."""
    written = StringIO()
    with rc_context(STYLE):
        figure = PICTURES[name]()
        metadata = {"Date": None, "Creator": None, "Description": figures.described(name)}
        figure.savefig(written, format="svg", facecolor="white", metadata=metadata)
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines()) + "\n"


def main() -> None:
    """Write every picture, then print the table and the numbers of the pictures."""
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        (FOLDER / f"{name}.svg").write_text(svg(name))
    print(figures.markdown())
    print(settings_table())
    for name in PICTURES:
        print(f"\n{name}.svg: {figures.described(name)}")


if __name__ == "__main__":
    main()
