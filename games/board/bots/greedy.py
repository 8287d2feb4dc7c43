"""A bot for Weiqi that counts stones and liberties after its move."""

from random import Random

import numpy as np

from compiler.errors import GameError
from games.board.rules.groups import neighbours
from games.board.rules.moves import Kind, Move
from games.board.rules.position import Position
from games.board.rules.superposition import Stone, Superposition
from games.board.view import BoardView
from games.playing.playable import Bot

TRIED = 24
"""Points that are weighed at most, drawn by chance from those that are open."""
FEWEST = 4
WORK = 500_000
"""Points of games that are gone through for one move: people wait, and the bots of others."""
LIBERTY = 0.2
"""What a liberty is worth, in stones."""


class GreedyBot(Bot[BoardView]):
    """Puts one stone where it has most stones and liberties more than the other, on average."""

    def move(self, view: BoardView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        position = view.position
        open_ = np.flatnonzero(position.open_points()).tolist()
        number = min(tried_on(position.board), len(open_))
        tried = [Move(Kind.PLACE, (p,)) for p in random.sample(open_, number)]
        values = [(_value(position, move), -place) for place, move in enumerate(tried)]
        if not values or max(values)[0] < lead(position.board, position.colour):
            return "pass"
        return tried[-max(values)[1]].written(position.board.size)


def tried_on(board: Superposition) -> int:
    """Return how many points are weighed: the more games and stones, the fewer."""
    return min(TRIED, max(FEWEST, WORK // max(1, board.held.size)))


def lead(board: Superposition, colour: Stone) -> float:
    """Return by how much a colour leads in stones and liberties, on average."""
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


def _value(position: Position, move: Move) -> float:
    try:
        return lead(position.after(move).board, position.colour)
    except GameError:
        return -np.inf
