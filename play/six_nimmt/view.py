"""A seat's view of a match."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from attrs import frozen

from games.panels import Bars, Cell, Circuit, Grid, Panel
from games.six_nimmt.paths import ExactState
from games.six_nimmt.rules.cards import CARDS, FULL, PENALTIES, ROWS, Choice, Operation, Options
from games.six_nimmt.rules.round import Applied, Event, Handled, Prompt, Rows, Taken
from play.view import RoundsView

MAX_COLUMNS = 16
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
    return Grid(
        "Rows, with the points of each card in parentheses", ("", *[""] * FULL, "points"), shown
    )


def circuit_panel(events: Sequence[Event], outcomes: Sequence[int]) -> Circuit:
    """Return the wires of the four rows.

    Args:
        events: gates and measurements, in order.
        outcomes: outcomes of the first measurements.
    """
    columns = []
    bits = iter(outcomes)
    for event in events:
        if isinstance(event, Taken):
            columns.append(_column({event.row: f"[{next(bits, '?')}]"}))
        elif isinstance(event, Applied):
            columns.append(_column(dict(zip(event.rows, SIGNS[event.operation], strict=True))))
    shown = columns[-MAX_COLUMNS:]
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


LAST_LINES = 8
"""Shown number of lines of the story."""


@frozen
class SeatView(RoundsView):
    """The knowledge of a seat, besides the fields of `RoundsView`.

    All seats see the qubits, too: the operations and the measured bits determine their state.

    Args:
        options: options of the rules.
        turn: number of turns of the round with revealed choices.
        rows: the cards on the table.
        mqops: remaining mqops of each seat.
        hand: the seat's own cards.
        choice: the seat's own choice in this turn; None before.
        revealed: choices of all players in the round, turn by turn.
        waiting: revealed cards that are not handled yet.
        prompt: the open prompt.
        events: gates and measurements of the round.
        outcomes: known outcomes of its measurements.
        qubits: the state before the first unknown outcome.
        first_cards: the cards with which the rows began.
    """

    options: Options
    turn: int
    rows: Rows
    mqops: tuple[int, ...]
    hand: tuple[int, ...]
    choice: Choice | None
    revealed: tuple[tuple[Choice, ...], ...]
    waiting: tuple[Handled, ...]
    prompt: Prompt | None
    events: tuple[Event, ...]
    outcomes: tuple[int, ...]
    qubits: ExactState
    first_cards: tuple[int, ...]

    @property
    def chances_of_1(self) -> tuple[Fraction, ...]:
        """The probability of 1 in each row."""
        return tuple(self.qubits.probability_of_1(row) for row in range(ROWS))

    @property
    def unseen(self) -> tuple[int, ...]:
        """Cards that others hold or that were not dealt, in ascending order."""
        seen = {*self.hand, *self.first_cards}
        seen.update(choice.card for turn in self.revealed for choice in turn)
        return tuple(card for card in range(1, CARDS + 1) if card not in seen)

    def as_json(self, *, chances: bool = True) -> dict[str, Any]:
        """Return all of it; see `View`."""
        outcomes = iter(self.outcomes)
        return {
            **self.json_of("turn", "mqops", "hand"),
            "rows": [
                [{"number": c.number, "points": c.points, "owner": c.owner} for c in row]
                for row in self.rows
            ],
            "choice": None if self.choice is None else str(self.choice),
            "waiting": [{"seat": seat, "choice": str(choice)} for seat, choice in self.waiting],
            "circuit": [
                {"operation": str(event.operation), "rows": list(event.rows)}
                if isinstance(event, Applied)
                else {"taken": event.row, "seat": event.seat, "points": event.points,
                      "outcome": next(outcomes, None)}
                for event in self.events
            ],
            **({"chances_of_1": [str(chance) for chance in self.chances_of_1]} if chances else {}),
        }  # fmt: skip

    def panels(self, *, chances: bool = True) -> Sequence[Panel]:
        """Return rows, players, hand, circuit, chances and story; see `View`."""
        bars = [(f"row {row}", chance) for row, chance in enumerate(self.chances_of_1)]
        hand = [_card(card, PENALTIES[card], str(card)) for card in self.hand]
        return [
            rows_panel(self.rows),
            *[Bars("Probability of 1: all others pay", bars)] * chances,
            circuit_panel(self.events, self.outcomes),
            self.players_panel({"two-qubit operations left": self.mqops}),
            *[Grid("Your hand", (), [hand])] * bool(hand),
            self.story_panel(LAST_LINES),
        ]

    def question(self) -> str:
        """Return the question to this seat; see `View`."""
        if self.seat is None or self.seat not in self.to_move:
            return ""
        if self.prompt is None:
            operations = "H, Z, CNOT or hSwap" if self._mqops_left else "H or Z"
            return f"a card, and optionally {operations}, such as '{self.hand[0]} H'"
        rows = words(self.prompt.rows)
        if self.prompt.takes:
            return (
                f"your {self.prompt.choice.card} is below all rows: which one do you take, {rows}?"
            )
        return f"your {self.prompt.choice}: with which other row, {rows}?"

    @property
    def _mqops_left(self) -> bool:
        assert self.seat is not None
        return self.options.without_mqops == "negative" or self.mqops[self.seat] > 0
