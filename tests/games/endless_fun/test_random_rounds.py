"""Rounds of random cards by name."""

from collections import Counter

import pytest

from compiler.errors import GameError
from games import encoded, named_game
from games.endless_fun.named import DECK, random_round
from games.endless_fun.rules.gates import GATES
from games.series import series


def test_a_name_says_all_of_a_round():
    game = named_game("endless-fun-random:d=2,players=5,rows=4,seed=7")
    assert game.name == "endless-fun-random:players=5,rows=4,d=2,seed=7"
    assert (game.round.qudits, len(game.round.rows), game.round.dimension) == (5, 4, 2)
    assert game.round == random_round(5, 4, 2, 7)
    assert named_game(game.name) == game
    assert encoded(game).judge.axes == {"qudits": 5, "levels": 2, "rows": 4}


def test_what_is_left_out_has_a_default():
    assert named_game("endless-fun-random").name == (
        "endless-fun-random:players=3,rows=3,d=3,seed=1"
    )
    assert named_game("endless-fun-random:seed=2").name.endswith("players=3,rows=3,d=3,seed=2")


def test_seeds_give_other_rounds():
    assert len({random_round(4, 4, 3, seed) for seed in range(20)}) == 20


@pytest.mark.parametrize("d", [2, 3])
def test_cards_come_as_often_as_the_deck_has_them(d):
    """In the middle of a table all of them fit."""
    drawn = Counter(
        gate
        for seed in range(40)
        for row in random_round(3, 100, d, seed).rows
        for gate in row[1:2]
    )
    assert set(drawn) == set(GATES[d])
    total, cards = sum(drawn.values()), sum(DECK.values())
    for kind, number in DECK.items():
        share = sum(count for gate, count in drawn.items() if gate.startswith(kind)) / total
        assert share == pytest.approx(number / cards, abs=0.03)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("players=8", "players must be 1 to 7"),
        ("players=0", "players must be 1 to 7"),
        ("d=4", "d must be 2 to 3"),
        ("rows=101", "rows must be 0 to 100"),
        ("rows=x", "rows must be a whole number"),
        ("rows", "rows must be a whole number"),
        ("seed=9999999999999999999", "seed must be a whole number"),
        ("seed=-1", "seed must be a whole number"),
        ("rows=1,rows=2", "twice"),
        ("colour=1", "unknown"),
    ],
)
def test_wrong_words_are_told(words, message):
    with pytest.raises(GameError, match=message):
        named_game(f"endless-fun-random:{words}")


def test_curves_grow_by_qudits():
    grown = series["Endless Fun, 3D, three rows, relabelled"]
    assert grown.axis == "qudits"
    assert [grown.game(size).round.qudits for size in grown.sizes] == list(grown.sizes)
