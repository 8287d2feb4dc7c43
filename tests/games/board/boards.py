"""Boards written by their stones, for tests."""

from fractions import Fraction
from random import Random

import numpy as np

from games.board.rules.five_in_a_row import FiveInARow
from games.board.rules.moves import Arm, Kind, Move, read_move
from games.board.rules.options import Options
from games.board.rules.points import name_of
from games.board.rules.position import Position, played
from games.board.rules.superposition import Superposition
from games.board.rules.weiqi import Weiqi

RULES = {"five": FiveInARow(), "weiqi": Weiqi()}


def after(rules: str, size: int, moves: str, most_games: int = 256, **options: str) -> Position:
    """Return the position after moves that are separated by semicolons."""
    start = RULES[rules].begin(size, Options(**options), most_games)
    return played(start, [read_move(move, size) for move in moves.split(";") if move.strip()])


def stones_of(board: Superposition, game: int) -> str:
    """Return a game's stones, such as `wE6 bF5`, by point."""
    found = board.stones[game]
    return " ".join(
        "?bw"[found[point]] + name_of(int(point), board.size) for point in np.flatnonzero(found)
    )


def amplitudes(board: Superposition) -> dict[str, str]:
    """Return every game's amplitude, as people write it, by its stones."""
    return {stones_of(board, game): board.amplitude_text(game) for game in range(board.games)}


def probabilities(board: Superposition) -> dict[str, Fraction | float]:
    """Return the probability of every board, by its stones."""
    found: dict[str, Fraction | float] = {}
    for game, p in enumerate(board.probabilities()):
        stones = stones_of(board, game)
        found[stones] = found.get(stones, Fraction(0)) + p
    return found


def sorted_stones(*words: str) -> str:
    """Return stones in the order of `stones_of` on boards of up to nine lines."""
    return " ".join(sorted(words, key=lambda word: (word[2], word[1])))


def random_move(position: Position, random: Random) -> Move | None:
    """Return a random legal move of any kind; None if none was found."""
    open_ = [int(point) for point in np.flatnonzero(position.open_points())]
    stones = position.board.stones
    controls = [int(p) for p in np.flatnonzero((stones == position.colour.other).any(axis=0))]
    random.shuffle(open_)
    random.shuffle(controls)
    sign = random.choice((1, -1))
    found = [Move(Kind.PLACE, tuple(open_[:1])), Move(Kind.SUPERPOSE, tuple(open_[:2]), sign)]
    if len(controls) > 1:
        one, two = controls[:2]
        open_ = [point for point in open_ if point not in (one, two)]
        found += [
            Move(Kind.ENTANGLE, arms=(Arm(one, tuple(open_[:1])), Arm(two, tuple(open_[1:2])))),
            Move(Kind.ENTANGLE_SPLIT,
                 arms=(Arm(one, tuple(open_[:1])), Arm(two, tuple(open_[1:3]), sign))),
            Move(Kind.SPLIT_SPLIT,
                 arms=(Arm(one, tuple(open_[:2])), Arm(two, tuple(open_[2:4]), sign))),
        ]  # fmt: skip
    fits = [move for move in found if len(move.targets) >= (2 if move.kind == "S" else 1)
            and all(arm.targets for arm in move.arms)
            and (move.kind != "T" or len(move.arms[1].targets) == 2)
            and (move.kind != "F" or all(len(arm.targets) == 2 for arm in move.arms))]  # fmt: skip
    return random.choice(fits) if open_ and fits else None
