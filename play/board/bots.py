"""Bots on quantum boards: random, greedy, by threats, and with quantum moves."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.errors import GameError
from games.board.rules.five_in_a_row import LENGTH
from games.board.rules.groups import lines_through, neighbours
from games.board.rules.moves import SHAPES, Arm, Kind, Move
from games.board.rules.position import Position
from games.board.rules.superposition import Stone, Superposition
from play.board.view import BoardView
from play.playable import Bot

Values = NDArray[np.float32]

WORTH = np.array([1, 8, 64, 512, 1e5, 1e7], np.float32)
"""Value of a line by the number of stones of one colour, if the other colour has none on it."""


@lru_cache(8)
def lines(size: int) -> Values:
    """Return the points of each line of five, shape (lines, points)."""
    rows = list(lines_through(range(size * size), size, LENGTH))
    marks = np.zeros((len(rows), size * size), np.float32)
    for row, line in zip(marks, rows, strict=True):
        row[list(line)] = 1
    return marks


def worth(board: Superposition, colour: Stone) -> Values:
    """Return the value of each line to a colour, shape (games, lines): 0 if it is blocked."""
    on = lines(board.size).T
    own = (board.has(colour).astype(np.float32) @ on).astype(np.int8)
    other = board.has(colour.other).astype(np.float32) @ on
    result: Values = np.where(other == 0, WORTH[own], np.float32(0))
    return result


def by_point(board: Superposition, colour: Stone) -> Values:
    """Return the value to a colour of the lines through each point, shape (games, points)."""
    result: Values = worth(board, colour) @ lines(board.size)
    return result


def standing(board: Superposition, colour: Stone) -> float:
    """Return the value of a position to a colour: its lines in the best game, plus the average.

    Five in any game wins, so the best game counts separately.
    """
    if not len(lines(board.size)):
        return 0.0
    games: NDArray[Any] = worth(board, colour).sum(axis=1)
    return float(games.max() + games.mean())


TRIES = 20


class RandomBot(Bot[BoardView]):
    """Takes any move, of any kind that is possible."""

    def move(self, view: BoardView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        for _ in range(TRIES):
            drawn = random_move(view.position, random)
            if drawn is None:
                break
            try:
                view.position.after(drawn)
            except GameError:
                # Too many games, or ko.
                continue
            return drawn.written(view.position.board.size)
        return random.choice(view.legal_moves)


def random_move(position: Position, random: Random) -> Move | None:
    """Return a random move of a random kind; None if no point is open.

    It may still be refused for ko, or because it makes too many games.
    """
    kinds = list(_possible(position, random))
    return random.choice(kinds) if kinds else None


def _possible(position: Position, random: Random) -> Iterator[Move]:
    """Yield a random move of every kind that there are points for."""
    open_ = np.flatnonzero(position.open_points).tolist()
    board = position.board
    theirs = np.flatnonzero((board.held == position.colour.other).any(axis=0))
    held = [board.points[place] for place in theirs]
    random.shuffle(open_)
    random.shuffle(held)
    signs = [random.choice((1, -1)) for _ in range(2)]
    if open_:
        yield Move(Kind.PLACE, (open_[0],))
    if len(open_) > 1:
        yield Move(Kind.SUPERPOSE, tuple(open_[:2]), signs[0])
    if len(held) < 2 or position.options.counter != "opponent":
        return
    targets = [point for point in open_ if point not in held[:2]]
    for kind in (Kind.ENTANGLE, Kind.ENTANGLE_SPLIT, Kind.SPLIT_SPLIT):
        sizes = SHAPES[kind].targets
        if len(targets) >= sum(sizes):
            ends = (targets[: sizes[0]], targets[sizes[0] : sum(sizes)])
            yield Move(
                kind,
                arms=tuple(
                    Arm(control, tuple(end), sign if len(end) == 2 else 1)
                    for control, end, sign in zip(held[:2], ends, signs, strict=True)
                ),
            )


FOUR = 1e5
"""Minimum value of a line with four stones, which wins with one more."""


class ThreatBot(Bot[BoardView]):
    """Puts one stone: wins where it can, else answers in the game where the other is nearest."""

    def move(self, view: BoardView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        best = best_points(view.position)
        if not len(best):
            # No point is empty in all games, but one in each is.
            return view.legal_moves[0]
        choice = Move(Kind.PLACE, (int(best[0]),))
        return choice.written(view.position.board.size)


def best_points(position: Position) -> np.ndarray:
    """Return the open points, the best to put one stone on first."""
    board, colour = position.board, position.colour
    own, other = by_point(board, colour), by_point(board, colour.other)
    danger = worth(board, colour.other).max(axis=1, initial=0)
    if (own >= FOUR).any() or not danger.any():
        score = own.max(axis=0) + other.max(axis=0) / 2
    else:
        worst = danger == danger.max()
        score = (own[worst] + other[worst]).max(axis=0) + own.mean(axis=0) / 2
    open_ = np.flatnonzero(position.open_points)
    middle = (board.size - 1) / 2
    rows, columns = np.divmod(open_, board.size)
    away = np.hypot(rows - middle, columns - middle)
    order: np.ndarray = np.lexsort([open_, away, -score[open_]])
    return np.asarray(open_[order])


TRIED = 24
"""Maximum number of weighed points, drawn at random from the open ones."""
FEWEST = 4
GREEDY_WORK = 500_000
"""Maximum points times games per move, so that users and other bots do not wait."""
LIBERTY = 0.2
"""Value of a liberty, in stones."""


class GreedyBot(Bot[BoardView]):
    """Puts one stone where it has most stones and liberties more than the other, on average."""

    def move(self, view: BoardView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        position = view.position
        open_ = np.flatnonzero(position.open_points).tolist()
        # Fewer for more games and stones.
        affordable = max(FEWEST, GREEDY_WORK // max(1, position.board.held.size))
        number = min(TRIED, affordable, len(open_))
        tried = [Move(Kind.PLACE, (p,)) for p in random.sample(open_, number)]
        values = [(_greedy_value(position, move), -place) for place, move in enumerate(tried)]
        if not values or max(values)[0] < lead(position.board, position.colour):
            return "pass"
        return tried[-max(values)[1]].written(position.board.size)


def lead(board: Superposition, colour: Stone) -> float:
    """Return a colour's average lead in stones and liberties."""
    return float(board.weights() @ (_worth(board, colour) - _worth(board, colour.other)))


