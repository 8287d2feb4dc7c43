"""The exact state of a quantum board, games with stones and amplitudes, and the gates on it."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from math import isqrt, sqrt
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from compiler.errors import GameError
from games.board.rules.moves import ALWAYS, Arm, Kind, Move, name_of

Stones = NDArray[np.uint8]
Points = tuple[int, ...]
Integers = NDArray[Any]
"""Whole numbers: of 64 bits as long as these cannot overflow, then Python's."""

MAX_HALVINGS = 120
"""Maximum for which all numbers are smaller than 2^61, since no amplitude is larger than 1."""

PARTS = ("held", "whole", "root", "past")
"""The arrays of a superposition, each with an entry for every game."""

Where = Callable[["Superposition"], NDArray[np.bool_]]
"""Returns the games in which a condition holds, shape (games,)."""


class Stone(IntEnum):
    """The content of a point."""

    EMPTY = 0
    BLACK = 1
    WHITE = 2

    @property
    def word(self) -> str:
        """Name of the stone."""
        return self.name.lower()

    @property
    def other(self) -> "Stone":
        """The other colour."""
        return Stone(3 - self)


def everywhere(board: "Superposition") -> NDArray[np.bool_]:
    """Return all games, shape (games,)."""
    return np.ones(board.games, bool)


