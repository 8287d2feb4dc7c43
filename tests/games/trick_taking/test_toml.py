"""Games as TOML."""

import re

import attrs
import pytest

from compiler.errors import GameError
from games.toml import game_from_toml
from games.trick_taking.play.positions import Place
from games.trick_taking.rules.rules import Rules

SHORT = """game = "skat"
rules = "skat"
trump = "C"
[known]
0 = ["CJ", "HJ", "CA", "C10", "CQ", "C8", "SA", "S10", "HA", "D7"]
"""


def test_a_file_in_words_is_the_file_in_letters():
    plain = """game = "skat"
rules = "skat"
trump = "S"
players = 3
hand = 1
deck = ["SA", "HK", "D10", "SJ"]
party = [1]
leader = 2
skat_to = 1
[known]
2 = ["SA"]
[class_counts]
1 = { H = 1 }
"""
    words = """game = "skat"
rules = "skat"
trump = "Pik"
players = 3
hand = 1
deck = ["Pik Ass", "King of Hearts", "♦10", "spade jack"]
party = ["B"]
leader = "c"
skat_to = "B"
[known]
C = ["A♠"]
[class_counts]
B = { Herz = 1 }
"""
    assert game_from_toml(words, "g") == game_from_toml(plain, "g")


def test_ten_cards_and_trump_are_a_game_of_skat():
    game = game_from_toml(SHORT, "g")
    assert (game.players, game.hand, len(game.deck), game.skat) == (3, 10, 32, 2)
    assert (game.party, game.threshold, game.skat_to, sum(game.points_of)) == ((0,), 61, 0, 120)
    assert sum(owner == 0 for owner in game.known) == 10


@pytest.mark.parametrize(
    ("more", "party", "threshold", "skat_to"),
    [('party = ["B"]', (1,), 61, 1), ("party = [1, 2]", (1, 2), 60, 0),
     ("threshold = 90", (0,), 90, 0), ("skat_to = 2", (0,), 61, 2)],
)  # fmt: skip
def test_what_is_said_goes_before_what_is_usual(more, party, threshold, skat_to):
    game = game_from_toml(SHORT.replace("[known]", f"{more}\n[known]"), "g")
    assert (game.party, game.threshold, game.skat_to) == (party, threshold, skat_to)


def test_a_null_needs_no_points():
    game = game_from_toml(SHORT.replace('trump = "C"', 'contract = "null"'), "g")
    assert (game.threshold, game.skat_to, game.party) == (0, None, (0,))


def test_tricks_that_were_taken_are_no_longer_played():
    text = SHORT.replace('"HA", "D7"]', '"HA"]\n[taken]\nA = ["D7", "D8", "D9"]')
    game = game_from_toml(text, "g")
    assert (game.hand, game.hands) == (9, (9, 9, 9, 2))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"CJ"', '"KB"', "g, line 5: known.0: card 'KB' may be 'CJ' or 'DJ': write one of these"),
        ('"C"', '"grand"', "g, line 3: trump = 'grand': write contract = 'grand' instead"),
        ("0 = ", "D = ", "g, line 5: known.D: no such hand; seats are 0 to 2 or 'skat', or A to C"),
        ("[known]", '[known]\nA = ["C7"]', "g, line 5: known.A: is there twice"),
        ("trump", 'leader = "D"\ntrump', "g, line 3: leader = 'D': must be a whole number from 0"),
        ("trump", 'players = 2\ntrump', "g: hand: missing"),
        ("[known]", "[class_counts]\n1 = { S = 1, Pik = 2 }\n[known]",
         "g, line 5: class_counts.1.Pik: class S is counted twice"),
    ],
)  # fmt: skip
def test_what_is_refused(old, new, why):
    with pytest.raises(GameError) as error:
        game_from_toml(SHORT.replace(old, new, 1), "g")
    assert str(error.value).startswith(why)


NINE = ["CJ", "SJ", "HJ", "S7", "HA", "H10", "HQ", "H8", "H7"]
SHOWCASE = {"game": "skat", "rules": "skat", "players": 3, "hand": 3, "deck": NINE, "trump": "S"}
MISSING = object()


def read(to_toml, changes):
    keys = {k: v for k, v in (SHOWCASE | changes).items() if v is not MISSING}
    return game_from_toml(to_toml(**keys), "nine.toml")


def test_defaults_of_skat(to_toml):
    game = read(to_toml, {})
    assert game.rules == Rules("S")
    assert (game.leader, game.first_card, game.skat_to) == (0, None, None)
    assert game.class_counts == game.table == game.taken == ()
    assert game.threshold == 16
    assert game.places == (Place.HAND,) * 9
    assert game.deal_count == 1680


