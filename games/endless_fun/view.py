"""What a seat sees of a match."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from attrs import frozen

from games.endless_fun.game import EndlessRound
from games.endless_fun.panels import (
    columns_panel,
    hand_panel,
    now_panel,
    players_panel,
)
from games.endless_fun.picture import circuit_panel
from games.endless_fun.rules.cards import Card, Hand
from games.endless_fun.rules.columns import Columns
from games.endless_fun.rules.moves import PASS, SIDES
from games.endless_fun.rules.options import Options
from games.endless_fun.rules.round import Round
from games.endless_fun.rules.state import Values
from games.endless_fun.words import state_text
from games.playing.panels import Lines, Panel
from games.playing.view import View

LAST_LINES = 10
"""Of the story, which are shown."""


@frozen
class SeatView(View):
    """All that a seat knows. Everybody sees the cards on the table, and so the state they make.

    Args:
        seat: see `View`.
        to_move: see `View`.
        legal_moves: see `View`.
        seats: how many play.
        options: of the rules.
        measurements: by which a round's winning state is found.
        number: of the round, from 0.
        cards_each: what everybody plays in it.
        points: everybody's.
        held: how many cards each seat has.
        hand: one's own.
        stolen: a card of another's that one must play now; None if there is none.
        line: whose each qudit is, from the left, as far as pawns are placed.
        table: the cards of the round.
        start: the value of each qudit at the beginning of the round.
        awaited: bits of the winning state that are waited for.
        story: what has happened, line by line.
        over: whether the match has ended.
        winners: at the end.
    """

    seat: int | None
    to_move: tuple[int, ...]
    legal_moves: tuple[str, ...]
    seats: int
    options: Options
    measurements: int
    number: int
    cards_each: int
    points: tuple[Fraction, ...]
    held: tuple[int, ...]
    hand: Hand
    stolen: Card | None
    line: tuple[int, ...]
    table: Columns
    start: Values
    awaited: int
    story: tuple[str, ...]
    over: bool
    winners: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """What each qudit is called, from the left."""
        free = self.seats - len(self.line)
        return (*(f"player {seat}" for seat in self.line), *["free"] * free)

    def round_with(self, table: Columns) -> EndlessRound:
        """Return this round as if these were its cards."""
        played = Round(self.options.levels, self.start, tuple(table.rows()), self.options.is_pauli)
        return EndlessRound("endless-fun-match", played, self.measurements)

    def as_json(self, *, chances: bool = True) -> dict[str, Any]:
        """Return all of it; see `View`."""
        now = {}
        if chances:
            amplitudes = self.round_with(self.table).state().amplitudes()
            now = {"state": {state_text(v): str(one) for v, one in amplitudes.items()}}
        return {
            "seat": self.seat,
            "to_move": list(self.to_move),
            "legal_moves": list(self.legal_moves),
            "question": self.question(),
            "round": self.number,
            "cards_each": self.cards_each,
            "dimension": self.options.levels,
            "options": self.options.changed(),
            "measurements": self.measurements,
            "points": [str(points) for points in self.points],
            "held": list(self.held),
            "hand": list(self.hand),
            "stolen": self.stolen,
            "line": list(self.line),
            "start": state_text(self.start),
            "columns": [
                [{"gate": c.gate, "seat": c.seat, "cancelled": c.cancelled} for c in column]
                for column in self.table.columns
            ],
            **now,
            "awaited": self.awaited,
            "story": list(self.story),
            "over": self.over,
            "winners": list(self.winners),
        }

    def panels(self, *, chances: bool = True) -> Sequence[Panel]:
        """Return cards, players, hand, circuit, state and story; see `View`."""
        return [
            columns_panel(self.names, self.start, self.table),
            *self._round_panels(chances),
            players_panel(self.points, self.held, self.line, self.to_move, self.seat),
            *[hand_panel(self.hand, self.options.levels, self.stolen)] * bool(self.hand),
            Lines("What has happened", self.story[-LAST_LINES:]),
        ]

    def _round_panels(self, chances: bool) -> Iterator[Panel]:
        if len(self.line) < self.seats or self.over:
            return
        game = self.round_with(self.table)
        if chances:
            yield now_panel(game)
        yield circuit_panel(game.round, [f"p{seat}" for seat in self.line])

    def question(self) -> str:
        """Return what this seat is asked; see `View`."""
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
        """Return what a button says; see `View`."""
        if not action:
            return super().action_words(action)
        if action.startswith("from "):
            return f"Steal {action.replace('from ', 'from player ')}"
        qudit, dot, row = action.partition(".")
        if dot:
            return f"Cancel row {row} of qudit {qudit}"
        return f"Beneath qudit {qudit}, {self.names[int(qudit) - 1]}"
