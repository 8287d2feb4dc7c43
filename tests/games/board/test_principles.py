"""The paper's principles P1 to P3, and its Appendix C, on drawn states and games."""

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.errors import GameError
from compiler.lowering.methods import lower_operators
from compiler.measurement import final_measurements
from games import encoded, encodings_of
from games.board.bots import random_move
from games.board.encodings.five import price
from games.board.game import BoardGame
from games.board.rules.gates import asked_stones
from games.board.rules.moves import Arm, Kind, Move, read_move
from games.board.rules.options import Options
from games.board.rules.superposition import Stone
from tests.games.board.boards import RULES, after

SIZE = 3
POINTS = tuple(range(SIZE * SIZE))


@st.composite
def moves(draw):
    """Draw a move of any kind, on any points."""
    points = draw(st.permutations(POINTS))
    signs = draw(st.tuples(*[st.sampled_from([1, -1])] * 2))
    one, two = Arm(points[0], (points[1],)), Arm(points[2], (points[3],))
    first = Arm(points[0], (points[1], points[4]), signs[0])
    second = Arm(points[2], (points[3], points[5]), signs[1])
    return draw(
        st.sampled_from(
            [
                Move(Kind.PLACE, (points[0],)),
                Move(Kind.SUPERPOSE, tuple(points[:2]), signs[0]),
                Move(Kind.ENTANGLE, arms=(one, two)),
                Move(Kind.ENTANGLE_SPLIT, arms=(one, second)),
                Move(Kind.SPLIT_SPLIT, arms=(first, second)),
            ]
        )
    )


def shifted(move, by, old, new):
    """Return a move on a larger board, so many rows and columns further."""

    def place(point):
        row, column = divmod(point, old)
        return (row + by[0]) * new + column + by[1]

    return Move(
        move.kind,
        tuple(map(place, move.points)),
        move.sign,
        tuple(Arm(place(a.control), tuple(map(place, a.targets)), a.sign) for a in move.arms),
    )


@given(
    st.integers(0, 10_000),
    st.integers(5, 19),
    st.tuples(st.integers(0, 1), st.integers(0, 1)),
    st.sampled_from(Options.choices()["targets"]),
    st.sampled_from(Options.choices()["counter"]),
)
@settings(max_examples=25, deadline=None)
def test_gates_do_not_depend_on_the_board(seed, size, corner, targets, counter):
    """P2: the same moves elsewhere on a larger board."""
    random = Random(seed)
    options = Options(targets=targets, counter=counter, scheme="cqc")
    position = RULES["five"].begin(4, options)
    for _ in range(4):
        move = random_move(position, random)
        if move is None or position.end is not None:
            break
        try:
            position = position.after(move)
        except GameError:
            continue
    played = tuple(turn.move for turn in position.turns)
    by = (corner[0] * (size - 4), corner[1] * (size - 4))
    further = tuple(shifted(move, by, 4, size) for move in played)
    small = BoardGame("small", RULES["five"], 4, played, options)
    large = BoardGame("large", RULES["five"], size, further, options)
    assert encodings_of(small) == encodings_of(large)
    for encoding in encodings_of(small):
        costs = []
        for game in (small, large):
            gates, _ = final_measurements(encoded(game, encoding).circuit)
            costs.append((price(lower_operators(gates, "cheapest")), gates.num_qubits))
        assert costs[0] == costs[1]


@pytest.mark.parametrize("seed", range(12))
def test_x_alone_is_classical_five_in_a_row(seed):
    """P3, by a referee that counts stones from every new one."""
    random, size = Random(seed), 7
    position = RULES["five"].begin(size)
    board = {}
    while position.end is None:
        point = random.choice([p for p in range(size * size) if p not in board])
        colour = position.colour
        board[point] = colour
        position = position.after(Move(Kind.PLACE, (point,)))
        assert position.board.games == 1
        stones = position.board.stones[0]
        assert {int(p): Stone(stones[p]) for p in np.flatnonzero(stones)} == board
        won = any(
            run(board, point, colour, step, size) + run(board, point, colour, back, size) >= 4
            for step, back in (((0, 1), (0, -1)), ((1, 0), (-1, 0)), ((1, 1), (-1, -1)),
                               ((1, -1), (-1, 1)))
        )  # fmt: skip
        full = len(board) == size * size
        assert (position.end is not None) == (won or full)
        if won:
            assert position.end.winner is colour


def run(board, point, colour, step, size):
    """Return how many stones of a colour follow a point in a direction."""
    row, column = divmod(point, size)
    found = 0
    while True:
        row, column = row + step[0], column + step[1]
        inside = 0 <= row < size and 0 <= column < size
        if not inside or board.get(row * size + column) is not colour:
            return found
        found += 1


def branches(position, move, counter):
    """Return how many games a move makes if none of them merge: each splits by itself."""
    if move.kind is Kind.SUPERPOSE:
        return 2 * position.board.games
    asked = asked_stones(counter, position.colour)
    splits = np.ones(position.board.games, int)
    for arm in move.arms:
        if len(arm.targets) == 2:
            splits *= np.where(np.isin(position.board.at(arm.control), asked), 2, 1)
    return int(splits.sum())


@pytest.mark.parametrize(
    "first", [0, *[pytest.param(n, marks=pytest.mark.full) for n in range(1, 31)]]
)
def test_no_two_games_merge_under_every(first):
    """Appendix C, for whatever a control must have: 100 matches, and 3,000 more in full."""
    for seed, counter in product(
        range(100 * first, 100 * first + 34), Options.choices()["counter"]
    ):
        random = Random(seed)
        position = RULES["five"].begin(5, Options(counter=counter, scheme="cqc"))
        for _ in range(9):
            move = random_move(position, random)
            if move is None or position.end is not None or position.board.games > 200:
                break
            expected = branches(position, move, counter)
            try:
                position = position.after(move)
            except GameError:
                continue
            assert position.board.games == expected
            assert sum(position.board.probabilities()) == 1
            assert not position.board.root[position.board.whole != 0].any()


def test_games_merge_under_some():
    position = after("five", 9, "S+ A1 B1;S+ A1 B1;B1", targets="some")
    last = read_move("S+ A1 B1", 9)
    assert position.after(last).board.games < branches(position, last, "opponent")
