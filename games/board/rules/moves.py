"""Moves on a quantum board and the names of its points."""

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from attrs import frozen

from compiler.errors import GameError
from compiler.words.plurals import how_many

SMALLEST, LARGEST = 2, 25
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""Letters of the columns: no I, as usual in Go."""
NAME = re.compile(r"([A-HJ-Z])([1-9][0-9]?)")


def point_of(name: str, size: int) -> int:
    """Return the number of a point: column + size · row, both counted from 0 at A1.

    J follows H; the paper has no gap, and writes I for our J.

    Raises:
        GameError: if there is no such point.
    """
    match = NAME.fullmatch(name.strip().upper())
    if match is not None:
        column, row = LETTERS.index(match[1]), int(match[2]) - 1
        if column < size and row < size:
            return column + size * row
    last = name_of(size * size - 1, size)
    raise GameError(f"'{name[:20]}' is no point of this board; its points are A1 to {last}")


@cache
def name_of(point: int, size: int) -> str:
    """Return a point's letter and number."""
    row, column = divmod(point, size)
    return f"{LETTERS[column]}{row + 1}"


POINT = re.compile(r"[A-Z][0-9]{1,2}")
ARM = re.compile(r"([A-Z][0-9]{1,2})([-+])([A-Z][0-9]{1,2})(?:,([A-Z][0-9]{1,2}))?")
LONGEST = 1 << 22
"""Characters of a move: one for every game names as many points, and there may be 2^20 games."""


class Kind(StrEnum):
    """The sorts of moves, by the letter with which they are written."""

    PLACE = "X"
    SUPERPOSE = "S"
    ENTANGLE = "E"
    ENTANGLE_SPLIT = "T"
    SPLIT_SPLIT = "F"
    GAME_WISE = "G"
    PASS = "PASS"


ALWAYS = -1
"""Control of an arm that has none."""


@frozen
class Arm:
    """A counter move: C where it has one target, D± where it has two.

    Args:
        control: the point that is asked; `ALWAYS` for stones that are put in all games.
        targets: one or two.
        sign: sign of the second target's game, 1 or −1; 1 for C.
    """

    control: int
    targets: tuple[int, ...]
    sign: int = 1


@frozen
class Move:
    """A move of one player.

    Args:
        kind: see `Kind`.
        points: one for X, two for S, one per game for a game-wise move.
        sign: sign of S, 1 or −1.
        arms: the two arms of E, T and F.
    """

    kind: Kind
    points: tuple[int, ...] = ()
    sign: int = 1
    arms: tuple[Arm, ...] = ()

    @property
    def targets(self) -> tuple[int, ...]:
        """All points on which a stone may be put."""
        return (*self.points, *(target for arm in self.arms for target in arm.targets))

    @property
    def acting(self) -> tuple[Arm, ...]:
        """The arms in the order in which they act; the stone of X and of S is an arm, too.

        The paper writes products, so the second arm acts first. Arms commute, since no target is
        a control.
        """
        return (Arm(ALWAYS, self.points, self.sign),) if self.points else self.arms[::-1]

    @property
    def controls(self) -> tuple[int, ...]:
        """The points that are asked."""
        return tuple(arm.control for arm in self.arms)

    def written(self, size: int) -> str:
        """Return the move as `read_move` reads it."""
        if self.kind is Kind.PASS:
            return "pass"
        mark = f"{self.sign:+}"[0] if self.kind is Kind.SUPERPOSE else ""
        parts = [name_of(point, size) for point in self.points]
        parts += [_written(arm, size) for arm in self.arms]
        return f"{self.kind}{mark} {' '.join(parts)}"


PASS = Move(Kind.PASS)


class Shape(NamedTuple):
    """The parts of a kind of moves.

    Args:
        targets: number of points for each stone.
        example: such a move.
        parts: the parts in words, if there are controls.
    """

    targets: tuple[int, ...]
    example: str
    parts: str = ""


