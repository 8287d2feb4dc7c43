"""A quantum board in pictures: the stones of all games together, and game by game."""

from collections.abc import Sequence
from fractions import Fraction
from string import ascii_uppercase

import numpy as np

from games.board.rules.points import name_of
from games.board.rules.position import Turn
from games.board.rules.superposition import Stone, Superposition
from games.playing.boards import Board, Layer, Spot
from games.playing.panels import Cell, Lines

SIGNS = {Stone.EMPTY: "·", Stone.BLACK: "●", Stone.WHITE: "○"}
MOST_GAMES = 16
"""Games that are listed, the most probable ones."""
MOST_LAYERS = 256
"""Games that can be looked at one by one, the most probable ones."""
MOST_TURNS = 12
"""Moves that are listed, the last ones."""


def board_panel(board: Superposition, *, chances: bool) -> Board:
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
    spots = [
        [
            _spot(held[:, point], shares[:, point], name_of(point, size), chances=chances)
            for point in range(row * size, (row + 1) * size)
        ]
        for row in reversed(range(size))
    ]
    return Board(
        "Board: ● black, ○ white; with a number in so many per cent",
        letters,
        rows,
        spots,
        {stone.name.lower(): sign for stone, sign in SIGNS.items()},
        _layers(board, chances=chances),
    )


def _spot(held: np.ndarray, shares: np.ndarray, name: str, *, chances: bool) -> Spot:
    possible = [stone for stone in (Stone.BLACK, Stone.WHITE) if held[stone]]
    words = [
        stone.name.lower() + (f" {_percent(shares[stone])}" if chances else "")
        for stone in (*possible, Stone.EMPTY)
        if held[stone]
    ]
    pieces = {
        stone.name.lower(): float(shares[stone]) if chances else None
        for stone in possible
    }  # fmt: skip
    if len(words) == 1:
        certain = [*possible, Stone.EMPTY][0].name.lower()
        return Spot(name, {certain: 1.0} if possible else {}, f"{name}: {certain}")
    return Spot(name, pieces, f"{name}: {(', ' if chances else ' or ').join(words)}")


def _percent(share: float) -> str:
    """Return a share that is neither 0 nor 1, so that it does not look like one of these."""
    shown = f"{100 * share:.3g}"
    return f"{shown} %" if shown not in ("0", "100") else f"{'>' if share > 0.5 else '<'} {shown} %"


def _layers(board: Superposition, *, chances: bool) -> list[Layer]:
    ordered = board.in_order()
    weights = ordered.probabilities()
    shown = _likely(ordered)[:MOST_LAYERS]
    kind = {stone: stone.name.lower() for stone in (Stone.BLACK, Stone.WHITE)}
    found = []
    for game in map(int, shown):
        held = ordered.held[game]
        pieces = {
            name_of(ordered.points[place], board.size): kind[Stone(held[place])]
            for place in np.flatnonzero(held)
        }
        weight = weights[game]
        share = str(weight) if isinstance(weight, Fraction) else f"{weight:.4g}"
        words = f"amplitude {ordered.amplitude_text(game)}, probability {share}"
        found.append(Layer(game, words if chances else written(ordered, game), pieces))
    return found


def _likely(board: Superposition) -> np.ndarray:
    """Return the numbers of games, the most probable first."""
    return np.argsort(-board.weights(), kind="stable")


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
    shown = _likely(ordered)[:MOST_GAMES]
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
