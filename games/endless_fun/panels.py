"""The table of Endless Fun in pictures: cards beneath qudits, players, hand, state."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import repeat

from attrs import evolve

from games.endless_fun.game import EndlessRound
from games.endless_fun.rules.cards import Card, Hand, gates_of
from games.endless_fun.rules.columns import Columns, Laid
from games.endless_fun.rules.gates import Gate
from games.endless_fun.rules.state import Values
from games.endless_fun.words import ket, percent
from games.playing.panels import Cell, Grid

MOST_STATES = 9
"""Of the state so far, the most probable winners."""
ARROWS = {-1: "←", 0: "", 1: "→"}
KEPT = {Gate.CNOT_LEFT: "CNOT", Gate.CNOT_RIGHT: "CNOT", Gate.SWAP_LEFT: "SWAP",
        Gate.SWAP_RIGHT: "SWAP"}  # fmt: skip


def gate_cell(gate: Gate, move: str = "") -> Cell:
    """Return a gate as its card lies: tilted to the qudit at which it points."""
    name = KEPT.get(gate, gate.value)
    text = f"{ARROWS[gate.reach]}{name}" if gate.reach < 0 else f"{name}{ARROWS[gate.reach]}"
    return Cell(text, "plain", move, gate.reach)


def columns_panel(names: Sequence[str], start: Values, table: Columns) -> Grid:
    """Return the cards beneath their qudits.

    Args:
        names: of the qudits.
        start: the value of each.
        table: the cards.
    """
    places = [str(place) for place in range(1, len(names) + 1)]
    pawns = [
        Cell(f"{name}: {value}", action=place)
        for name, value, place in zip(names, start, places, strict=True)
    ]
    rows = [[Cell("starts"), *pawns]]
    for row in range(max(map(len, table.columns), default=0)):
        cards = map(_cell, table.columns, places, repeat(row))
        rows.append([Cell(f"row {row + 1}"), *cards])
    return Grid("Cards beneath qudits: a CNOT lies under its control", ("", *places), rows)


def _cell(column: Sequence[Laid], place: str, row: int) -> Cell:
    if row >= len(column):
        return Cell("", action=place)
    card = column[row]
    cell = gate_cell(card.gate)
    text, tone = (f"{cell.text}, cancelled", "faint") if card.cancelled else (cell.text, "plain")
    return evolve(cell, text=text, tone=tone, action=f"{place}.{row + 1}")


def players_panel(
    points: Sequence[Fraction],
    held: Sequence[int],
    line: Sequence[int],
    to_move: Sequence[int],
    seat: int | None,
) -> Grid:
    """Return everybody's points, qudit and number of cards.

    Args:
        points: by seat.
        held: cards, by seat.
        line: whose each qudit is.
        to_move: whose turn it is.
        seat: who is looking.
    """
    shown = [
        [
            Cell(f"player {one}" + " (you)" * (one == seat)),
            Cell(str(had)),
            Cell(str(line.index(one) + 1) if one in line else ""),
            Cell(str(held[one])),
            Cell("to move" if one in to_move else ""),
        ]
        for one, had in enumerate(points)
    ]
    return Grid("Players", ("", "points", "qudit", "cards", ""), shown)


def hand_panel(hand: Hand, dimension: int, stolen: Card | None) -> Grid:
    """Return a hand, each kind of card with what it may be played as.

    Args:
        hand: its cards.
        dimension: levels of a qudit.
        stolen: which must be played first; None if there is none.
    """
    rows = []
    if stolen is not None:
        rows.append([Cell("stolen", "fair"), *_card_cells(stolen, dimension)])
    for card, number in Counter(hand).items():
        rows.append([Cell(f"{number} ×"), *_card_cells(card, dimension)])
    return Grid("Your hand: one line a card", (), rows)


def _card_cells(card: Card, dimension: int) -> list[Cell]:
    gates = [gate_cell(gate, gate.value) for gate in gates_of(card, dimension)]
    return gates or [Cell(card.value, "plain", card.value)]


def now_panel(game: EndlessRound) -> Grid:
    """Return the exact state of the cards so far, and who would win if the round ended now."""
    state, winning = game.state(), game.winning()
    order = sorted(winning.weights, key=lambda values: (-winning.weights[values], values))
    rows = [
        [
            Cell(ket(values)),
            Cell(str(amplitude := state.amplitude(values))),
            Cell(str(amplitude.weight)),
            Cell(percent(Fraction(winning.weights[values], winning.total))),
        ]
        for values in order[:MOST_STATES]
    ]
    if len(order) > MOST_STATES:
        rows.append([Cell(f"and {len(order) - MOST_STATES} more", "faint")])
    return Grid("If the round ended now", ("state", "amplitude", "probability", "wins"), rows)
