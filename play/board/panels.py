"""A quantum board in pictures: the stones of all games together, and game by game."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from attrs import frozen

from games.board.game import stone_at
from games.board.rules.moves import LETTERS, name_of
from games.board.rules.position import Turn
from games.board.rules.superposition import Stone, Superposition
from games.panels import Board, Cell, Grid, Layer, Lines, Spot
from play.match_log import Look, Seen

SIGNS = {Stone.EMPTY: "·", Stone.BLACK: "●", Stone.WHITE: "○"}
MAX_GAMES = 16
"""Games that are listed, the most probable ones."""
MAX_LAYERS = 256
"""Games that can be looked at one by one, the most probable ones."""
MAX_TURNS = 12
"""Moves that are listed, the last ones."""


def board_panel(board: Superposition, *, chances: bool) -> Board:
    """Return the board: certain points as a stone, others with a probability in per cent.

    Args:
        board: the board.
        chances: whether probabilities are shown.
    """
    size, shares = board.size, board.shares()
    held = np.stack([board.ever(stone) for stone in Stone])
    rows, spots = [], []
    for row in reversed(range(size)):
        points = range(row * size, (row + 1) * size)
        lying = [_Lying(name_of(p, size), held[:, p], shares[:, p] if chances else None)
                 for p in points]  # fmt: skip
        rows.append([Cell(str(row + 1), "faint"), *(each.cell() for each in lying)])
        spots.append([each.spot() for each in lying])
    return Board(
        "Board: ● black, ○ white; a number is its probability in per cent",
        ["", *LETTERS[:size]],
        rows,
        spots,
        {stone.word: sign for stone, sign in SIGNS.items()},
        _layers(board, chances=chances),
    )


@frozen
class _Lying:
    """Possible contents of a point.

    Args:
        name: name of the point.
        held: whether it lies there in some game, by `Stone`.
        shares: probability by `Stone`; None if probabilities are not shown.
    """

    name: str
    held: np.ndarray
    shares: np.ndarray | None

    @property
    def stones(self) -> list[Stone]:
        return [stone for stone in (Stone.BLACK, Stone.WHITE) if self.held[stone]]

    @property
    def certain(self) -> Stone | None:
        """The stone of every game, perhaps `EMPTY`; None if games differ."""
        possible = [stone for stone in Stone if self.held[stone]]
        return possible[0] if len(possible) == 1 else None

    def cell(self) -> Cell:
        if self.certain is not None:
            tone = "plain" if self.stones else "faint"
            return Cell(SIGNS[self.certain], tone, self.name)
        texts = (
            SIGNS[stone] + ("?" if self.shares is None else f"{100 * self.shares[stone]:.0f}")
            for stone in self.stones
        )
        return Cell("".join(texts), "fair", self.name)

    def spot(self) -> Spot:
        if self.certain is not None:
            pieces: dict[str, float | None] = {stone.word: 1.0 for stone in self.stones}
            return Spot(self.name, pieces, f"{self.name}: {self.certain.word}")
        possible = [*self.stones, *[Stone.EMPTY] * bool(self.held[Stone.EMPTY])]
        if self.shares is None:
            text = " or ".join(stone.word for stone in possible)
            return Spot(self.name, {stone.word: None for stone in self.stones},
                        f"{self.name}: {text}")  # fmt: skip
        text = ", ".join(f"{stone.word} {_percent(self.shares[stone])}" for stone in possible)
        pieces = {stone.word: float(self.shares[stone]) for stone in self.stones}
        return Spot(self.name, pieces, f"{self.name}: {text}")


def _percent(share: float) -> str:
    """Return a share that is neither 0 nor 1, so that it does not look like one of these."""
    shown = f"{100 * share:.3g}"
    return f"{shown} %" if shown not in ("0", "100") else f"{'>' if share > 0.5 else '<'} {shown} %"


def _layers(board: Superposition, *, chances: bool) -> list[Layer]:
    ordered = board.in_order()
    weights = ordered.probabilities()
    shown = _likely(ordered)[:MAX_LAYERS]
    result = []
    for game in map(int, shown):
        held = ordered.held[game]
        pieces = {
            name_of(ordered.points[place], board.size): Stone(held[place]).word
            for place in np.flatnonzero(held)
        }
        weight = weights[game]
        share = str(weight) if isinstance(weight, Fraction) else f"{weight:.4g}"
        text = f"amplitude {ordered.amplitude_text(game)}, probability {share}"
        result.append(Layer(game, text if chances else written(ordered, game), pieces))
    return result


def _likely(board: Superposition) -> np.ndarray:
    """Return the numbers of games, the most probable first."""
    return np.argsort(-board.weights(), kind="stable")


def games_panel(board: Superposition, *, chances: bool) -> Lines:
    """Return the games, the most probable first: amplitude and stones of each.

    Args:
        board: the board.
        chances: whether amplitudes are shown.
    """
    ordered = board.in_order()
    shown = _likely(ordered)[:MAX_GAMES]
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
    parts = [SIGNS[stone] + name_of(point, board.size) for point, stone in board.stones_in(game)]
    return " ".join(parts) or "no stone"


def turns_panel(turns: Sequence[Turn], size: int) -> Lines:
    """Return the last moves and their captures."""
    start = max(0, len(turns) - MAX_TURNS)
    lines = []
    for number, turn in enumerate(turns[start:], start=start + 1):
        taken = ", ".join(name_of(point, size) for point in turn.captured)
        lines.append(
            f"{number:>3}  {SIGNS[turn.colour]} {turn.move.written(size)}"
            + f", captures {taken}" * bool(taken)
        )
    return Lines("Moves", lines)


MIN_SHARE = 0.005
"""Probabilities below are not drawn."""


def look_panel(look: Look, size: int) -> Grid:
    """Return the measured board: the share of shots of each stone on each point, in per cent.

    Args:
        look: look at the board.
        size: lines of the board.
    """
    seen = {item.name: item for item in look.seen}
    rows = []
    for row in reversed(range(size)):
        names = [name_of(point, size) for point in range(row * size, (row + 1) * size)]
        rows.append([Cell(str(row + 1), "faint"), *(_cell(seen, name) for name in names)])
    return Grid("Measured board, in per cent of the shots", ["", *LETTERS[:size]], rows)


def _cell(seen: Mapping[str, Seen], name: str) -> Cell:
    texts = []
    for stone in (Stone.BLACK, Stone.WHITE):
        item = seen.get(stone_at(stone, name))
        if item is not None and item.measured is not None and item.measured >= MIN_SHARE:
            texts.append(f"{SIGNS[stone]}{100 * item.measured:.0f}")
    return Cell("".join(texts), "fair") if texts else Cell(SIGNS[Stone.EMPTY], "faint")
