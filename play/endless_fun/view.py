"""A seat's view of a match."""

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from games.endless_fun.game import EndlessRound, match_round
from games.endless_fun.rules.gates import Card, Hand
from games.endless_fun.rules.moves import PASS, SIDES
from games.endless_fun.rules.round import Columns, Options
from games.endless_fun.rules.state import Values, state_text
from games.panels import Panel
from play.endless_fun.panels import circuit_panel, columns_panel, hand_panel, now_panel
from play.view import RoundsView

LAST_LINES = 10
"""Shown number of lines of the story."""


@frozen
class SeatView(RoundsView):
    """The knowledge of a seat, besides the fields of `RoundsView`.

    All seats see the cards on the table, and so the state they make.

    Args:
        options: options of the rules.
        measurements: number of measurements for a round's winning state.
        cards_each: number of cards that each player plays in this round.
        held: number of cards of each seat.
        hand: the seat's own cards.
        stolen: a stolen card that the seat must play now; None if there is none.
        line: the player of each qudit, from the left, as far as pawns are placed.
        table: the cards of the round.
        start: the value of each qudit at the beginning of the round.
    """

    options: Options
    measurements: int
    cards_each: int
    held: tuple[int, ...]
    hand: Hand
    stolen: Card | None
    line: tuple[int, ...]
    table: Columns
    start: Values

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each qudit, from the left."""
        free = self.seats - len(self.line)
        return (*(f"player {seat}" for seat in self.line), *["free"] * free)

    def round_with(self, table: Columns) -> EndlessRound:
        """Return this round as if these were its cards."""
        return match_round(self.options, self.start, table, self.measurements)

    def as_json(self, *, chances: bool = True) -> dict[str, Any]:
        """Return all of it; see `View`."""
        now = {}
        if chances:
            amplitudes = self.round_with(self.table).state().amplitudes()
            now = {"state": {state_text(v): str(amplitude) for v, amplitude in amplitudes.items()}}
        return {
            **self.json_of("cards_each", "measurements", "held", "hand", "stolen", "line"),
            "dimension": self.options.levels,
            "options": self.options.changed(),
            "start": state_text(self.start),
            "columns": [
                [{"gate": c.gate, "seat": c.seat, "cancelled": c.cancelled} for c in column]
                for column in self.table.columns
            ],
            **now,
        }

    def panels(self, *, chances: bool = True) -> Sequence[Panel]:
        """Return cards, players, hand, circuit, state and story; see `View`."""
        return [
            columns_panel(self.names, self.start, self.table),
            *self._round_panels(chances),
            self.players_panel({"qudit": self._places(), "cards": self.held}),
            *[hand_panel(self.hand, self.options.levels, self.stolen)] * bool(self.hand),
            self.story_panel(LAST_LINES),
        ]

    def _places(self) -> list[str]:
        """Return each seat's qudit, counted from 1; nothing before its pawn is placed."""
        return [
            str(self.line.index(seat) + 1) if seat in self.line else ""
            for seat in range(self.seats)
        ]

    def _round_panels(self, chances: bool) -> Iterator[Panel]:
        if len(self.line) < self.seats or self.over:
            return
        game = self.round_with(self.table)
        if chances:
            yield now_panel(game)
        yield circuit_panel(game.round, [f"p{seat}" for seat in self.line])

    def question(self) -> str:
        """Return the question to this seat; see `View`."""
        if self.seat is None or self.seat not in self.to_move:
            return ""
        if self.legal_moves == SIDES:
            return "on which side of the others do you place your pawn, left or right?"
        if self.legal_moves == (PASS,):
            lost = f"{self.stolen} is of no use" if self.stolen else "none of your cards fits"
            return f"{lost}: pass"
        if self.stolen is not None:
            return f"you have stolen {self.stolen}: play it, such as '{self.legal_moves[0]}'"
        example = f"such as '{self.legal_moves[0]}'"
        return f"a card and beneath which qudit, counted from the left, {example}"

    def action_words(self, action: str) -> str:
        """Return the label of a button; see `View`."""
        if not action:
            return super().action_words(action)
        if action.startswith("from "):
            return f"Steal {action.replace('from ', 'from player ')}"
        qudit, dot, row = action.partition(".")
        if dot:
            return f"Cancel row {row} of qudit {qudit}"
        return f"Beneath qudit {qudit}, {self.names[int(qudit) - 1]}"