SHAPES = {
    Kind.PLACE: Shape((1,), "X E5"),
    Kind.SUPERPOSE: Shape((2,), "S+ E5 F5"),
    Kind.ENTANGLE: Shape((1, 1), "E C3-G7 G4-G5", "two controls with one target each"),
    Kind.ENTANGLE_SPLIT: Shape((1, 2), "T C3-G7 G4+G5,H5",
                               "two controls, one with one target and one with two"),
    Kind.SPLIT_SPLIT: Shape((2, 2), "F C3+G7,H7 G4-G5,H5", "two controls with two targets each"),
}  # fmt: skip


def read_move(text: str, size: int, *, passing: bool = False) -> Move:
    """Return a move from its text.

    Args:
        text: move as players write it.
        size: lines of the board.
        passing: whether the message for an invalid move lists passing.

    Raises:
        GameError: if it is no move on this board.
    """
    tokens = text.upper().split()
    if len(text) > LONGEST or not tokens:
        raise _no_move(text, passing=passing)
    first, *remaining = tokens
    if first == "PASS" and not remaining:
        return PASS
    if first in ("S+", "S-"):
        points = tuple(point_of(word, size) for word in remaining)
        return _checked(Move(Kind.SUPERPOSE, points, int(f"{first[1]}1")), size)
    if first in ("X", "G"):
        return _checked(Move(Kind(first), tuple(point_of(word, size) for word in remaining)), size)
    if first in ("E", "T", "F"):
        return _checked(Move(Kind(first), arms=tuple(_arms(Kind(first), remaining, size))), size)
    # A classical move is known by its point alone.
    if not remaining and POINT.fullmatch(first):
        return Move(Kind.PLACE, (point_of(first, size),))
    raise _no_move(text, passing=passing)


def _no_move(text: str, *, passing: bool) -> GameError:
    *others, last = [*(shape.example for shape in SHAPES.values()), *["pass"] * passing]
    return GameError(f"'{text[:40]}' is no move: write such as {', '.join(others)} or {last}")


def _arms(kind: Kind, tokens: list[str], size: int) -> Iterator[Arm]:
    for word in tokens:
        match = ARM.fullmatch(word)
        if match is None:
            raise GameError(
                f"{kind} is for {SHAPES[kind].parts}, and '{word[:20]}' is none: write such as "
                f"{SHAPES[kind].example}"
            )
        control, mark, *targets = match.groups()
        points = tuple(point_of(name, size) for name in targets if name)
        if len(points) == 1 and mark == "+":
            raise GameError(f"'{word}': one target follows '-'; two, such as G7,H7, '+' or '-'")
        yield Arm(point_of(control, size), points, int(f"{mark}1") if len(points) == 2 else 1)


def _checked(move: Move, size: int) -> Move:
    """Return a move that is valid on some board.

    Raises:
        GameError: naming the missing or repeated part.
    """
    if move.kind is Kind.GAME_WISE:
        if not move.points:
            raise GameError("G is for a point in every game: G E5 F6 …")
        return move
    wanted, example, parts = SHAPES[move.kind]
    if len(wanted) == 1 and len(move.points) != wanted[0]:
        raise GameError(
            f"{move.kind} is for {how_many(wanted[0], 'point')}, not {len(move.points)}: write "
            f"such as {example}"
        )
    if len(wanted) == 2 and sorted(len(arm.targets) for arm in move.arms) != list(wanted):
        raise GameError(f"{move.kind} is for {parts}: write such as {example}")
    if len(set(move.targets)) < len(move.targets):
        raise GameError(f"'{move.written(size)}': a target is there twice")
    if len(set(move.controls)) < len(move.controls):
        raise GameError(f"'{move.written(size)}': a control is there twice")
    if both := set(move.controls) & set(move.targets):
        raise GameError(f"{name_of(min(both), size)} is a control and a target: choose another")
    return move


def _written(arm: Arm, size: int) -> str:
    targets = ",".join(name_of(target, size) for target in arm.targets)
    mark = f"{arm.sign:+}"[0] if len(arm.targets) == 2 else "-"
    return f"{name_of(arm.control, size)}{mark}{targets}"
