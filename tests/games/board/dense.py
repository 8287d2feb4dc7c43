"""Qutrit gates as the paper prints their matrices, on all points of a small board."""

from functools import reduce
from math import sqrt

import numpy as np

from games.board.rules.superposition import Stone, Superposition

# Basis (black, empty, white).
X = {
    Stone.BLACK: np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]]),
    Stone.WHITE: np.array([[1, 0, 0], [0, 0, 1], [0, 1, 0]]),
}
H = {
    Stone.BLACK: np.array([[1, 1, 0], [1, -1, 0], [0, 0, sqrt(2)]]) / sqrt(2),
    Stone.WHITE: np.array([[sqrt(2), 0, 0], [0, -1, 1], [0, 1, 1]]) / sqrt(2),
}
LEVEL = {Stone.BLACK: 0, Stone.EMPTY: 1, Stone.WHITE: 2}


def gate(points, acts):
    """Return the matrix on all points of one that acts on some of them, by point."""
    return reduce(np.kron, [acts.get(point, np.eye(3)) for point in range(points)])


def projector(stones):
    return np.diag([float(level in {LEVEL[stone] for stone in stones}) for level in range(3)])


def controlled(points, control, stones, matrix):
    """Return a matrix that acts where a control has one of some stones."""
    held = gate(points, {control: projector(stones)})
    return held @ matrix + np.eye(3**points) - held


def superpose(points, colour, first, second, sign):
    found = gate(points, {first: X[colour]}) if sign > 0 else np.eye(3**points)
    found = gate(points, {first: H[colour]}) @ found
    return controlled(points, first, [Stone.EMPTY], gate(points, {second: X[colour]})) @ found


def matrix_of(points, colour, move, asked):
    """Return the matrix of a move that is a gate."""
    if move.kind == "X":
        return gate(points, {move.points[0]: X[colour]})
    if move.kind == "S":
        return superpose(points, colour, *move.points, move.sign)
    found = np.eye(3**points)
    for arm in reversed(move.arms):
        acts = (
            gate(points, {arm.targets[0]: X[colour]})
            if len(arm.targets) == 1
            else superpose(points, colour, *arm.targets, arm.sign)
        )
        found = controlled(points, arm.control, asked, acts) @ found
    return found


def vector(board: Superposition):
    """Return a board's amplitudes, the first point's level being the most significant digit."""
    points = board.size**2
    found = np.zeros(3**points)
    for stones, amplitude in zip(board.stones, board.amplitudes(), strict=True):
        place = reduce(lambda number, stone: 3 * number + LEVEL[Stone(stone)], stones.tolist(), 0)
        found[place] += amplitude
    return found
