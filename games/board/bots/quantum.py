"""A bot that weighs stones in one place, in two at once, and answers game by game."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import numpy as np

from compiler.errors import GameError
from games.board.bots.lines import by_point, standing
from games.board.bots.threats import best_points
from games.board.rules.moves import Arm, Kind, Move
from games.board.rules.position import Position
from games.board.view import BoardView
from games.playing.playable import Bot

FEW = 5
"""Points that are tried in twos."""
MOST_CONTROLS = 4
WORK = 100_000
"""Points of games beyond which only two points and two controls are tried."""
CAUTION = 1.5
"""How much the other's lines count, who moves next."""
WON = 1e12


class QuantumBot(Bot[BoardView]):
    """Tries X, S± and E on the best points, and takes what leaves it best after one move."""

    def move(self, view: BoardView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        position = view.position
        tried = [(_value(position, move), -place, move)
                 for place, move in enumerate(_candidates(position))]  # fmt: skip
        if not tried:
            # No point is empty in all games, but one in each is.
            return view.legal_moves[0]
        return max(tried, key=lambda one: one[:2])[2].written(position.board.size)


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
    unsure = unsure[-(2 if _is_large(position) else MOST_CONTROLS) :]
    value = by_point(board, colour) + by_point(board, colour.other)
    open_ = position.open_points()
    for one, two in combinations(unsure.tolist(), 2):
        if (theirs[:, one] & theirs[:, two]).any():
            continue
        targets: list[int] = []
        for control in (one, two):
            score = np.where(open_, value[theirs[:, control]].max(axis=0), -1)
            score[[one, two, *targets]] = -1
            targets.append(int(score.argmax()))
        if open_[targets].all() and len(set(targets)) == 2:
            arms = (Arm(one, (targets[0],)), Arm(two, (targets[1],)))
            yield Move(Kind.ENTANGLE, arms=arms)


def _is_large(position: Position) -> bool:
    return position.board.games * position.board.size**2 > WORK


def _value(position: Position, move: Move) -> float:
    try:
        after = position.after(move)
    except GameError:
        return -np.inf
    if after.end is not None:
        return WON if after.end.winner is position.colour else 0.0
    own = standing(after.board, position.colour)
    return own - CAUTION * standing(after.board, position.colour.other)
