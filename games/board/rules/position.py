"""A quantum board during a game: its options, past moves and legal moves."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from compiler.errors import GameError, naming
from games.board.rules.moves import LARGEST, SMALLEST, Kind, Move, name_of
from games.board.rules.superposition import Stone, Superposition, asked_stones, moved
from games.options import RuleOptions, whole_number


@frozen
class Options(RuleOptions):
    """Options of the rules; the defaults are our reading of the paper.

    Args:
        targets: whether a stone may be put where a point is empty in `every` game, or where it
            is in `some` game.
        counter: whether a counter move acts where the control has a stone of the `opponent`, a
            stone of `any` colour, or, as the paper's gates B and W do, where it is `empty`.
        captures: of Weiqi: `x`, the only unitary one, X of the captured colour on the captured
            points in all games; `all`, these stones leave all games; `game`, they leave the games
            in which they are captured.
        scheme: whether the board is on classical computers, which count games (`cwc`), or on a
            quantum one (`cqc`).

    Raises:
        GameError: if an option has no such value.
    """

    targets: Literal["every", "some"] = "every"
    counter: Literal["opponent", "any", "empty"] = "opponent"
    captures: Literal["all", "x", "game"] = "all"
    scheme: Literal["cwc", "cqc"] = "cwc"


MAX_GAMES = 256
"""Default number of superposed games on classical computers."""
LONGEST = 4
"""Moves for each point of the board after which a game ends."""
MAX_EXACT = 1 << 16
"""Maximum number of superposed games on quantum computers, whose exact state is stored."""
LIMIT = 1 << 20
"""Maximum number of superposed games on classical computers."""


@frozen
class Turn:
    """A move and its captures.

    Args:
        colour: colour of the mover.
        move: the move.
        captured: points at which the other colour was captured in some game.
    """

    colour: Stone
    move: Move
    captured: tuple[int, ...] = ()


@frozen
class End:
    """The end of a game.

    Args:
        winner: the winner; None for a draw.
        reason: reason as text.
    """

    winner: Stone | None
    reason: str


@frozen(eq=False, slots=False)
class Position:
    """A board, the colour to move, and the moves so far.

    Args:
        rules: rules of the game.
        options: options of the rules.
        most_games: maximum number of superposed games on classical computers.
        most_exact: maximum number on quantum computers, whose exact state is stored.
        board: the board.
        colour: the colour to move.
        turns: moves so far.
        before: the board before the last move; None at the beginning.
        end: the end of the game; None if it goes on.
    """

    rules: "BoardRules"
    options: Options
    most_games: int
    most_exact: int
    board: Superposition
    colour: Stone = Stone.BLACK
    turns: tuple[Turn, ...] = ()
    before: Superposition | None = None
    end: End | None = None

    @cached_property
    def open_points(self) -> NDArray[np.bool_]:
        """The points on which the mover may put a stone, shape (points,)."""
        board = self.board
        empty = board.held == Stone.EMPTY
        open_ = np.ones(board.size**2, bool)
        open_[list(board.points)] = (
            empty.all(axis=0) if self.options.targets == "every" else empty.any(axis=0)
        )
        return open_ & ~self.rules.forbidden(self)

    def game_wise(self) -> Move | None:
        """Return the first move that names a point for every game, None if there is none."""
        if self.options.scheme != "cwc":
            return None
        empty = self.board.in_order().stones == Stone.EMPTY
        empty &= ~self.rules.forbidden(self)
        if not empty.any(axis=1).all():
            return None
        return Move(Kind.GAME_WISE, tuple(empty.argmax(axis=1).tolist()))

    def after(self, move: Move) -> "Position":
        """Return the position after a move.

        Raises:
            GameError: naming the broken rule.
        """
        if self.end is not None:
            raise GameError(f"the game is over: {self.end.reason}")
        self._check(move)
        board = moved(self.board, self.colour, move, self.options.counter)
        self._count(board, move)
        for point in self.rules.stranded(self, board, move):
            raise GameError(f"{name_of(point, board.size)} {self.rules.forbidden_text}")
        board, captured = self.rules.captured(self, board)
        turn = Turn(self.colour, move, captured)
        new = evolve(
            self,
            board=board,
            colour=self.colour.other,
            turns=(*self.turns, turn),
            before=self.board,
        )
        if refusal := self.rules.refusal(self, new):
            raise GameError(refusal)
        return evolve(new, end=self.rules.end(new))

    def _check(self, move: Move) -> None:
        size = self.board.size
        if move.kind is Kind.PASS:
            if not self.rules.passing:
                raise GameError(f"passing is not allowed in {self.rules.title}: put a stone")
            return
        if move.kind is Kind.GAME_WISE and self.options.scheme != "cwc":
            raise GameError("a point for every game is for boards on classical computers only")
        if move.kind is not Kind.GAME_WISE:
            for point in move.targets:
                if not self.open_points[point]:
                    raise GameError(f"{name_of(point, size)} {self._closed(point)}")
        else:
            forbidden = self.rules.forbidden(self)
            for point in move.points:
                if forbidden[point]:
                    raise GameError(f"{name_of(point, size)} {self.rules.forbidden_text}")
        wanted = asked_stones(self.options.counter, self.colour)
        for point in move.controls:
            if not np.isin(self.board.at(point), wanted).any():
                raise GameError(
                    f"{name_of(point, size)} never has {_named(wanted)}, so that nothing would "
                    "happen: choose another control"
                )

    def _closed(self, point: int) -> str:
        empty = self.board.at(point) == Stone.EMPTY
        if len(empty) == 1 and not empty.all():
            return "is not empty"
        if self.options.targets == "every" and not empty.all():
            return f"is empty in {empty.sum()} of {len(empty)} games, and must be in all"
        if not empty.any():
            return "is empty in no game"
        return self.rules.forbidden_text

    def _count(self, board: Superposition, move: Move) -> None:
        classical = self.options.scheme == "cwc"
        most = self.most_games if classical else self.most_exact
        if board.games > max(most, self.board.games):
            instead = "put a stone in all games (X)" + ", or one in each (G)" * classical
            raise GameError(
                f"{move.written(board.size)} makes {board.games} games, and {most} are allowed: "
                + instead
            )


class BoardRules(ABC):
    """The rules that a game adds to the common moves.

    Attributes:
        name: name of the game.
        title: name of the game for people.
        usual_size: default size of the board.
        passing: whether passing is allowed.
        forbidden_text: text for messages about forbidden points.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    usual_size: ClassVar[int]
    passing: ClassVar[bool] = False
    forbidden_text: ClassVar[str] = "is forbidden"

    def begin(
        self,
        size: int | None = None,
        options: Options | None = None,
        most_games: int = MAX_GAMES,
        most_exact: int = MAX_EXACT,
    ) -> Position:
        """Return an empty board; see `Position`.

        Raises:
            GameError: naming the invalid value.
        """
        whole_number("most_games", most_games, 1, LIMIT)
        whole_number("most_exact", most_exact, 1, MAX_EXACT)
        lines = whole_number("size", self.usual_size if size is None else size, SMALLEST, LARGEST)
        empty = Superposition.empty(lines)
        return Position(self, options or Options(), most_games, most_exact, empty)

    def forbidden(self, position: Position) -> NDArray[np.bool_]:
        """Return the empty points that are forbidden, shape (points,)."""
        return np.zeros(position.board.size**2, bool)

    def stranded(self, position: Position, board: Superposition, move: Move) -> Sequence[int]:
        """Return the targets that a move may not use together, even if each is allowed alone.

        Args:
            position: the position before the move.
            board: the board after the move, before captures.
            move: the move.
        """
        return ()

    def refused(self, position: Position) -> tuple[int, ...]:
        """Return the open points on which a single stone is refused because of past boards."""
        return ()

    def disputed(self, position: Position) -> frozenset[int]:
        """Return the points on which a stone may have an effect of its own.

        All other points are equivalent: a stone is allowed on all of them or on none.
        """
        return frozenset(position.board.points)

    def captured(
        self, position: Position, board: Superposition
    ) -> tuple[Superposition, tuple[int, ...]]:
        """Return a board after the captures of the mover of `position`, and the points."""
        return board, ()

    def refusal(self, old: Position, new: Position) -> str:
        """Return why a position may not come about; empty if it may."""
        return ""

    @abstractmethod
    def end(self, position: Position) -> End | None:
        """Return the end that the last move has caused, None if the game goes on."""

    def standing(self, position: Position) -> str:
        """Return the current count as text, if the rules count something; else empty."""
        return ""

    @staticmethod
    def is_too_long(position: Position) -> bool:
        """Return whether the game has reached the maximum number of moves."""
        return len(position.turns) >= LONGEST * position.board.size**2


def positions(position: Position, moves: Sequence[Move]) -> Iterator[Position]:
    """Yield a position and those after each of some moves.

    Raises:
        GameError: naming the first that is not allowed.
    """
    yield position
    for number, move in enumerate(moves, start=1):
        with naming(f"move {number}"):
            position = position.after(move)
        yield position


def _named(stones: Sequence[Stone]) -> str:
    if stones == (Stone.EMPTY,):
        return "no stone"
    return " or ".join(f"a {stone.word} stone" for stone in stones)
