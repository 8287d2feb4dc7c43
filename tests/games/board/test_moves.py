"""Moves on superposed games against the paper's matrices, and moves as they are written."""

from functools import reduce
from math import sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.errors import GameError
from games.board.rules.moves import Arm, Kind, Move, read_move
from games.board.rules.position import Options
from games.board.rules.superposition import Stone, Superposition, asked_stones, moved
from play.board.bots import random_move
from tests.games.board.boards import RULES, after, probabilities

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


SIZE = 2
POINTS = SIZE * SIZE
COLOURS = st.sampled_from([Stone.BLACK, Stone.WHITE])
COUNTERS = ("opponent", "any", "empty")


@st.composite
def moves(draw):
    """Draw X, S±, or a counter move of one arm, on a board of four points."""
    points = draw(st.permutations(range(POINTS)))
    sign = draw(st.sampled_from([1, -1]))
    return draw(
        st.sampled_from(
            [
                Move(Kind.PLACE, (points[0],)),
                Move(Kind.SUPERPOSE, tuple(points[:2]), sign),
                Move(Kind.ENTANGLE, arms=(Arm(points[0], (points[1],)),)),
                Move(
                    Kind.ENTANGLE, arms=(Arm(points[0], (points[1],)), Arm(points[2], (points[3],)))
                ),
                Move(Kind.ENTANGLE_SPLIT, arms=(Arm(points[0], tuple(points[1:3]), sign),)),
            ]
        )
    )


@given(st.lists(st.tuples(COLOURS, moves()), max_size=6), st.sampled_from(COUNTERS))
def test_every_move_is_the_papers_matrix(played, counter):
    """On any state, also where points are not empty; so every move is unitary (P1)."""
    board = Superposition.empty(SIZE)
    state = vector(board)
    for colour, move in played:
        matrix = matrix_of(POINTS, colour, move, asked_stones(counter, colour))
        assert np.allclose(matrix @ matrix.T, np.eye(3**POINTS))
        board, state = moved(board, colour, move, counter), matrix @ state
        assert np.allclose(vector(board), state)
    assert sum(board.probabilities()) == pytest.approx(1)


def test_a_point_for_every_game():
    position = after("five", 9, "S+ A1 B1")
    assert probabilities(position.board) == {"bA1": 0.5, "bB1": 0.5}
    order = list(probabilities(position.board.in_order()))
    points = {"bA1": "C3", "bB1": "A1"}
    now = position.after(read_move(f"G {' '.join(points[one] for one in order)}", 9))
    assert probabilities(now.board) == {"bA1 wC3": 0.5, "wA1 bB1": 0.5}
    with pytest.raises(GameError, match="names 1 points, but there are 2 games"):
        position.after(read_move("G C3", 9))
    with pytest.raises(GameError, match="A1 is not empty in game"):
        position.after(read_move("G A1 A1", 9))
    with pytest.raises(GameError, match="on classical computers only"):
        after("five", 9, "S+ A1 B1;G C3 C3", scheme="cqc")


def test_so_many_games_fit_on_classical_computers():
    four = "S+ A1 B1;S+ A2 B2"
    assert after("five", 9, four, most_games=4).board.games == 4
    with pytest.raises(GameError, match=r"^move 2: S\+ A2 B2 makes 4 games, and 3 are"):
        after("five", 9, four, most_games=3)
    assert after("five", 9, four, most_games=3, scheme="cqc").board.games == 4
    assert after("five", 9, "S+ A1 B1;C3", most_games=2).board.games == 2


@pytest.mark.parametrize("seed", range(2))
def test_shares_are_those_of_all_games_together(seed):
    random = Random(seed)
    position = RULES["weiqi"].begin(4, Options(targets="some", captures="game"))
    for _ in range(9):
        move = random_move(position, random)
        try:
            position = position if move is None else position.after(move)
        except GameError:
            continue
    board = position.board
    exact = [float(p) for p in board.probabilities()]
    assert board.weights() == pytest.approx(exact, abs=1e-15)
    for stone in Stone:
        here = board.stones == stone
        assert (board.ever(stone) == here.any(axis=0)).all()
        assert board.shares()[stone] == pytest.approx(exact @ here, abs=1e-14)
    for game, stones in enumerate(board.stones):
        wanted = [(point, stones[point]) for point in np.flatnonzero(stones)]
        assert board.stones_in(game) == wanted


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is no move: write such as X E5"),
        ("X K5", "'K5' is no point of this board; its points are A1 to J9"),
        ("S+ E5 E5", "a target is there twice"),
        ("E A1-B1", "^E is for two controls with one target each: write such as E C3-G7 G4-G5$"),
        ("E E5", "^E is for two controls with one target each, and 'E5' is none: write such as E"),
        ("T A1-B1 A2*B2,B3", r"'A2\*B2,B3' is none: write such as T C3-G7"),
        ("G " + "A1 " * (1 << 21), "is no move"),
    ],
)
def test_what_is_no_move_is_refused(text, why):
    with pytest.raises(GameError, match=".*".join([why.replace("(", r"\(")])):
        read_move(text, 9)


@pytest.mark.parametrize(
    "text",
    ["X E5", "S+ E5 F5", "S- E5 F5", "E C3-G7 G4-G5", "T C3-G7 G4+G5,H5", "T C3+G7,G8 G4-H5",
     "F C3+G7,H7 G4-G5,H5", "G A1 A1 B2", "pass"],
)  # fmt: skip
def test_moves_are_read_as_they_are_written(text):
    assert read_move(text, 9).written(9) == text
    assert read_move(text.lower(), 9) == read_move(text, 9)


def test_a_point_alone_is_x():
    assert read_move("e5", 9) == read_move("X E5", 9)


@pytest.mark.parametrize(
    ("moves_", "why"),
    [
        ("E5;E5", "move 2: E5 is not empty"),
        ("S+ E5 F5;E5", "move 2: E5 is empty in 1 of 2 games"),
        ("E5;E D4-D3 E5-E6", "D4 never has a black stone"),
        ("E5;pass", "passing is not allowed in Five in a Row"),
        ("A1;A9;B1;B9;C1;C9;D1;D9;E1;F5", "move 10: the game is over: black has five"),
    ],
)
def test_what_the_rules_forbid_is_refused(moves_, why):
    with pytest.raises(GameError, match=why):
        after("five", 9, moves_)
