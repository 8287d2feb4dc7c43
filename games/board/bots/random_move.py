"""Moves by chance."""

from collections.abc import Iterator
from random import Random

import numpy as np

from compiler.errors import GameError
from games.board.rules.moves import Arm, Kind, Move
from games.board.rules.position import Position
from games.board.view import BoardView
from games.playing.playable import Bot

TRIES = 20


class RandomBot(Bot[BoardView]):
    """Takes any move, of any kind that is possible."""

    def move(self, view: BoardView, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        for _ in range(TRIES):
            found = random_move(view.position, random)
            if found is None:
                break
            try:
                view.position.after(found)
            except GameError:
                # Too many games, or ko.
                continue
            return found.written(view.position.board.size)
        return random.choice(view.legal_moves)


def random_move(position: Position, random: Random) -> Move | None:
    """Return a random move of a random kind; None if no point is open.

    It may still be refused for ko, or because it makes too many games.
    """
    kinds = list(_possible(position, random))
    return random.choice(kinds) if kinds else None


def _possible(position: Position, random: Random) -> Iterator[Move]:
    """Yield a random move of every kind that there are points for."""
    open_ = np.flatnonzero(position.open_points()).tolist()
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
    for kind, sizes in (
        (Kind.ENTANGLE, (1, 1)), (Kind.ENTANGLE_SPLIT, (1, 2)), (Kind.SPLIT_SPLIT, (2, 2)),
    ):  # fmt: skip
        if len(targets) >= sum(sizes):
            ends = (targets[: sizes[0]], targets[sizes[0] : sum(sizes)])
            yield Move(
                kind,
                arms=tuple(
                    Arm(control, tuple(end), sign if len(end) == 2 else 1)
                    for control, end, sign in zip(held[:2], ends, signs, strict=True)
                ),
            )
