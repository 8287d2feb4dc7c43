"""Weiqi (Go): captures in superposed games, forbidden points, ko, and the count of black stones."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import ceil

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from compiler.errors import GameError
from games.board.rules.groups import dead, neighbours, suicides
from games.board.rules.moves import PASS, Kind, Move
from games.board.rules.position import BoardRules, End, Position
from games.board.rules.superposition import Stone, Superposition

SHARE = Fraction(185, 361)
"""Share of all points: Bob wins if the expected number of black stones reaches it."""


@frozen
class Weiqi(BoardRules):
    """Stones without liberties are captured; see `games.board.rules.position.Options.captures`."""

    name = "weiqi"
    title = "Weiqi"
    usual_size = 19
    passing = True
    forbidden_text = "is forbidden: in some game the stone would have no liberty"

    def forbidden(self, position: Position) -> NDArray[np.bool_]:
        """Return the points where a stone would have no liberty in some game."""
        return suicides(position.board, position.colour)

    def stranded(self, position: Position, board: Superposition, move: Move) -> Sequence[int]:
        """Return the targets without a liberty in some game, since a move puts several stones."""
        if not move.arms:
            return ()
        held, points, colour = board.held.copy(), board.points, position.colour
        held[dead(held, points, colour.other, board.size)] = Stone.EMPTY
        ever = np.any(dead(held, points, colour, board.size), axis=0).tolist()
        return [point for point in move.targets if ever[points.index(point)]]

    def refused(self, position: Position) -> tuple[int, ...]:
        """Return the point that ko forbids.

        A stone can bring the board back only where the one stone was that has just been captured.
        """
        captured = position.turns[-1].captured if position.turns else ()
        if len(captured) != 1:
            return ()
        try:
            position.after(Move(Kind.PLACE, captured))
        except GameError:
            return captured
        return ()

    def disputed(self, position: Position) -> frozenset[int]:
        """Return the points that were touched, and those beside them, where a stone captures."""
        board = position.board
        beside = (near for point in board.points for near in neighbours(point, board.size))
        return super().disputed(position).union(beside)

    def captured(
        self, position: Position, board: Superposition
    ) -> tuple[Superposition, tuple[int, ...]]:
        """Capture groups of the other colour that have no liberty in a game."""
        colour = position.colour.other
        killed = dead(board.held, board.points, colour, board.size)
        places = np.flatnonzero(killed.any(axis=0))
        points = tuple(board.points[place] for place in places)
        if not points:
            return board, ()
        match position.options.captures:
            case "x":
                for point in points:
                    board = board.x(colour, point)
            case "all":
                taken = np.zeros_like(killed)
                taken[:, places] = board.held[:, places] == colour
                board = board.without(taken)
            case "game":
                board = board.without(killed)
        return board, points

    def refusal(self, old: Position, new: Position) -> str:
        """Refuse a board that was there before the other's last move."""
        passed = new.turns[-1].move.kind is Kind.PASS
        if passed or old.before is None or not same_state(new.board, old.before):
            return ""
        return (
            "ko: the move would restore the board before the opponent's last move; play "
            "elsewhere first"
        )

    def end(self, position: Position) -> End | None:
        """Return the winner when both have passed, or the game is too long."""
        passed = [turn.move for turn in position.turns[-2:]] == [PASS, PASS]
        if not passed and not self.is_too_long(position):
            return None
        won = black_stones(position.board) >= threshold(position.board.size)
        return End(Stone.BLACK if won else Stone.WHITE, self.standing(position))

    def standing(self, position: Position) -> str:
        """Return ⟨C⟩, and the count that black needs."""
        count, needed = black_stones(position.board), threshold(position.board.size)
        shown = f"{count:.4g}" if isinstance(count, float) else str(count)
        return f"⟨C⟩ = {shown} black stones, and black needs {needed}"


def threshold(size: int) -> int:
    """Return the number of black stones with which Bob has won, 185 on 19 × 19."""
    return ceil(SHARE * size * size)


def black_stones(board: Superposition) -> Fraction | float:
    """Return ⟨C⟩, the expected number of black stones on the board."""
    counts = (board.held == Stone.BLACK).sum(axis=1).tolist()
    return sum((n * p for n, p in zip(counts, board.probabilities(), strict=True)), Fraction(0))


def same_state(first: Superposition, other: Superposition) -> bool:
    """Return whether two boards are equal up to a common sign.

    For mixtures, compare the probabilities of all games.
    """
    if first.games == 1 == other.games:
        return bool((first.stones == other.stones).all())
    if first.pure and other.pure:
        a = first.touching(*other.points).in_order()
        b = other.touching(*first.points).in_order()
        if a.games != b.games or not (a.held == b.held).all():
            return False
        return any(_equal(a, b, sign) for sign in (1, -1))
    return _weights(first.touching(*other.points)) == _weights(other.touching(*first.points))


def _equal(a: Superposition, b: Superposition, sign: int) -> bool:
    """Return whether amplitudes are equal; each state has only one form."""
    return a.halvings == b.halvings and bool(
        ((a.whole == sign * b.whole) & (a.root == sign * b.root)).all()
    )


def _weights(board: Superposition) -> Counter[bytes]:
    """Return every game's probability by its touched points, exact where it is a fraction."""
    result: Counter[bytes] = Counter()
    for held, p in zip(board.held, board.probabilities(), strict=True):
        result[held.tobytes()] += p  # type: ignore[assignment]
    return result
