"""Draw the pictures of `card-play.md` and `queue.md`, and print the numbers and tables they state.

Run `.venv/bin/python -m tools.draw`; the same code gives the same files and the same lines.
"""

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure
from qiskit import QuantumCircuit
from qiskit.circuit import Gate

from games.trick_taking.operators.card_play import literal_card_play
from tools import job_states, setting_names
from tools.card_play import charts, figures, parts
from tools.card_play.circuits import EXCHANGE, Band, draw_bands

DOCS = Path(__file__).parents[1] / "docs"
FOLDER = DOCS / "card-play"
STATES = DOCS / "queue" / "states.svg"
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
    bands = []
    for condition in range(0, len(circuit.data), 5):
        subset = circuit.copy_empty_like()
        for item in circuit.data[condition : condition + 5]:
            subset.append(item)
        pattern = circuit.data[condition].operation.ctrl_state
        held = ", ".join(str(card) for card in range(cards) if pattern >> card & 1)
        bands.append(Band(f"hand = {{{held}}}", subset))
    names = _lines("h", cards) + _lines("t", cards) + ["condition"]
    return draw_bands([bands[:3], bands[3:]], names)


def amplified() -> Figure:
    """Draw the amplified play of one of two cards among four, part by part."""
    cards, _ = figures.SMALL
    bands = [
        Band(_title(part.name), _boxed(part)) for part in parts.amplified_parts(*figures.SMALL)
    ]
    return draw_bands([bands], _lines("h", cards) + _lines("t", cards) + ["start"])


def _title(name: str) -> str:
    return {"rest": "rest to\nlast card"}.get(name, name)


def _lines(letter: str, cards: int) -> list[str]:
    return [f"{letter}{card}" for card in range(cards)]


def _boxed(part: parts.Part) -> QuantumCircuit:
    """Return a part with one gate for every exchange."""
    boxed = part.gates.copy_empty_like()
    for piece in part.pieces:
        if piece.exchanged:
            label = str(piece.probability)
            boxed.append(Gate(EXCHANGE, len(piece.exchanged), [], label=label), piece.exchanged)
        else:
            boxed.compose(piece.gates, inplace=True)
    return boxed


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
    return svg_of(PICTURES[name], figures.described(name))


def svg_of(draw: Callable[[], Figure], description: str) -> str:
    """Return what a function draws as the text of an SVG file that describes itself."""
    written = StringIO()
    with rc_context(STYLE):
        figure = draw()
        metadata = {"Date": None, "Creator": None, "Description": description}
        figure.savefig(written, format="svg", facecolor="white", metadata=metadata)
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines()) + "\n"


def main() -> None:
    """Write every picture, then print the table and what the pictures show."""
    FOLDER.mkdir(exist_ok=True)
    for name in PICTURES:
        (FOLDER / f"{name}.svg").write_text(svg(name))
    STATES.write_text(svg_of(job_states.job_states, "the states of a job"))
    print(figures.markdown())
    print(setting_names.markdown())
    for name in PICTURES:
        print(f"\n{name}.svg: {figures.described(name)}")


if __name__ == "__main__":
    main()
