"""A quantum board in pictures: the stones of all games together, and game by game."""

from collections.abc import Sequence
from string import ascii_uppercase

import numpy as np

from games.board.rules.points import name_of
from games.board.rules.position import Turn
from games.board.rules.superposition import Stone, Superposition
from games.playing.panels import Cell, Grid, Lines

SIGNS = {Stone.EMPTY: "·", Stone.BLACK: "●", Stone.WHITE: "○"}
MOST_GAMES = 16
"""Games that are listed, the most probable ones."""
MOST_TURNS = 12
"""Moves that are listed, the last ones."""


def board_panel(board: Superposition, *, chances: bool) -> Grid:
    """Return the board: what is certain as a stone, else with its probability in per cent.

    Args:
        board: as it is.
        chances: whether probabilities are shown.
    """
    size, shares = board.size, board.shares()
    held = np.stack([board.ever(stone) for stone in Stone])
    rows = []
    for row in reversed(range(size)):
        cells = [
            _cell(held[:, point], shares[:, point], name_of(point, size), chances=chances)
            for point in range(row * size, (row + 1) * size)
        ]
        rows.append([Cell(str(row + 1), "faint"), *cells])
    letters = ["", *ascii_uppercase[:size]]
    return Grid("Board: ● black, ○ white; with a number in so many per cent", letters, rows)


def _cell(held: np.ndarray, shares: np.ndarray, name: str, *, chances: bool) -> Cell:
    stones = [stone for stone in (Stone.BLACK, Stone.WHITE) if held[stone]]
    if not stones:
        return Cell(SIGNS[Stone.EMPTY], "faint", name)
    if len(stones) == 1 and not held[Stone.EMPTY]:
        return Cell(SIGNS[stones[0]], "plain", name)
    text = "".join(
        SIGNS[stone] + (f"{100 * shares[stone]:.0f}" if chances else "?") for stone in stones
    )
    return Cell(text, "fair", name)


def games_panel(board: Superposition, *, chances: bool) -> Lines:
    """Return the games, the most probable first: amplitude and stones of each.

    Args:
        board: as it is.
        chances: whether amplitudes are shown.
    """
    ordered = board.in_order()
    shown = np.argsort(-ordered.weights(), kind="stable")[:MOST_GAMES]
    texts = [ordered.amplitude_text(game) for game in shown]
    widest = max(map(len, texts))
    lines = [
        f"{text:>{widest}}  {written(ordered, int(game))}" if chances
        else f"game {game}  {written(ordered, int(game))}"
        for text, game in zip(texts, shown, strict=True)
    ]  # fmt: skip
    kind = "superposed games" if board.pure else "games, some of which only by chance"
    more = f", {len(shown)} of them" if board.games > len(shown) else ""
    return Lines(f"{board.games} {kind}{more}" if board.games > 1 else "One game", lines)


def written(board: Superposition, game: int) -> str:
    """Return the stones of a game, such as `●E5 ○F6`."""
    words = [SIGNS[stone] + name_of(point, board.size) for point, stone in board.stones_in(game)]
    return " ".join(words) or "no stone"


def turns_panel(turns: Sequence[Turn], size: int) -> Lines:
    """Return the last moves, with what they captured."""
    start = max(0, len(turns) - MOST_TURNS)
    lines = []
    for number, turn in enumerate(turns[start:], start=start + 1):
        taken = ", ".join(name_of(point, size) for point in turn.captured)
        lines.append(
            f"{number:>3}  {SIGNS[turn.colour]} {turn.move.written(size)}"
            + f", captures {taken}" * bool(taken)
        )
    return Lines("Moves", lines)
