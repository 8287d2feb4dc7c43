"""The paper's principles P1 to P3, its Appendix C, and its boards with exact amplitudes."""

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from games.board.rules.groups import in_a_row
from games.board.rules.moves import Kind, Move, name_of, read_move
from games.board.rules.superposition import Stone, written_amplitude
from games.board.rules.weiqi import black_stones
from tests.games.board.boards import RULES, after, amplitudes, sorted_stones, stones_of


@pytest.mark.parametrize("seed", range(4))
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


BEFORE_E = (
    "S- C3 G4;E C3-G7 G4-G5;E G7-C7 G5-D3;E C7-G3 D3-H4;E G3-F7 H4-C7;E F7-F6 D3-G3;E F6-E7 H4-G7"
)
LEFT = ("bC3", "wG7", "bC7", "wG3", "bF7", "wF6", "bE7")
RIGHT = ("bG4", "wG5", "bD3", "wH4", "bC7", "wG3", "bG7")


def test_eight_games_of_appendix_b():
    found = amplitudes(after("five", 9, "S+ E5 F5;E6;S+ E4 F6;F4;S+ D3 G7").board)
    ways = product(("bE5", "bF5"), ("bE4", "bF6"), ("bD3", "bG7"))
    assert found == {sorted_stones(*way, "wE6", "wF4"): "1/√8" for way in ways}
    threes = {"D3 E4 F5", "E5 F6 G7"}
    board = after("five", 9, "S+ E5 F5;E6;S+ E4 F6;F4;S+ D3 G7").board
    rows = np.flatnonzero(in_a_row(board, Stone.BLACK, length=3))
    three = {stones_of(board, game).replace("wF4", "").replace("wE6", "") for game in rows}
    assert {" ".join(word[1:] for word in stones.split()) for stones in three} == threes


@pytest.mark.parametrize(
    ("captures", "left", "count"),
    [("x", (*LEFT, "wE5", "bG4"), 4), ("all", (*LEFT, "wE5"), Fraction(7, 2)),
     ("game", (*LEFT, "wE5"), Fraction(7, 2))],
)  # fmt: skip
def test_the_capture_of_figure_10(captures, left, count):
    """Equations 20 and 21, and the captures of Figures 8 and 9."""
    before = after("weiqi", 9, BEFORE_E, targets="some", captures=captures)
    assert amplitudes(before.board) == {
        sorted_stones(*LEFT): "1/√2", sorted_stones(*RIGHT): "-1/√2",
    }  # fmt: skip
    now = before.after(read_move("E E7-E5 G7-F4", 9))
    right = (*[stone for stone in RIGHT if stone != "bG4"], "wF4")
    assert amplitudes(now.board) == {
        sorted_stones(*left): "1/√2", sorted_stones(*right): "-1/√2",
    }  # fmt: skip
    assert [name_of(point, 9) for point in now.turns[-1].captured] == ["G4"]
    assert black_stones(now.board) == count


def test_branches_cancel_where_targets_need_be_empty_in_some_game_only():
    """The counterexample to Appendix C."""
    three = after("five", 9, "S+ A1 B1;S+ A1 B1;B1", targets="some")
    assert amplitudes(three.board) == {"": "1/2", "bA1 bB1": "1/√2", "wA1": "1/2"}
    four = three.after(read_move("S+ A1 B1", 9))
    assert amplitudes(four.board) == {"bA1 bB1": "1/√2", "wA1": "1/√2"}


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ((1, 0, 0), "1"),
        ((-1, 0, 1), "-1/√2"),
        ((1, -2, 4), "(1-2√2)/4"),
        ((-1, 1, 3), "(-1+1√2)/√8"),
    ],
)
def test_amplitudes_are_written_exactly(parts, text):
    assert written_amplitude(*parts) == text