@frozen(eq=False, slots=False)
class Superposition:
    """Σ (whole + root·√2) / √2^halvings |stones⟩.

    All gates of the paper keep amplitudes in this form. An operation that is not unitary, such as
    captures that differ between games, leaves a mixture: games with different pasts do not
    interfere.

    Run time grows with the number of touched points, not with the size of the board.

    Args:
        size: lines of the board.
        points: touched points in ascending order; all others are empty.
        held: shape (games, touched points), each a `Stone`.
        whole: shape (games,).
        root: shape (games,).
        halvings: see above.
        past: shape (games,); games with different values do not interfere.
    """

    size: int
    points: Points
    held: Stones
    whole: Integers
    root: Integers
    halvings: int
    past: NDArray[np.intp]

    @classmethod
    def empty(cls, size: int) -> "Superposition":
        """Return one game without stones."""
        zero = np.zeros(1, np.int64)
        return cls(size, (), np.zeros((1, 0), np.uint8), zero + 1, zero, 0, zero)

    @property
    def games(self) -> int:
        """The number of games, those with equal stones and different pasts apart."""
        return len(self.held)

    @cached_property
    def stones(self) -> Stones:
        """The stones of all points, shape (games, size²)."""
        result = np.zeros((self.games, self.size**2), np.uint8)
        result[:, list(self.points)] = self.held
        return result

    def at(self, point: int) -> Stones:
        """Return the stone of each game on a point, shape (games,)."""
        if point in self.points:
            return self.held[:, self.points.index(point)]
        return np.zeros(self.games, np.uint8)

    def touching(self, *points: int) -> "Superposition":
        """Return the same with some points among the touched ones."""
        new = sorted({*points} - {*self.points})
        if not new:
            return self
        together = [*self.points, *new]
        order = sorted(range(len(together)), key=together.__getitem__)
        held = np.hstack([self.held, np.zeros((self.games, len(new)), np.uint8)])
        return evolve(
            self,
            points=tuple(together[place] for place in order),
            held=np.ascontiguousarray(held[:, order]),
        )

    def x(self, colour: Stone, point: int, where: Where = everywhere) -> "Superposition":
        """Apply X^colour: empty and the colour are exchanged on a point.

        Args:
            colour: black or white.
            point: the point.
            where: the games; the condition must not depend on this point.
        """
        board = self.touching(point)
        held, place = board.held.copy(), board.points.index(point)
        here = held[:, place]
        acts = where(board) & (here != colour.other)
        held[acts, place] = colour - here[acts]
        return evolve(board, held=held)

    def h(self, colour: Stone, point: int, where: Where = everywhere) -> "Superposition":
        """Apply H^colour: a stone → (stone + empty)/√2, empty → (stone − empty)/√2.

        Args:
            colour: black or white.
            point: the point.
            where: the games; the condition must not depend on this point.
        """
        board = self.touching(point)
        place = board.points.index(point)
        here = board.held[:, place]
        acts = where(board) & (here != colour.other)
        split = np.flatnonzero(acts)
        number = np.int64 if self.halvings < MAX_HALVINGS else object
        whole, root = self.whole.astype(number), self.root.astype(number)
        # The others keep their amplitudes: (a + b√2)·√2 = 2b + a√2.
        whole[~acts], root[~acts] = 2 * root[~acts], whole[~acts]
        sign = np.where(here == colour, 1, -1)
        half = evolve(board._only(split), whole=(sign * whole)[split], root=(sign * root)[split])
        board = evolve(board, held=board.held.copy(), whole=whole, root=root)
        board.held[split, place] = colour
        half.held[:, place] = Stone.EMPTY
        both: dict[str, Any] = {
            part: np.concatenate([getattr(board, part), getattr(half, part)]) for part in PARTS
        }
        return evolve(board, **both, halvings=self.halvings + 1)._interfered()

    def without(self, removed: NDArray[np.bool_]) -> "Superposition":
        """Take stones away; games of which something different was taken interfere no more.

        Args:
            removed: shape (games, touched points).
        """
        key = np.column_stack([self.past, removed[:, removed.any(axis=0)]])
        _, past = np.unique(key, axis=0, return_inverse=True)
        return evolve(self, held=np.where(removed, np.uint8(0), self.held), past=past.ravel())

    def placed(self, colour: Stone, points: NDArray[np.intp]) -> "Superposition":
        """Put a stone on a point of its own in every game; these interfere no more.

        Args:
            colour: colour of the stones.
            points: shape (games,), in the order of `held`; empty ones.
        """
        board = self.touching(*points.tolist())
        held = board.held.copy()
        held[np.arange(self.games), np.searchsorted(board.points, points)] = colour
        key = np.column_stack([self.past, points])
        _, past = np.unique(key, axis=0, return_inverse=True)
        return evolve(board, held=held, past=past.ravel())

    def has(self, stone: Stone) -> NDArray[np.bool_]:
        """Return whether a stone is there, for each game and point, shape (games, points)."""
        return self.stones == stone

    def ever(self, stone: Stone) -> NDArray[np.bool_]:
        """Return the points that have a stone in some game, shape (points,)."""
        result = np.full(self.size**2, stone == Stone.EMPTY)
        result[list(self.points)] = (self.held == stone).any(axis=0)
        return result

    def shares(self) -> NDArray[np.float64]:
        """Return the probability of each `Stone` on each point, shape (3, points)."""
        weights = self.weights()
        result = np.zeros((len(Stone), self.size**2))
        result[Stone.EMPTY] = weights.sum()
        for stone in Stone:
            result[stone, list(self.points)] = weights @ (self.held == stone)
        return result

    def stones_in(self, game: int) -> list[tuple[int, Stone]]:
        """Return the points of a game that are not empty, in order, each with its stone."""
        here = self.held[game]
        return [(self.points[place], Stone(here[place])) for place in np.flatnonzero(here)]

    def weights(self) -> NDArray[np.float64]:
        """Return every game's probability as a floating-point number, shape (games,)."""
        if self.whole.dtype == object or self.halvings > MAX_HALVINGS:
            return np.array([float(p) for p in self.probabilities()])
        whole, root = self.whole.astype(float), self.root.astype(float)
        square = whole * whole + 2 * root * root + 2 * sqrt(2) * whole * root
        return np.asarray(np.ldexp(square, -self.halvings))

    def probabilities(self) -> list[Fraction | float]:
        """Return every game's probability: a fraction where it is one."""
        result: list[Fraction | float] = []
        scale = 1 << self.halvings
        for a, b in zip(self.whole.tolist(), self.root.tolist(), strict=True):
            square = Fraction(a * a + 2 * b * b, scale)
            # Exact zero of a·b: only then is the square of a + b√2 a fraction.
            result.append(square + Fraction(2 * a * b, scale) * sqrt(2) if a and b else square)
        return result

    def amplitudes(self) -> NDArray[np.float64]:
        """Return the amplitudes as floating-point numbers, shape (games,)."""
        scale = sqrt(2) ** -self.halvings
        return (self.whole.astype(float) + self.root.astype(float) * sqrt(2)) * scale

    def amplitude_text(self, game: int) -> str:
        """Return a game's amplitude as text, such as `-1/√8`."""
        return written_amplitude(int(self.whole[game]), int(self.root[game]), self.halvings)

    @property
    def pure(self) -> bool:
        """Return whether all games could interfere, so that this is a state and no mixture."""
        return bool((self.past == self.past[0]).all())

    def in_order(self) -> "Superposition":
        """Return the same with games in the order of their stones, point by point."""
        return self._only(np.lexsort([self.past, *self.held.T[::-1]]))

    def first(self, games: int) -> "Superposition":
        """Return the given number of first games; together they are less probable than 1."""
        return self._only(np.arange(min(games, self.games)))

    def _only(self, games: NDArray[np.intp]) -> "Superposition":
        return evolve(self, **{part: getattr(self, part)[games] for part in PARTS})

    def _interfered(self) -> "Superposition":
        """Add up the amplitudes of equal games, and leave out games with amplitude 0."""
        # Equal games have equal fingerprints; distinct fingerprints mean that no games are equal.
        weights = np.random.default_rng(0).integers(1 << 63, size=self.held.shape[1] + 1)
        prints = self.held.astype(np.int64) @ weights[1:] + self.past * weights[0]
        if len(np.unique(prints)) == self.games:
            return self._reduced()
        past = self.past.astype("<i8").view(np.uint8).reshape(-1, 8)
        keys = np.column_stack([past, self.held])
        rows = np.ascontiguousarray(keys).view(np.dtype((np.void, keys.shape[1]))).ravel()
        _, first, number = np.unique(rows, return_index=True, return_inverse=True)
        integer, root = (np.zeros(len(first), self.whole.dtype) for _ in range(2))
        np.add.at(integer, number, self.whole)
        np.add.at(root, number, self.root)
        left = (integer != 0) | (root != 0)
        return evolve(self._only(first[left]), whole=integer[left], root=root[left])._reduced()

    def _reduced(self) -> "Superposition":
        """Take √2 out of all amplitudes as often as they have it, so that numbers stay small."""
        whole, root, halvings = self.whole, self.root, self.halvings
        while halvings and not (whole % 2).any():
            whole, root, halvings = root, whole // 2, halvings - 1
        return evolve(self, whole=whole, root=root, halvings=halvings)


def written_amplitude(integer: int, root: int, halvings: int) -> str:
    """Return (whole + root·√2)/√2^halvings as text."""
    if integer and root:
        sign = "+" if root > 0 else "-"
        return f"({integer}{sign}{abs(root)}√2)/{_written_root(1 << halvings)}"
    square = Fraction(integer * integer + 2 * root * root, 1 << halvings)
    sign = "-" if integer < 0 or root < 0 else ""
    above, below = map(_written_root, (square.numerator, square.denominator))
    return f"{sign}{above}" if below == "1" else f"{sign}{above}/{below}"


def _written_root(square: int) -> str:
    root = isqrt(square)
    return str(root) if root * root == square else f"√{square}"


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
    """Apply X, S±, C or D±; see `Options.counter`."""
    always = arm.control == ALWAYS
    where = everywhere if always else Asked(arm.control, asked_stones(counter, colour))
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
    if move.kind is Kind.GAME_WISE:
        return _game_wise(board, colour, move)
    for arm in move.acting:
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
