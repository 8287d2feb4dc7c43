"""Weiqi against another implementation of Go, ko, forbidden points, the end; five by coins."""

from random import Random

import numpy as np
import pytest
from sgfmill.boards import Board

from compiler.errors import GameError
from games.board.rules.moves import Kind, Move, read_move
from games.board.rules.superposition import Stone
from tests.games.board.boards import RULES, after, amplitudes, probabilities

LETTER = {None: 0, "b": 1, "w": 2}


def stones_of(board: Board):
    return np.array(
        [
            LETTER[board.get(row, column)]
            for row in range(board.side)
            for column in range(board.side)
        ]
    )


def other_rules(board, colour, ko, size):
    """Return where a stone may be put, by the other implementation."""
    allowed = np.zeros(size * size, bool)
    for point in range(size * size):
        row, column = divmod(point, size)
        if board.get(row, column) is None and (row, column) != ko:
            tried = board.copy()
            tried.play(row, column, colour)
            # Its own group is taken where it has no liberty.
            allowed[point] = tried.get(row, column) is not None
    return allowed


def random_game(size, moves, seed):
    random = Random(seed)
    position, board, ko = RULES["weiqi"].begin(size), Board(size), None
    for number in range(moves):
        if position.end is not None:
            # So many moves were made that the game is counted.
            return
        colour = "bw"[number % 2]
        wanted = other_rules(board, colour, ko, size)
        open_ = position.open_points.copy()
        if ko is not None:
            point = ko[0] * size + ko[1]
            with pytest.raises(GameError, match="ko: the move would restore"):
                position.after(Move(Kind.PLACE, (point,)))
            open_[point] = False
        assert (open_ == wanted).all()
        if not open_.any():
            return
        point = int(random.choice(np.flatnonzero(open_)))
        ko = board.play(*divmod(point, size), colour)
        position = position.after(Move(Kind.PLACE, (point,)))
        assert (position.board.stones[0] == stones_of(board)).all()


@pytest.mark.parametrize(
    ("size", "moves", "games"),
    [(3, 60, 10),
     *[pytest.param(*case, marks=pytest.mark.full) for case in
       [(2, 40, 500), (3, 80, 1500), (4, 100, 500), (5, 150, 300), (9, 250, 30), (19, 300, 2)]]],
)  # fmt: skip
def test_classical_games_are_go(size, moves, games):
    """Captures, suicide and ko; random games on small boards are full of them."""
    for seed in range(games):
        random_game(size, moves, seed)


def test_a_point_is_forbidden_if_it_is_in_any_game():
    """White surrounds A1 in one of two games only."""
    position = after("weiqi", 9, "S+ E5 E6;A2;F5;S+ B1 C1")
    assert not position.open_points[0]
    with pytest.raises(GameError, match="A1 is forbidden: in some game the stone would have no"):
        position.after(read_move("A1", 9))
    assert after("weiqi", 9, "S+ E5 E6;A2;F5;S+ D1 C1").open_points[0]


def test_stones_that_are_put_together_need_a_liberty():
    """Each of A1 and B1 has one, as long as the other is empty; the board is one game."""
    start = after("weiqi", 5, "E5;A2;E3;B2;D5;C1")
    assert start.open_points[:2].all()
    for move in ("E A2-A1 B2-B1", "E B2-B1 A2-A1", "T A2-A1 B2+B1,E1", "F A2-A1,E1 B2-B1,D1"):
        with pytest.raises(GameError, match=r"^[AB]1 is forbidden: in some game the stone would"):
            start.after(read_move(move, 5))
    assert amplitudes(start.after(read_move("E A2-A1 B2-C2", 5)).board).keys() == {
        "bA1 wC1 wA2 wB2 bC2 bE3 bD5 bE5"
    }
    # Where they capture what takes their liberties, they have some.
    around = after("weiqi", 5, "A3;A2;B3;B2;C2;C1;D1;E5")
    taken = around.after(read_move("E A2-A1 B2-B1", 5))
    assert amplitudes(taken.board).keys() == {"bA1 bB1 bD1 bC2 bA3 bB3 wE5"}


@pytest.mark.parametrize("captures", ["all", "game", "x"])
def test_ko_in_superposed_games(captures):
    """The whole superposition may not come again."""
    start = "S+ H8 J9;D2;C2;E3;B3;D4;C4;J1;D3;C3"
    with pytest.raises(GameError, match="ko:"):
        after("weiqi", 9, f"{start};D3", captures=captures)


def test_two_passes_end_the_game():
    position = after("weiqi", 3, "S+ A1 B2;A3;B1;pass;pass")
    assert str(position.end.reason) == "⟨C⟩ = 2 black stones, and black needs 5"
    assert position.end.winner is Stone.WHITE
    with pytest.raises(GameError, match="the game is over"):
        position.after(read_move("C3", 3))
    assert after("weiqi", 3, "pass;A1;pass").end is None
    full = after("weiqi", 3, "A1;pass;A2;pass;B2;pass;C1;pass;C3;pass;pass")
    assert full.end.winner is Stone.BLACK


def test_what_is_captured_in_one_game_only_leaves_a_mixture():
    """What was taken tells the games apart, so that they interfere no more."""
    start = after("weiqi", 9, "S+ A1 E5;B1;J1;A2", captures="game")
    assert probabilities(start.board) == {"wB1 bJ1 wA2": 0.5, "wB1 bJ1 wA2 bE5": 0.5}
    assert not start.board.pure


def test_a_game_without_end_is_counted():
    """Every second move is a pass, so that two never follow each other."""
    position, random = RULES["weiqi"].begin(3), Random(1)
    while position.end is None:
        open_ = np.flatnonzero(position.open_points)
        if position.colour is Stone.WHITE or not len(open_):
            position = position.after(Move(Kind.PASS))
            continue
        position = position.after(Move(Kind.PLACE, (int(random.choice(open_)),)))
    assert len(position.turns) <= 36
    assert "black needs 5" in position.end.reason