def _worth(board: Superposition, colour: Stone) -> np.ndarray:
    own = board.held == colour
    place = {point: number for number, point in enumerate(board.points)}
    ever = {point for point, has in zip(board.points, own.any(axis=0), strict=True) if has}
    liberties = np.zeros(board.games)
    for point in {other for stone in ever for other in neighbours(stone, board.size)}:
        beside = [place[other] for other in neighbours(point, board.size) if other in ever]
        free = own[:, beside].any(axis=1)
        if point in place:
            free &= board.held[:, place[point]] == Stone.EMPTY
        liberties += free
    return np.asarray(own.sum(axis=1) + LIBERTY * liberties)


def _greedy_value(position: Position, move: Move) -> float:
    try:
        return lead(position.after(move).board, position.colour)
    except GameError:
        return -np.inf


FEW = 5
"""Points that are tried in twos."""
MAX_CONTROLS = 4
QUANTUM_WORK = 100_000
"""Points of games beyond which only two points and two controls are tried."""
CAUTION = 1.5
"""Weight of the opponent's lines, since the opponent moves next."""
WON = 1e12


class QuantumBot(Bot[BoardView]):
    """Tries X, S± and E on the best points, and takes the move with the best resulting position."""

    def move(self, view: BoardView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        position = view.position
        tried = [(_value(position, move), -place, move)
                 for place, move in enumerate(_candidates(position))]  # fmt: skip
        if not tried:
            # No point is empty in all games, but one in each is.
            return view.legal_moves[0]
        return max(tried, key=lambda option: option[:2])[2].written(position.board.size)


def _candidates(position: Position) -> Iterator[Move]:
    best = best_points(position)[: 2 if _is_large(position) else FEW].tolist()
    for point in best:
        yield Move(Kind.PLACE, (point,))
    for pair in combinations(best, 2):
        yield Move(Kind.SUPERPOSE, pair)
    yield from _answers(position)


def _answers(position: Position) -> Iterator[Move]:
    """Yield E for two stones of the other that are never both there: an answer to each."""
    board, colour = position.board, position.colour
    theirs = board.has(colour.other)
    unsure = np.flatnonzero(theirs.any(axis=0) & ~theirs.all(axis=0))
    unsure = unsure[-(2 if _is_large(position) else MAX_CONTROLS) :]
    value = by_point(board, colour) + by_point(board, colour.other)
    open_ = position.open_points
    for first, two in combinations(unsure.tolist(), 2):
        if (theirs[:, first] & theirs[:, two]).any():
            continue
        targets: list[int] = []
        for control in (first, two):
            score = np.where(open_, value[theirs[:, control]].max(axis=0), -1)
            score[[first, two, *targets]] = -1
            targets.append(int(score.argmax()))
        if open_[targets].all() and len(set(targets)) == 2:
            arms = (Arm(first, (targets[0],)), Arm(two, (targets[1],)))
            yield Move(Kind.ENTANGLE, arms=arms)


def _is_large(position: Position) -> bool:
    return position.board.games * position.board.size**2 > QUANTUM_WORK


def _value(position: Position, move: Move) -> float:
    try:
        after = position.after(move)
    except GameError:
        return -np.inf
    if after.end is not None:
        return WON if after.end.winner is position.colour else 0.0
    own = standing(after.board, position.colour)
    return own - CAUTION * standing(after.board, position.colour.other)
