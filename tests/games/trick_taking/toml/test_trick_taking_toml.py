"""The TOML form of trick-taking games: what it means, and how mistakes in it are named."""

import re

import pytest

from compiler.errors import GameError
from games.toml import game_from_toml

TOY = {"game": "skat", "players": 2, "hand": 2, "deck": ["CA", "C10", "CK", "CQ"]}
MISSING = object()


def described(to_toml, changes):
    return to_toml(**{k: v for k, v in (TOY | changes).items() if v is not MISSING})


def test_defaults(to_toml):
    game = game_from_toml(to_toml(**TOY), "four.toml")
    assert game.name == "four.toml"
    assert (game.players, game.hand, game.skat) == (2, 2, 0)
    assert [str(card) for card in game.deck] == ["CA", "C10", "CK", "CQ"]
    assert game.points_of == (11, 10, 4, 3)
    assert game.known == (None,) * 4
    assert game.party == (0,)
    assert game.threshold == 15
    assert game.base_points == 0


def test_every_key_is_used(to_toml):
    text = to_toml(
        game="skat",
        rules="paper",
        players=3,
        hand=2,
        deck=["HJ", "S10", "CA", "DQ", "H9", "C8", "SK"],
        skat=1,
        points={"J": 0, "9": 5},
        party=[1, 2],
        threshold=20,
        base_points=3,
        known={"1": ["C8", "HJ"], "skat": ["DQ"]},
    )
    game = game_from_toml(text, "g")
    assert game.points_of == (0, 10, 11, 3, 5, 0, 4)
    assert game.known == (1, None, None, 3, None, 1, None)
    assert game.party == (1, 2)
    assert game.threshold == 20
    assert game.base_points == 3
    assert game.hands == (2, 2, 2, 1)


@pytest.mark.parametrize(
    ("changes", "threshold"),
    [
        ({}, 15),
        ({"deck": ["CA", "C10", "CK", "CJ"]}, 14),
        ({"base_points": 1}, 15),
        ({"base_points": 2}, 16),
        ({"points": {"A": 0, "10": 0, "K": 0, "Q": 1}}, 1),
        ({"threshold": 1}, 1),
        ({"threshold": 28}, 28),
        ({"threshold": 30, "base_points": 2}, 30),
    ],
)
def test_threshold_is_more_than_half_of_the_points_unless_given(to_toml, changes, threshold):
    assert game_from_toml(described(to_toml, changes), "g").threshold == threshold


MISTAKES = [
    ({"class_count": 3}, "class_count: unknown key"),
    ({"rules": "bridge"}, "rules = 'bridge'"),
    ({"players": MISSING}, "players: missing"),
    ({"players": 4}, "players = 4"),
    ({"players": "2"}, "players = '2'"),
    ({"hand": MISSING}, "hand: missing"),
    ({"hand": 33}, "hand = 33"),
    ({"deck": MISSING}, "deck = None"),
    ({"deck": []}, "deck = []"),
    ({"deck": "CA"}, "deck = 'CA'"),
    ({"deck": ["CA", "C11"]}, "deck: unknown card 'C11'"),
    ({"deck": ["CA", "C10", "CK", "CA"]}, "deck: duplicate card 'CA'"),
    ({"hand": 3}, "hand = 3"),
    ({"skat": 1}, "skat = 1"),
    ({"skat": -1}, "skat = -1"),
    ({"base_points": -1}, "base_points = -1"),
    ({"base_points": 121}, "base_points = 121"),
    ({"points": 3}, "points = 3"),
    ({"points": {"B": 2}}, "points.B: unknown rank"),
    ({"points": {"J": -1}}, "points.J = -1"),
    ({"party": 0}, "party = 0"),
    ({"party": []}, "party = []"),
    ({"party": [2]}, "party = [2]"),
    ({"party": [0, 0]}, "party = [0, 0]"),
    ({"party": [0, 1]}, "party = [0, 1]"),
    ({"threshold": 0}, "threshold = 0"),
    ({"threshold": 29}, "threshold = 29"),
    ({"hand": 1, "deck": ["C7", "C8"]}, "deck: no card has points, so nobody can win"),
    ({"known": 3}, "known = 3"),
    ({"known": {"0": "CA"}}, "known.0 = 'CA'"),
    ({"known": {"0": ["CA", "CK", "CQ"]}}, "known.0: 3 cards are known of a hand of 2"),
    ({"known": {"1": ["CX"]}}, "known.1: unknown card 'CX'"),
    ({"known": {"1": ["SA"]}}, "known.1: card 'SA' is not in the deck"),
    ({"known": {"0": ["CA"], "1": ["CA"]}}, "known.1: card 'CA' is known twice"),
    ({"known": {"2": ["CA"]}}, "known.2: no such hand"),
    ({"known": {"skat": ["CA"]}}, "known.skat: no such hand"),
    ({"hand": 1, "known": {"2": ["CA"]}}, "known.2: no such hand"),
]


@pytest.mark.parametrize(("changes", "message"), MISTAKES)
def test_mistakes_are_named_by_key_and_value(to_toml, changes, message):
    with pytest.raises(GameError) as error:
        game_from_toml(described(to_toml, changes), "four.toml")
    assert re.match(rf"four\.toml(, line \d+)?: {re.escape(message)}", str(error.value))
