"""Boards written by their stones, for tests."""

from fractions import Fraction

import numpy as np

from games.board.rules.five_in_a_row import FiveInARow
from games.board.rules.moves import name_of, read_move
from games.board.rules.position import Options, Position, positions
from games.board.rules.superposition import Superposition
from games.board.rules.weiqi import Weiqi

RULES = {"five": FiveInARow(), "weiqi": Weiqi()}


def after(rules: str, size: int, moves: str, most_games: int = 256, **options: str) -> Position:
    """Return the position after moves that are separated by semicolons."""
    start = RULES[rules].begin(size, Options(**options), most_games)
    read = [read_move(move, size) for move in moves.split(";") if move.strip()]
    *_, last = positions(start, read)
    return last


def stones_of(board: Superposition, game: int) -> str:
    """Return a game's stones, such as `wE6 bF5`, by point."""
    found = board.stones[game]
    return " ".join(
        "?bw"[found[point]] + name_of(int(point), board.size) for point in np.flatnonzero(found)
    )


def amplitudes(board: Superposition) -> dict[str, str]:
    """Return every game's amplitude, as people write it, by its stones."""
    return {stones_of(board, game): board.amplitude_text(game) for game in range(board.games)}


def probabilities(board: Superposition) -> dict[str, Fraction | float]:
    """Return the probability of every board, by its stones."""
    found: dict[str, Fraction | float] = {}
    for game, p in enumerate(board.probabilities()):
        stones = stones_of(board, game)
        found[stones] = found.get(stones, Fraction(0)) + p
    return found


def sorted_stones(*words: str) -> str:
    """Return stones in the order of `stones_of` on boards of up to nine lines."""
    return " ".join(sorted(words, key=lambda word: (word[2], word[1])))
