"""What a seat sees of a match."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from attrs import frozen

from games.playing.panels import Panel
from games.playing.rounds_view import RoundsView
from games.six_nimmt.panels import (
    chances_panel,
    circuit_panel,
    hand_panel,
    rows_panel,
    words,
)
from games.six_nimmt.quantum.exact_state import ExactState
from games.six_nimmt.rules.cards import CARDS, ROWS
from games.six_nimmt.rules.choices import Choice
from games.six_nimmt.rules.options import Options
from games.six_nimmt.rules.round import Prompt
from games.six_nimmt.rules.rows import Applied, Event, Handled, Rows

LAST_LINES = 8
"""Of the story, which are shown."""


@frozen
class SeatView(RoundsView):
    """All that a seat knows, besides what `RoundsView` has.

    Everybody sees the qubits, too: who knows the operations and what was measured can work their
    state out.

    Args:
        options: of the rules.
        turn: turns of the round whose choices are revealed.
        rows: the cards that lie.
        mqops: left to each seat.
        hand: one's own.
        choice: one's own in this turn; None before.
        revealed: everybody's choices in the round, turn by turn.
        waiting: revealed cards that are not handled yet.
        prompt: what somebody is asked.
        events: gates and measurements of the round.
        outcomes: of its measurements, as far as they are known.
        qubits: the state before the first unknown outcome.
        first_cards: with which the rows began.
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
            **({"chances_of_1": [str(one) for one in self.chances_of_1]} if chances else {}),
        }  # fmt: skip

    def panels(self, *, chances: bool = True) -> Sequence[Panel]:
        """Return rows, players, hand, circuit, chances and story; see `View`."""
        return [
            rows_panel(self.rows),
            *[chances_panel(self.chances_of_1)] * chances,
            circuit_panel(self.events, self.outcomes),
            self.players_panel({"mqops": self.mqops}),
            *[hand_panel(self.hand)] * bool(self.hand),
            self.story_panel(LAST_LINES),
        ]

    def question(self) -> str:
        """Return what this seat is asked; see `View`."""
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
