"""Matches on boards, begun and played by moves in turn, for tests."""

from collections.abc import Iterable
from typing import Any

from games.match import Match
from games.playing.playable import playables


def started(game: str, **setup: Any) -> Match[Any]:
    """Return a match with a seed."""
    return playables[game].start({"seed": 1, **setup})


def played(match: Match[Any], moves: Iterable[str]) -> Match[Any]:
    """Return a match after moves, of which seat 0 makes the first."""
    for number, move in enumerate(moves):
        match = match.play(number % 2, move)
    return match
