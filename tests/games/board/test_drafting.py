"""Moves that are put together point by point: what is offered is what the rules allow."""

from itertools import product

import pytest

from compiler.errors import GameError
from games.board.examples import FIG_10, FIVE
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


def clicks(move: str) -> list[str]:
    """Return what is chosen one after the other for a move with two stones at most."""
    kind, *rest = move.split()
    marks = "".join(word[2] for word in rest if kind in "TF" and "," in word)
    words = [kind + marks]
    for word in rest:
        words += word.replace("-", " ").replace("+", " ").replace(",", " ").split()
    return words


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


@pytest.mark.parametrize(
    "move",
    [
        *FIVE["appendix-b"],
        *FIG_10,
        "T C3-G7 G4+G5,H5",
        "T C3-G7 G4-G5,H5",
        "F C3+G7,H7 G4-G5,H5",
        "F C3-G7,H7 G4+G5,H5",
    ],
)
def test_every_move_can_be_put_together(move):
    position = after("weiqi", 9, "S- C3 G4")
    if move[0] != "E" and move[0] in "TF":
        words = clicks(move)
        for place in range(1, len(words)):
            so_far = draft(position, *words[:place])
            assert words[place] in so_far.legal
            assert move.startswith(so_far.written.rstrip("+-,")[:4])
            assert so_far.move == ""
        assert draft(position, *words).move == move
    read = read_move(move, 9)
    assert read.written(9) == move
    assert len(clicks(move)) == 1 + len(read.targets) + len(read.controls)


def test_without_a_choice_it_is_a_stone_on_a_point():
    found = draft(after("five", 3, ""))
    assert (found.sort, found.chosen, found.written, found.asked) == ("X", (), "X", "a point")
    assert [one.name for one in found.sorts] == ["X", "S+", "S-"]
    assert found.legal == tuple(f"{letter}{row}" for row in (1, 2, 3) for letter in "ABC")


def test_sorts_are_those_that_there_can_be():
    names = [one.name for one in draft(after("weiqi", 3, "S+ A1 B1")).sorts]
    assert names == ["X", "S+", "S-", "E", "T+", "T-", "F++", "F+-", "F-+", "F--", "G", "pass"]
    names = [one.name for one in draft(after("five", 3, "S+ A1 B1", scheme="cqc")).sorts]
    assert "G" not in names
    assert "pass" not in names
    assert draft(after("weiqi", 3, "A1"), "pass").move == "pass"


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


def test_what_makes_too_many_games_says_so():
    position = after("five", 9, "S+ A1 B1; S+ C1 D1", most_games=4)
    found = draft(position, "S+", "A9")
    assert found.legal == ()
    assert "makes 8 games, and 4 are allowed" in found.refused
    assert draft(position, "X").legal != ()


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


def test_who_does_not_move_has_no_draft():
    match = playables["weiqi"].start({})
    assert match.view(1).draft(()) is None
    assert match.view(None).draft(()) is None
    assert playables["six-nimmt"].start({"seats": 2}).view(0).draft(()) is None
