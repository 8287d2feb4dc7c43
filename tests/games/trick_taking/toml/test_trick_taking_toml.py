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


def test_largest_deck(to_toml):
    deck = ["CJ", "SJ", "HJ", "S7", "HA", "H10", "HQ", "H8", "H7"]
    assert game_from_toml(described(to_toml, {"deck": deck, "hand": 4}), "g").skat == 1


MISTAKES = {
    "unknown key": ({"class_count": 3}, "class_count: unknown key"),
    "rules of bridge": ({"rules": "bridge"}, "rules = 'bridge': must be 'paper' or 'skat'"),
    "rules not a name": ({"rules": 3}, "rules = 3: must be 'paper' or 'skat'"),
    "rules in a list": ({"rules": ["skat"]}, "rules = ['skat']: must be 'paper' or 'skat'"),
    "no players": ({"players": MISSING}, "players: missing; give a whole number from 2 to 3"),
    "one player": ({"players": 1}, "players = 1: must be a whole number from 2 to 3"),
    "four players": ({"players": 4}, "players = 4: must be a whole number from 2 to 3"),
    "players as text": ({"players": "2"}, "players = '2': must be a whole number"),
    "players as truth value": ({"players": True}, "players = True: must be a whole number"),
    "no hand": ({"hand": MISSING}, "hand: missing; give a whole number from 1 to 32"),
    "empty hand": ({"hand": 0}, "hand = 0: must be a whole number from 1 to 32"),
    "hand of 33": ({"hand": 33}, "hand = 33: must be a whole number from 1 to 32"),
    "hand as fraction": ({"hand": 1.5}, "hand = 1.5: must be a whole number"),
    "no deck": ({"deck": MISSING}, "deck = None: give a list of cards"),
    "empty deck": ({"deck": []}, "deck = []: give a list of cards"),
    "deck as text": ({"deck": "CA"}, "deck = 'CA': give a list of cards"),
    "unknown card": ({"deck": ["CA", "C11"]}, "deck: unknown card 'C11'"),
    "number as card": ({"deck": ["CA", 10]}, "deck: unknown card 10"),
    "card twice": ({"deck": ["CA", "C10", "CK", "CA"]}, "deck: duplicate card 'CA'"),
    "hands too big": (
        {"hand": 3},
        "hand = 3: 2 hands of 3 need 6 cards, the deck has 4",
    ),
    "skat mismatch": ({"skat": 1}, "skat = 1: 4 cards less 2 hands of 2 leave 0"),
    "negative skat": ({"skat": -1}, "skat = -1: must be a whole number from 0"),
    "negative base points": ({"base_points": -1}, "base_points = -1: must be a whole number"),
    "base points above all": ({"base_points": 121}, "base_points = 121: must be a whole number"),
    "base points as truth value": ({"base_points": False}, "base_points = False: must be a whole"),
    "points not a table": ({"points": 3}, "points = 3: write a table"),
    "points of no rank": ({"points": {"B": 2}}, "points.B: unknown rank"),
    "negative points": ({"points": {"J": -1}}, "points.J = -1: must be a whole number from 0"),
    "points as truth value": ({"points": {"J": True}}, "points.J = True: must be a whole number"),
    "points as fraction": ({"points": {"A": 10.5}}, "points.A = 10.5: must be a whole number"),
    "party not a list": ({"party": 0}, "party = 0: give a list of seats from 0 to 1"),
    "empty party": ({"party": []}, "party = []: give a list of seats from 0 to 1"),
    "party of no seat": ({"party": [2]}, "party = [2]: give a list of seats from 0 to 1"),
    "party as text": ({"party": ["C"]}, "party = ['C']: give a list of seats from 0 to 1"),
    "party of a truth value": ({"party": [True]}, "party = [True]: give a list of seats"),
    "party of a fraction": ({"party": [0.0]}, "party = [0.0]: give a list of seats"),
    "seat twice": ({"party": [0, 0]}, "party = [0, 0]: name some seats, each once"),
    "party of all": ({"party": [0, 1]}, "party = [0, 1]: name some seats"),
    "threshold 0": ({"threshold": 0}, "threshold = 0: must be a whole number from 1 to 28"),
    "threshold too high": (
        {"threshold": 29},
        "threshold = 29: must be a whole number from 1",
    ),
    "threshold as fraction": ({"threshold": 14.5}, "threshold = 14.5: must be a whole number"),
    "threshold as text": ({"threshold": "15"}, "threshold = '15': must be a whole number"),
    "threshold as truth value": ({"threshold": True}, "threshold = True: must be a whole number"),
    "deck without points": (
        {"hand": 1, "deck": ["C7", "C8"]},
        "deck: no card has points, so nobody can win",
    ),
    "known not a table": ({"known": 3}, "known = 3: write a table [known]"),
    "known not a list": ({"known": {"0": "CA"}}, "known.0 = 'CA': give a list of cards"),
    "known too many": (
        {"known": {"0": ["CA", "CK", "CQ"]}},
        "known.0: 3 cards are known of a hand of 2",
    ),
    "known skat too many": (
        {"hand": 1, "deck": ["CA", "C10", "CK"], "known": {"skat": ["CA", "CK"]}},
        "known.skat: 2 cards are known of a hand of 1",
    ),
    "known not a card": ({"known": {"1": ["CX"]}}, "known.1: unknown card 'CX'"),
    "known not in the deck": ({"known": {"1": ["SA"]}}, "known.1: card 'SA' is not in the deck"),
    "known twice": ({"known": {"0": ["CA"], "1": ["CA"]}}, "known.1: card 'CA' is known twice"),
    "known twice in a hand": ({"known": {"0": ["CA", "CA"]}}, "known.0: card 'CA' is known twice"),
    "known of no seat": ({"known": {"2": ["CA"]}}, "known.2: no such hand; seats are 0 to 1"),
    "known of no skat": ({"known": {"skat": ["CA"]}}, "known.skat: no such hand; seats are 0 to 1"),
    "known of no seat but skat": (
        {"hand": 1, "known": {"2": ["CA"]}},
        "known.2: no such hand; seats are 0 to 1 or 'skat'",
    ),
}


@pytest.mark.parametrize(("changes", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_named_by_key_and_value(to_toml, changes, message):
    with pytest.raises(GameError) as error:
        game_from_toml(described(to_toml, changes), "four.toml")
    assert re.match(rf"four\.toml(, line \d+)?: {re.escape(message)}", str(error.value))
