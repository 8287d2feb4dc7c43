"""A seat's view of a match."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from attrs import frozen

from games.panels import Cell, Grid, Lines, Panel


@frozen
class Sort:
    """A kind of moves.

    Args:
        name: the first choice of such a move.
        title: name of the sort for people.
        words: effect of the move.
    """

    name: str
    title: str
    words: str


@frozen
class Draft:
    """A part of a move, and the choices for the next part.

    Args:
        sorts: available sorts of moves.
        sort: the sort of this move.
        chosen: choices so far, in order.
        asked: the next choice, in words; empty if nothing is left.
        legal: legal values of the next choice; no other value leads to a move.
        written: the part in the notation of moves.
        move: the whole move, once nothing is left to choose; else empty.
        layer: the number of the game that the next choice is about; None for all of them.
        refused: reason why a choice is open but has no legal value; else empty.
    """

    sorts: Sequence[Sort]
    sort: str
    chosen: tuple[str, ...]
    asked: str
    legal: tuple[str, ...]
    written: str
    move: str
    layer: int | None = None
    refused: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """All choices, as `play.view.View.draft` takes them."""
        return (self.sort, *self.chosen)


class View(ABC):
    """The view of a seat, and nothing else: the only input of bots and pages.

    Attributes:
        seat: the seat; None for a spectator.
        to_move: the seats that move now, all at once; empty while outcomes are awaited.
        legal_moves: legal moves of this seat, if it moves now.
    """

    seat: int | None
    to_move: tuple[int, ...]
    legal_moves: tuple[str, ...]

    @abstractmethod
    def as_json(self, *, chances: bool = True) -> dict[str, Any]:
        """Return all of it as JSON has it; fractions are strings.

        Args:
            chances: whether probabilities are in it.
        """

    @abstractmethod
    def panels(self, *, chances: bool = True) -> Sequence[Panel]:
        """Return pictures of it for people.

        Args:
            chances: whether probabilities are shown.
        """

    @property
    def advises(self) -> bool:
        """True if there is advice on the position."""
        return False

    def advice(self) -> Sequence[Panel]:
        """Return the advice on each move of this seat; it may take seconds."""
        return ()

    @abstractmethod
    def question(self) -> str:
        """Return the question to this seat, in one line; empty if there is none."""

    def notation(self) -> str:
        """Return an example of how an answer is written, in a few words; may be empty."""
        return ""

    def move_words(self, move: str) -> str:
        """Return the label of a button that plays a whole move."""
        return move

    def action_words(self, action: str) -> str:
        """Return the label of a button that plays a piece.

        Args:
            action: the part of the move after the piece; may be empty.
        """
        return f"Play with {action}" if action else "Play"

    def draft(self, chosen: Sequence[str]) -> Draft | None:
        """Return a move that this seat puts together choice by choice.

        Args:
            chosen: the choices so far; none for the usual beginning.

        Returns:
            None if the seat does not move now, or the game's moves are chosen as a whole.

        Raises:
            GameError: if one of the choices is not possible.
        """
        return None


SHARED = ("seat", "to_move", "legal_moves", "points", "awaited", "story", "over", "winners")
"""Fields of all views that JSON has under their names."""


def as_plain(value: object) -> Any:
    """Return a value as JSON has it: cards and fractions as text, tuples as lists."""
    if isinstance(value, tuple):
        return [as_plain(item) for item in value]
    return value if value is None or isinstance(value, int) else str(value)


@frozen
class RoundsView(View):
    """The common part of the views of games in rounds.

    Args:
        seat: see `View`.
        to_move: see `View`.
        legal_moves: see `View`.
        seats: number of players.
        number: number of the round, from 0.
        points: points of all players.
        awaited: number of awaited outcomes.
        story: past events, line by line.
        over: whether the match has ended.
        winners: the winners at the end.
    """

    seat: int | None
    to_move: tuple[int, ...]
    legal_moves: tuple[str, ...]
    seats: int
    number: int
    points: tuple[Fraction, ...]
    awaited: int
    story: tuple[str, ...]
    over: bool
    winners: tuple[int, ...]

    def json_of(self, *names: str) -> dict[str, Any]:
        """Return the question, the fields that all views share, and some others as JSON has them.

        Args:
            names: the others.
        """
        shared = {name: as_plain(getattr(self, name)) for name in (*SHARED, *names)}
        return {"question": self.question(), "round": self.number, **shared}

    def players_panel(self, more: Mapping[str, Sequence[object]], points: str = "points") -> Grid:
        """Return the points of all players, further columns, and the seat to move.

        Args:
            more: headings, and the values below each, by seat.
            points: heading of the points.
        """
        rows = [
            [
                Cell(
                    "▸ " * (seat in self.to_move)
                    + f"player {seat}"
                    + " (you)" * (seat == self.seat)
                ),
                Cell(str(had)),
                *(Cell(str(column[seat])) for column in more.values()),
            ]
            for seat, had in enumerate(self.points)
        ]
        return Grid("Players", ("▸ to move", points, *more), rows)

    def story_panel(self, most: int) -> Lines:
        """Return the last lines of the story.

        Args:
            most: maximum number of lines.
        """
        return Lines("Past events", self.story[-most:])
