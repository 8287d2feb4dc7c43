"""A seat's view of a match."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from attrs import frozen

from compiler.words.plurals import how_many
from games.panels import Bars, Cell, Circuit, Grid, Panel
from games.six_nimmt.paths import ExactState
from games.six_nimmt.rules.cards import CARDS, FULL, PENALTIES, ROWS, Choice, Operation, Options
from games.six_nimmt.rules.round import Prompt
from games.six_nimmt.rules.rows import Applied, Event, Handled, Rows, Taken
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


def told_choices(number: int, turn: int, choices: Sequence[Choice]) -> str:
    """Return the text of all players' choices as they are revealed.

    Args:
        number: number of the round, from 0.
        turn: number of the turn, from 0.
        choices: choices by seat.
    """
    shown = ", ".join(f"player {seat} {choice}" for seat, choice in enumerate(choices))
    return f"round {number + 1}, turn {turn + 1}: {shown}"


def told_row(prompt: Prompt, row: int) -> str:
    """Return the text of an answer to a prompt."""
    verb = "takes" if prompt.takes else "joins"
    return f"player {prompt.seat} {verb} row {row} with {prompt.choice}"


def told_taken(taken: Taken, outcome: int) -> str:
    """Return the text of the payment for a row."""
    count = how_many(taken.points, "point")
    start = f"row {taken.row} ({count}) goes to player {taken.seat}: measured {outcome}, "
    seats = range(len(taken.shares))
    losses = {seat: taken.loss(seat, outcome) for seat in seats}
    paid = ", ".join(f"player {seat} loses {loss}" for seat, loss in losses.items() if loss)
    return start + (paid or "no player loses points")


def told_end(number: int, points: Sequence[Fraction]) -> str:
    """Return the text of all players' points at the end of a round, which is counted from 0."""
    left = ", ".join(f"player {seat} {had}" for seat, had in enumerate(points))
    return f"round {number + 1} ends: {left}"


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
            **self.shared_json(),
            "turn": self.turn,
            "mqops": list(self.mqops),
            "rows": [
                [{"number": c.number, "points": c.points, "owner": c.owner} for c in row]
                for row in self.rows
            ],
            "hand": list(self.hand),
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
        return [
            rows_panel(self.rows),
            *[chances_panel(self.chances_of_1)] * chances,
            circuit_panel(self.events, self.outcomes),
            self.players_panel({"two-qubit operations left": self.mqops}),
            *[hand_panel(self.hand)] * bool(self.hand),
            self.story_panel(LAST_LINES),
        ]

    def question(self) -> str:
        """Return the question to this seat; see `View`."""
        if self.seat is None or self.seat not in self.to_move:
            return ""
        if self.prompt is None:
            operations = "H, Z, CNOT or hSwap" if self._mqops_left else "H or Z"
            return f"a card, and if you like {operations}, such as '{self.hand[0]} H'"
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
