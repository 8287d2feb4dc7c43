"""The paper's moves as gates on superposed games."""

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from compiler.errors import GameError
from games.board.rules.moves import Arm, Kind, Move, name_of
from games.board.rules.superposition import Stone, Superposition, Where, everywhere


@frozen
class Asked:
    """Condition that a point has one of some stones.

    Args:
        point: point to check.
        stones: accepted stones.
        where: further condition on the games.
    """

    point: int
    stones: tuple[Stone, ...]
    where: Where = everywhere

    def __call__(self, board: Superposition) -> NDArray[np.bool_]:
        """Return the games that meet the condition, shape (games,)."""
        return np.isin(board.at(self.point), self.stones) & self.where(board)


def asked_stones(counter: str, colour: Stone) -> tuple[Stone, ...]:
    """Return the stones at a control with which a counter move acts.

    Args:
        counter: see `Options`.
        colour: colour of the mover.
    """
    if counter == "empty":
        return (Stone.EMPTY,)
    return (colour.other,) if counter == "opponent" else (Stone.BLACK, Stone.WHITE)


def superposed(
    board: Superposition,
    colour: Stone,
    points: Sequence[int],
    sign: int,
    where: Where = everywhere,
) -> Superposition:
    """Apply S^{colour±}(p, q) = B(p→q) H(p), for + after X(p)."""
    first, second = points
    if sign > 0:
        board = board.x(colour, first, where)
    board = board.h(colour, first, where)
    return board.x(colour, second, Asked(first, (Stone.EMPTY,), where))


def countered(board: Superposition, colour: Stone, arm: Arm, counter: str) -> Superposition:
    """Apply C or D±; see `Options.counter`."""
    where = Asked(arm.control, asked_stones(counter, colour))
    if len(arm.targets) == 1:
        return board.x(colour, arm.targets[0], where)
    return superposed(board, colour, arm.targets, arm.sign, where)


def moved(board: Superposition, colour: Stone, move: Move, counter: str) -> Superposition:
    """Return the board after a move, before captures.

    Args:
        board: the board before; a game-wise move names one point per game, in their order.
        colour: colour of the mover.
        move: the move.
        counter: see `Options`.

    Raises:
        GameError: if a game-wise move does not fit the games.
    """
    match move.kind:
        case Kind.PASS:
            return board
        case Kind.PLACE:
            return board.x(colour, move.points[0])
        case Kind.SUPERPOSE:
            return superposed(board, colour, move.points, move.sign)
        case Kind.GAME_WISE:
            return _game_wise(board, colour, move)
    # The paper writes products: the second arm acts first. They commute where no target is
    # another's control, which `moves` demands.
    for arm in reversed(move.arms):
        board = countered(board, colour, arm, counter)
    return board


def _game_wise(board: Superposition, colour: Stone, move: Move) -> Superposition:
    if len(move.points) != board.games:
        raise GameError(f"G names {len(move.points)} points, but there are {board.games} games")
    ordered = board.in_order()
    points = np.array(move.points, np.intp)
    taken = ordered.stones[np.arange(board.games), points] != Stone.EMPTY
    if taken.any():
        number = int(np.flatnonzero(taken)[0])
        name = name_of(move.points[number], board.size)
        raise GameError(f"{name} is not empty in game {number}")
    return ordered.placed(colour, points)