SKAT_MISTAKES = [
    ({"trump": MISSING}, "trump: missing in skat rules"),
    ({"trump": "J"}, "trump = 'J'"),
    ({"rules": "paper"}, "trump: has no meaning in paper rules"),
    ({"trick": 1}, "trick: unknown key in skat rules"),
    ({"trump": MISSING, "contract": "null", "threshold": 61}, "threshold: a null is won"),
    ({"first_card": "CA"}, "first_card: card 'CA' is not in the deck"),
    ({"first_card": "HQ", "known": {"1": ["HQ"]}}, "first_card = 'HQ'"),
    ({"table": ["HQ", "H7", "HA"]}, "table: 3 cards"),
    ({"taken": {"3": ["HQ"]}}, "taken.3: no such hand"),
    ({"taken": {"0": ["HQ", "HA", "H7"]}, "hand": 1, "skat": 2}, "skat = 2"),
    ({"table": ["H7"], "known": {"0": ["H7"]}}, "known.0: card 'H7' is known twice"),
    ({"class_counts": {"skat": {"T": 1}}}, "class_counts.skat: no such"),
    ({"class_counts": {"1": {"S": 1}}}, "class_counts.1.S: no such class in skat rules, trump S"),
    ({"class_counts": {"1": {"T": 2, "H": 2}}}, "class_counts.1: 4 cards in all, the hand has 3"),
    ({"class_counts": {"0": {"H": 1}}, "known": {"0": ["HA", "HQ"]}}, "class_counts.0.H = 1"),
    ({"class_counts": {"0": {"T": 3}, "1": {"T": 2}}}, "class_counts: 5 cards of class T"),
    ({"class_counts": {"0": {"T": 0}, "1": {"T": 0}}}, "class_counts: no deal fits the"),
    ({"leader": 2, "table": ["CJ", "H7"], "class_counts": {"0": {"T": 1}}}, "class_counts.0.T = 1"),
    ({"hand": ["CJ"]}, "hand: is the number of tricks"),
]


@pytest.mark.parametrize(("changes", "message"), SKAT_MISTAKES)
def test_mistakes_of_skat_are_named_by_key_and_value(to_toml, changes, message):
    with pytest.raises(GameError) as error:
        read(to_toml, changes)
    assert re.match(rf"nine\.toml(, line \d+)?: {re.escape(message)}", str(error.value))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"leader": 1}, "leader = 1: in paper rules seat 0 leads every trick"),
        ({"first_card": 0}, "first_card = 'CA': seat 0 leads and is not known to hold it"),
        ({"table": (0,)}, "known: card 'CA' lies open, so its owner is seat 0"),
        ({"taken": ((1, (0,)),)}, "taken.1: 1 cards are no whole tricks of 2"),
        ({"class_counts": ((0, "T", 1), (0, "T", 2))}, "class_counts: give every class of a"),
    ],
)
def test_a_value_that_contradicts_itself_cannot_be_made(toy, changes, message):
    with pytest.raises(GameError) as error:
        attrs.evolve(toy, **changes)
    assert str(error.value).startswith(message)


TOY = {"game": "skat", "players": 2, "hand": 2, "deck": ["CA", "C10", "CK", "CQ"]}


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


@pytest.mark.parametrize(
    ("changes", "threshold"),
    [
        ({"deck": ["CA", "C10", "CK", "CJ"]}, 14),
        ({"base_points": 2}, 16),
        ({"points": {"A": 0, "10": 0, "K": 0, "Q": 1}}, 1),
        ({"threshold": 30, "base_points": 2}, 30),
    ],
)
def test_threshold_is_more_than_half_of_the_points_unless_given(to_toml, changes, threshold):
    assert game_from_toml(described(to_toml, changes), "g").threshold == threshold


MISTAKES = [
    ({"class_count": 3}, "class_count: unknown key"),
    ({"rules": "bridge"}, "rules = 'bridge'"),
    ({"players": MISSING}, "players: missing"),
    ({"deck": MISSING}, "deck = None"),
    ({"deck": ["CA", "C11"]}, "deck: unknown card 'C11'"),
    ({"deck": ["CA", "C10", "CK", "CA"]}, "deck: duplicate card 'CA'"),
    ({"hand": 3}, "hand = 3"),
    ({"points": 3}, "points = 3"),
    ({"points": {"B": 2}}, "points.B: unknown rank"),
    ({"party": [0, 1]}, "party = [0, 1]"),
    ({"threshold": 29}, "threshold = 29"),
    ({"hand": 1, "deck": ["C7", "C8"]}, "deck: no card has points, so the party cannot win"),
    ({"known": {"0": "CA"}}, "known.0 = 'CA'"),
    ({"known": {"0": ["CA", "CK", "CQ"]}}, "known.0: 3 cards are known of a hand of 2"),
    ({"known": {"1": ["SA"]}}, "known.1: card 'SA' is not in the deck"),
]


@pytest.mark.parametrize(("changes", "message"), MISTAKES)
def test_mistakes_are_named_by_key_and_value(to_toml, changes, message):
    with pytest.raises(GameError) as error:
        game_from_toml(described(to_toml, changes), "four.toml")
    assert re.match(rf"four\.toml(, line \d+)?: {re.escape(message)}", str(error.value))
