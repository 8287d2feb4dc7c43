"""A seat's view of a match on a quantum board: everything."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from attrs import frozen

from games.board.rules.moves import name_of
from games.board.rules.position import Position
from games.board.rules.superposition import Stone
from games.panels import Lines, Panel
from play.board.drafting import drafted
from play.board.panels import board_panel, games_panel, turns_panel
from play.view import Draft, View

MAX_GAMES = 256
"""Games that JSON lists."""
COLOURS = ("black", "white")


@frozen(eq=False)
class BoardView(View):
    """A board and how it came to be; nothing is hidden.

    Args:
        seat: see `View`; 0 has black.
        to_move: see `View`.
        legal_moves: X on every point where it is allowed, and passing. Other moves are put
            together of these points and of controls.
        position: the current position.
    """

    seat: int | None
    to_move: tuple[int, ...]
    legal_moves: tuple[str, ...]
    position: Position

    def as_json(self, *, chances: bool = True) -> dict[str, Any]:
        """Return all of it; see `View`."""
        position = self.position
        board = position.board.in_order()
        size = board.size
        listed = board.first(MAX_GAMES)
        weights = listed.probabilities()
        games: list[dict[str, Any]] = []
        for game, weight in enumerate(weights):
            stones = listed.stones_in(game)
            shown: dict[str, Any] = {
                stone.word: [name_of(point, size) for point, lying in stones if lying is stone]
                for stone in (Stone.BLACK, Stone.WHITE)
            }
            if chances:
                probability = str(weight) if isinstance(weight, Fraction) else weight
                shown |= {"amplitude": listed.amplitude_text(game), "probability": probability}
            games.append(shown)
        return {
            "seat": self.seat,
            "to_move": list(self.to_move),
            "legal_moves": list(self.legal_moves),
            "question": self.question(),
            "size": size,
            "options": position.options.changed(),
            "moves": [
                {
                    "colour": turn.colour.word,
                    "move": turn.move.written(size),
                    "captured": [name_of(point, size) for point in turn.captured],
                }
                for turn in position.turns
            ],
            "games": board.games,
            "board": games,
            "over": position.end is not None,
            "end": position.end and position.end.reason,
        }

    def panels(self, *, chances: bool = True) -> Sequence[Panel]:
        """Return the board, its games and the moves; see `View`."""
        position = self.position
        end = [] if position.end is None else [Lines("The end", [position.end.reason])]
        counted = position.rules.standing(position) if chances and not end else ""
        return [
            board_panel(position.board, chances=chances),
            games_panel(position.board, chances=chances),
            turns_panel(position.turns, position.board.size),
            *([Lines("Count", [counted])] if counted else []),
            *end,
        ]

    def draft(self, chosen: Sequence[str]) -> Draft | None:
        """Return a move as far as it is put together; see `play.board.drafting`."""
        if self.seat is None or self.seat not in self.to_move:
            return None
        return drafted(self.position, chosen)

    def question(self) -> str:
        """Return the question to this seat; see `View`."""
        if self.seat is None or self.seat not in self.to_move:
            return ""
        passing = ", or pass" if self.position.rules.passing else ""
        return (
            f"you play {COLOURS[self.seat]}: E5 places a stone, S+ E5 F5 superposes it on two "
            f"points, E C3-G7 G4-G5 entangles two stones{passing}"
        )
