"""Moves that are put together point by point: what is offered is what the rules allow."""

from itertools import product

import pytest

from compiler.errors import GameError
from games.board.rules.moves import Kind, name_of, read_move
from games.board.rules.position import Position
from games.playing.playable import playables
from games.playing.view import Draft
from tests.games.board.boards import after

EVERY = "S+ A1 B1; X C3; X C1; S- A2 B3; X B2"


def draft(position: Position, *words: str) -> Draft:
    match = playables[position.rules.name].match(position)
    found = match.view(match.to_move[0]).draft(words)
    assert found is not None
    return found


def allowed(position: Position, move: str) -> bool:
    try:
        position.after(read_move(move, position.board.size))
    except GameError:
        return False
    return True


@pytest.mark.parametrize(
    ("rules", "moves", "options"),
    [
        ("five", EVERY, {}),
        ("five", EVERY, {"targets": "some", "counter": "any"}),
        ("weiqi", EVERY, {}),
        ("weiqi", EVERY, {"targets": "some", "captures": "x", "counter": "empty"}),
        # Black may not take back at once, and three of the corners have no liberty.
        ("weiqi", "B1; C1; A2; D2; B3; C3; C2; B2", {}),
    ],
)
@pytest.mark.parametrize("sort", ["X", "S-", "E"])
def test_what_is_offered_is_what_the_rules_allow(rules, moves, options, sort):
    size = 4 if "D2" in moves else 3
    position = after(rules, size, moves, **options)
    names = [name_of(point, size) for point in range(size * size)]
    written = {"X": "X {}", "S-": "S- {} {}", "E": "E {}-{} {}-{}"}[sort]
    # The second stone of E after one first stone: all pairs of both would be too many.
    first: tuple[str, ...] = ()
    while sort == "E" and len(first) < 2:
        first = (*first, draft(position, sort, *first).legal[0])
    left = written.count("{}") - len(first)
    offered: list[tuple[str, ...]] = [first]
    for _ in range(left):
        offered = [
            (*chosen, name) for chosen in offered for name in draft(position, sort, *chosen).legal
        ]
    possible = {
        (*first, *rest)
        for rest in product(names, repeat=left)
        if allowed(position, written.format(*first, *rest))
    }
    assert {*offered} == possible != set()
    assert len(offered) == len(possible)
    one = min(possible)
    assert draft(position, sort, *one).move == written.format(*one)


def test_a_point_for_every_game_is_asked_game_by_game():
    position = after("five", 3, "S+ A1 B1")
    first = draft(position, "G")
    assert (first.layer, "B1" in first.legal, "A1" in first.legal) == (0, False, True)
    assert first.asked == "point 1 of 2, in the game ●B1"
    second = draft(position, "G", "A1")
    assert (second.layer, "A1" in second.legal, "B1" in second.legal) == (1, False, True)
    whole = draft(position, "G", "A1", "B1")
    assert (whole.move, whole.legal, whole.layer) == ("G A1 B1", (), None)
    assert position.after(read_move(whole.move, 3)).turns[-1].move.kind is Kind.GAME_WISE


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["Q"], "'Q' is no sort of move here; choose X, S"),
        (["S+", "A1"], "A1 cannot be chosen now"),
        (["S+", "A9", "A9"], "A9 cannot be chosen now"),
        (["S+", "A9", "B9", "C9"], "C9 cannot be chosen now"),
        (["G", "A9", "X1"], "'X1' is no point"),
        (["S-", "C1"], "C1 cannot be chosen now"),
        (["X", "J1"], "'J1' is no point of this board"),
    ],
)
def test_what_is_not_offered_is_refused(words, why):
    with pytest.raises(GameError, match=why):
        draft(after("five", 9, "S+ A1 B1; X C1"), *words)
