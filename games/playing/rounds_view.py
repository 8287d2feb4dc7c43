"""What a seat sees of a match that goes over rounds and tells its story."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from attrs import frozen

from games.playing.panels import Cell, Grid, Lines
from games.playing.view import View


@frozen
class RoundsView(View):
    """What all such games show alike.

    Args:
        seat: see `View`.
        to_move: see `View`.
        legal_moves: see `View`.
        seats: how many play.
        number: of the round, from 0.
        points: everybody's.
        awaited: how many outcomes are waited for.
        story: what has happened, line by line.
        over: whether the match has ended.
        winners: at the end.
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

    def shared_json(self) -> dict[str, Any]:
        """Return all of this as JSON has it."""
        return {
            "seat": self.seat,
            "to_move": list(self.to_move),
            "legal_moves": list(self.legal_moves),
            "question": self.question(),
            "round": self.number,
            "points": [str(points) for points in self.points],
            "awaited": self.awaited,
            "story": list(self.story),
            "over": self.over,
            "winners": list(self.winners),
        }

    def players_panel(self, more: Mapping[str, Sequence[object]]) -> Grid:
        """Return everybody's points, what else they have, and whose turn it is.

        Args:
            more: headings, and what stands below each, by seat.
        """
        rows = [
            [
                Cell(f"player {seat}" + " (you)" * (seat == self.seat)),
                Cell(str(had)),
                *(Cell(str(column[seat])) for column in more.values()),
                Cell("to move" if seat in self.to_move else ""),
            ]
            for seat, had in enumerate(self.points)
        ]
        return Grid("Players", ("", "points", *more, ""), rows)

    def story_panel(self, most: int) -> Lines:
        """Return the last lines of the story.

        Args:
            most: how many of them.
        """
        return Lines("What has happened", self.story[-most:])
