"""The table of Quantum 6 Nimmt! in pictures: rows, players, hand, circuit, chances."""

from collections.abc import Sequence
from fractions import Fraction

from games.playing.panels import Bars, Cell, Circuit, Grid
from games.six_nimmt.rules.cards import FULL, PENALTIES, ROWS
from games.six_nimmt.rules.choices import Operation
from games.six_nimmt.rules.rows import Applied, Event, Rows, Taken

MOST_COLUMNS = 16
"""Gates and measurements of a circuit that are shown, the last ones."""
COLUMN = 4
"""Characters of each."""
SIGNS = {
    Operation.H: ("H",),
    Operation.Z: ("Z",),
    Operation.CNOT: ("●", "⊕"),
    Operation.HSWAP: ("×", "×"),
}
TONES = {0: "faint", 1: "good", 2: "fair", 3: "fair", 5: "bad", 7: "worst"}


def words(rows: Sequence[int]) -> str:
    """Return rows as a choice, such as `0, 1 or 3`."""
    return " or ".join(filter(None, (", ".join(map(str, rows[:-1])), str(rows[-1]))))


def rows_panel(rows: Rows) -> Grid:
    """Return the rows with each card's number and points."""
    shown = []
    for place, row in enumerate(rows):
        cards = [_card(card.number, card.points) for card in row]
        empty = [Cell("")] * (FULL - len(row))
        total = Cell(str(sum(card.points for card in row)))
        shown.append([Cell(f"row {place}", move=f"row {place}"), *cards, *empty, total])
    return Grid("Rows: number(points)", ("", *[""] * FULL, "points"), shown)


def hand_panel(hand: Sequence[int]) -> Grid:
    """Return a hand with each card's number and points."""
    return Grid("Your hand", (), [[_card(card, PENALTIES[card], str(card)) for card in hand]])


def chances_panel(chances: Sequence[Fraction]) -> Bars:
    """Return the probability of 1 in each row."""
    title = "Probability of 1: all others pay"
    return Bars(title, [(f"row {row}", chance) for row, chance in enumerate(chances)])


def circuit_panel(events: Sequence[Event], outcomes: Sequence[int]) -> Circuit:
    """Return the wires of the four rows.

    Args:
        events: gates and measurements, in order.
        outcomes: of the first measurements.
    """
    columns = []
    known = iter(outcomes)
    for event in events:
        if isinstance(event, Taken):
            columns.append(_column({event.row: f"[{next(known, '?')}]"}))
        elif isinstance(event, Applied):
            columns.append(_column(dict(zip(event.rows, SIGNS[event.operation], strict=True))))
    shown = columns[-MOST_COLUMNS:]
    start = "…" if len(columns) > len(shown) else "─"
    lines = [
        f"row {row} {start}" + "".join(column[row] for column in shown) + "─" for row in range(ROWS)
    ]
    return Circuit("Circuit: ●⊕ CNOT, ×× hSwap, [0] measured", lines)


def _column(signs: dict[int, str]) -> list[str]:
    wires = dict.fromkeys(range(min(signs), max(signs)), "┼") | signs
    return [wires.get(row, "─").center(COLUMN, "─") for row in range(ROWS)]


def _card(number: int, points: int, move: str = "") -> Cell:
    return Cell(f"{number}({points})", TONES[points], move)
