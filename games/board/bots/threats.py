"""A classical solver of threats, for the game that is worst."""

from random import Random

import numpy as np

from games.board.bots.lines import by_point, worth
from games.board.rules.moves import Kind, Move
from games.board.rules.position import Position
from games.board.view import BoardView
from games.playing.playable import Bot

FOUR = 1e5
"""From this on a line has four stones, and one more wins."""


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
    open_ = np.flatnonzero(position.open_points())
    middle = (board.size - 1) / 2
    rows, columns = np.divmod(open_, board.size)
    away = np.hypot(rows - middle, columns - middle)
    order: np.ndarray = np.lexsort([open_, away, -score[open_]])
    return np.asarray(open_[order])
