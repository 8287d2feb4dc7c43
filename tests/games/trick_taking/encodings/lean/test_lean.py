"""The leanest encoding: which games it knows, and that none of the others takes fewer gates."""

import pytest

from compiler.compilation.options import Options
from compiler.compilation.portfolio import compile
from games import encoded, encodings, encodings_of, named_game

LEAN = encodings["lean"]
TOY = "CA C10 CK CQ"
SIX = f"{TOY} CJ C9"
NINE = f"{SIX} C8 C7 SA"


@pytest.mark.parametrize(
    ("players", "hand", "deck", "more", "read"),
    [
        (2, 2, TOY, {}, ["dealt", "rank", "taken"]),
        (2, 2, TOY, {"known": {"1": ["CK"]}}, ["dealt", "rank", "taken"]),
        (2, 2, TOY, {"table": ["C10"]}, ["dealt", "order"]),
        (2, 2, f"{TOY} CJ", {}, ["dealt", "order"]),
        (3, 1, "CA C10 CK", {}, ["dealt"]),
        (3, 3, NINE, {}, ["dealt", "order"]),
        (2, 2, TOY, {"rules": "skat", "contract": "grand"}, ["read"]),
        (3, 2, SIX, {"rules": "skat", "contract": "null"}, ["read"]),
    ],
)
def test_games_of_up_to_nine_cards_in_both_rules(make_game, players, hand, deck, more, read):
    game = make_game(players, hand, deck, **more)
    assert "lean" in encodings_of(game)
    assert [one.name for one in encoded(game, "lean").circuit.cregs] == read
    assert LEAN.simulated(game) == (read == ["read"])


@pytest.mark.parametrize(
    ("players", "hand", "deck", "more"),
    [
        (3, 3, f"{NINE} S10", {}),
        # Ten cards of which all but two are known, which would be few states.
        (2, 5, f"{NINE} S10", {"rules": "skat", "contract": "grand",
         "known": {"0": ["CA", "C10", "CK", "CQ"], "1": ["CJ", "C9", "C8", "C7"]}}),
        (3, 3, NINE, {"rules": "skat", "contract": "grand"}),
    ],
)  # fmt: skip
def test_larger_games_are_not_supported(make_game, players, hand, deck, more):
    assert "lean" not in encodings_of(make_game(players, hand, deck, **more))


@pytest.mark.parametrize("name", ["skat-4", "skat-5", "skat-9", "skat-9:paper"])
def test_it_is_nobodys_default(name):
    names = encodings_of(named_game(name))
    assert "lean" in names[1:]


def gates(game, encoding):
    options = Options("fast", seeds=1)
    return compile(encoded(game, encoding), "all", options).figures.two_qubit_gates


def assert_fewest(game, others):
    assert len(others) > 1
    fewest = gates(game, "lean")
    assert {name: least for name in others if (least := gates(game, name)) < fewest} == {}


@pytest.mark.full
@pytest.mark.parametrize(
    "name", ["skat-4", "skat-5", "skat-6", "skat-9", "skat-9:H10", "skat-9:H7"]
)
def test_no_other_encoding_takes_fewer_gates(name):
    game = named_game(name)
    assert_fewest(game, [other for other in encodings_of(game) if other != "lean"])


@pytest.mark.parametrize(
    ("players", "hand", "deck", "more"),
    [
        (2, 1, "CA C10 CK", {}),
        pytest.param(3, 1, "CA C10 CK", {}, marks=pytest.mark.full),
        # Five gates in `paper`, too.
        (2, 2, TOY, {"known": {"0": ["CA", "CK"], "1": ["C10", "CQ"]}}),
        pytest.param(2, 2, TOY, {"known": {"0": ["CA"], "1": ["CQ"]}}, marks=pytest.mark.full),
        pytest.param(2, 2, f"{TOY} CJ", {}, marks=pytest.mark.full),
        pytest.param(3, 2, SIX, {"known": {"0": ["CA"], "1": ["CK"]}}, marks=pytest.mark.full),
    ],
)
def test_the_cheapest_of_the_others_take_no_fewer(make_game, players, hand, deck, more):
    assert_fewest(make_game(players, hand, deck, **more), ["paper", "lists"])


@pytest.mark.full
def test_nor_do_those_of_nine_cards_in_paper_rules():
    """The others begin with these, or take several times as many before lowering."""
    assert_fewest(named_game("skat-9:paper"), ["paper", "lists"])


def test_nor_does_the_cheapest_of_the_others_where_suit_is_followed():
    game = named_game("skat-5")
    assert gates(game, "lean") < gates(game, "lists")
