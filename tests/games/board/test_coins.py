"""Five in a row from the list of moves, against the superposed games themselves."""

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from compiler.errors import GameError, InputError
from games.board.bots import random_move
from games.board.coins import lines_of_five, lying_stones
from games.board.rules.groups import in_a_row
from games.board.rules.moves import Kind, Move
from games.board.rules.options import Options
from games.board.rules.position import Turn
from games.board.rules.superposition import Stone
from tests.games.board.boards import RULES, after

CQC = Options(scheme="cqc")


def by_games(position, colour):
    """Return the probability of five, by going through all games."""
    board = position.board
    five = in_a_row(board, colour)
    return sum((p for p, has in zip(board.probabilities(), five, strict=True) if has), Fraction(0))


@cache
def probability_of_any(ways):
    """Return the probability that coins fall in one of some ways, one coin after the other."""
    if not ways or frozenset() in ways:
        return Fraction(bool(ways))
    coin, _ = min(min(ways, key=len))
    return Fraction(
        sum(
            probability_of_any(
                frozenset(way - {(coin, side)} for way in ways if (coin, not side) not in way)
            )
            for side in (True, False)
        ),
        2,
    )


def by_coins(position, colour):
    stones = lying_stones(position.turns, position.options)
    lines = lines_of_five(stones, colour, position.board.size)
    return probability_of_any(frozenset(lines.values()))


def random_position(seed, size, most):
    """Return a random position in which lines fill up: nobody stops at five."""
    random = Random(seed)
    position = RULES["weiqi"].begin(size, CQC)
    for _ in range(30):
        move = random_move(position, random)
        if move is None:
            break
        try:
            new = position.after(move)
        except GameError:
            continue
        if new.turns[-1].captured or new.board.games > most:
            break
        position = new
    return position


@pytest.mark.parametrize("first", [0, pytest.param(1, marks=pytest.mark.full)])
def test_five_is_as_probable_as_in_all_games_together(first):
    fives = 0
    for seed in range(40 * first, 40 * first + 40):
        position = random_position(seed, 5, 400)
        for colour in (Stone.BLACK, Stone.WHITE):
            found = by_coins(position, colour)
            assert found == by_games(position, colour)
            fives += found > 0
    assert fives


def test_two_to_the_forty_games_are_looked_through():
    """Each player fills four rows of five points, each stone either there or ten rows further."""
    turns = []
    for number in range(40):
        colour = (Stone.BLACK, Stone.WHITE)[number % 2]
        row, column = divmod(number // 2, 5)
        first = column + 19 * (row + 4 * (number % 2))
        turns.append(Turn(colour, Move(Kind.SUPERPOSE, (first, first + 190))))
    stones = lying_stones(turns, CQC)
    assert len({coin for lying in stones.values() for coin, _ in lying.coins}) == 40
    for colour in (Stone.BLACK, Stone.WHITE):
        lines = lines_of_five(stones, colour, 19)
        assert len(lines) == 8
        assert {len(coins) for coins in lines.values()} == {5}
        # A row is full here or there with 1/16, and the rows are independent.
        assert probability_of_any(frozenset(lines.values())) == 1 - Fraction(15, 16) ** 4


@pytest.mark.parametrize(
    ("moves", "options"),
    [
        ("S+ A1 B1", {"targets": "some"}),
        ("S+ A1 B1", {"counter": "any"}),
        ("S+ A1 B1;G C1 C1", {}),
    ],
)
def test_what_is_no_choice_of_coins_is_refused(moves, options):
    position = after("five", 9, moves, **options)
    with pytest.raises(InputError, match=r"coins"):
        lying_stones(position.turns, position.options)
