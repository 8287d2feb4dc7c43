"""The keys of skat rules, of knowledge and of a game in the middle, and mistakes in them."""

import re

import attrs
import pytest

from compiler.errors import GameError
from games.toml import game_from_toml
from games.trick_taking.play.positions import Place
from games.trick_taking.rules.rules import Rules

NINE = ["CJ", "SJ", "HJ", "S7", "HA", "H10", "HQ", "H8", "H7"]
SHOWCASE = {"game": "skat", "rules": "skat", "players": 3, "hand": 3, "deck": NINE, "trump": "S"}
MISSING = object()


def read(to_toml, changes):
    keys = {k: v for k, v in (SHOWCASE | changes).items() if v is not MISSING}
    return game_from_toml(to_toml(**keys), "nine.toml")


def test_defaults(to_toml):
    game = read(to_toml, {})
    assert game.rules == Rules("S")
    assert (game.leader, game.first_card, game.skat_to) == (0, None, None)
    assert game.class_counts == game.table == game.taken == ()
    assert game.threshold == 16
    assert game.places == (Place.HAND,) * 9
    assert game.deal_count == 1680


def test_known_cards_count_towards_class_counts(to_toml):
    counts = {"1": {"T": 2, "H": 1}, "2": {"T": 2}}
    known = {"0": ["H10", "HQ", "H7"], "1": ["CJ"]}
    game = read(to_toml, {"known": known, "class_counts": counts, "first_card": "H7"})
    assert game.class_counts == ((1, "T", 2), (1, "H", 1), (2, "T", 2))
    assert game.first_card == 8
    assert game.deal_count == 3 * 2


def test_class_counts_of_the_skat(to_toml):
    game = read(to_toml, {"hand": 2, "class_counts": {"skat": {"T": 3}}, "skat_to": 1})
    assert game.class_counts == ((3, "T", 3),)
    assert game.skat_to == 1
    assert game.deal_count == 4 * 90


def test_a_game_in_the_middle(to_toml):
    changes = {
        "hand": 2,
        "deck": [*NINE, "D7"],
        "leader": 1,
        "table": ["SJ", "HQ"],
        "taken": {"1": ["HA", "H10", "H8"]},
        "known": {"0": ["S7"]},
        "party": [1],
    }
    game = read(to_toml, changes)
    assert game.table == (1, 6)
    assert game.taken == ((1, (4, 5, 7)),)
    assert game.hands == (2, 1, 1, 1)
    assert game.skat == 1
    assert game.known == (None, 1, None, 0, 1, 1, 2, 1, None, None)
    assert [card for card, p in enumerate(game.places) if p is Place.TABLE] == [1, 6]
    assert [card for card, p in enumerate(game.places) if p is Place.STACK] == [4, 5, 7]
    assert game.hand_cards == (0, 2, 3, 8, 9)
    # Seat 2 discarded HQ on a trump, so CJ and HJ are not in its hand.
    assert game.class_counts == ((2, "T", 0),)
    assert game.deal_count == 2 * 6
    assert [step.title for step in game.steps()] == [
        "deal",
        "A plays a legal 1 of 2",
        "trick 1",
        "leader plays a legal 1 of 1",
        "second plays a legal 1 of 1",
        "third plays a legal 1 of 1",
        "trick 2",
    ]


MISTAKES = [
    ({"trump": MISSING}, "trump: missing in skat rules"),
    ({"trump": "J"}, "trump = 'J'"),
    ({"contract": "null"}, "contract = 'null'"),
    ({"trump": MISSING, "contract": "S"}, "contract = 'S'"),
    ({"rules": "paper"}, "trump: has no meaning in paper rules"),
    ({"trick": 1}, "trick: unknown key in skat rules"),
    ({"trump": MISSING, "contract": "null", "threshold": 61}, "threshold: a null is won"),
    ({"trump": MISSING, "contract": "null", "base_points": 1}, "base_points: a null is"),
    ({"leader": 3}, "leader = 3"),
    ({"first_card": "HX"}, "first_card: unknown card 'HX'"),
    ({"first_card": "CA"}, "first_card: card 'CA' is not in the deck"),
    ({"first_card": "HQ"}, "first_card = 'HQ'"),
    ({"first_card": "HQ", "known": {"1": ["HQ"]}}, "first_card = 'HQ'"),
    ({"first_card": "HQ", "known": {"0": ["HQ"]}, "table": ["H7"]}, "first_card = 'HQ'"),
    ({"table": ["CA"]}, "table: card 'CA' is not in the deck"),
    ({"table": ["HQ", "H7", "HA"]}, "table: 3 cards"),
    ({"table": ["HQ", "HQ"]}, "table: card 'HQ' lies there twice"),
    ({"taken": [1]}, "taken = [1]"),
    ({"taken": {"3": ["HQ"]}}, "taken.3: no such hand"),
    ({"taken": {"0": ["HQ"]}}, "taken.0: 1 cards are no whole tricks of 3"),
    ({"taken": {"0": ["HQ", "HQ", "H7"]}, "hand": 2}, "taken.0: a card is named twice"),
    (
        {"taken": {"0": ["HQ", "HA", "H7"], "1": ["HQ", "CJ", "SJ"]}, "hand": 1},
        "taken.1: card 'HQ' lies elsewhere too",
    ),
    (
        {"taken": {"0": ["HQ", "HA", "H7"]}, "table": ["H7"], "hand": 2},
        "taken.0: card 'H7' lies elsewhere too",
    ),
    ({"taken": {"0": ["HQ", "HA", "H7"]}}, "hand = 3"),
    ({"taken": {"0": ["HQ", "HA", "H7"]}, "hand": 1, "skat": 2}, "skat = 2"),
    ({"table": ["H7"], "known": {"0": ["H7"]}}, "known.0: card 'H7' lies on the table or a stack"),
    ({"table": ["H7"], "known": {"0": ["HA", "HQ", "H8"]}}, "known.0: 3 cards are known"),
    ({"class_counts": [2]}, "class_counts = [2]"),
    ({"class_counts": {"1": 2}}, "class_counts.1 = 2"),
    ({"class_counts": {"skat": {"T": 1}}}, "class_counts.skat: no such"),
    ({"class_counts": {"1": {"T": 4}}}, "class_counts.1.T = 4"),
    ({"class_counts": {"1": {"S": 1}}}, "class_counts.1.S: no such class in skat rules, trump S"),
    ({"class_counts": {"1": {"T": 2, "H": 2}}}, "class_counts.1: 4 cards in all, the hand has 3"),
    ({"class_counts": {"1": {"T": 1, "C": 0, "H": 1, "D": 0}}}, "class_counts.1: 2 cards"),
    ({"class_counts": {"0": {"H": 1}}, "known": {"0": ["HA", "HQ"]}}, "class_counts.0.H = 1"),
    ({"class_counts": {"0": {"T": 2}}, "known": {"0": ["HA", "HQ"]}}, "class_counts.0: 2"),
    ({"class_counts": {"0": {"T": 3}, "1": {"T": 2}}}, "class_counts: 5 cards of class T"),
    ({"class_counts": {"0": {"T": 0}, "1": {"T": 0}}}, "class_counts: no deal fits the"),
    ({"leader": 2, "table": ["CJ", "H7"], "class_counts": {"0": {"T": 1}}}, "class_counts.0.T = 1"),
    ({"leader": 2, "table": ["CJ", "H7"], "known": {"0": ["SJ"]}}, "class_counts.0.T = 0"),
    ({"hand": ["CJ"]}, "hand: is how many tricks are played"),
    ({"hand": 2, "skat_to": 3}, "skat_to = 3"),
    ({"skat_to": 0}, "skat_to = 0"),
]


@pytest.mark.parametrize(("changes", "message"), MISTAKES)
def test_mistakes_are_named_by_key_and_value(to_toml, changes, message):
    with pytest.raises(GameError) as error:
        read(to_toml, changes)
    assert re.match(rf"nine\.toml(, line \d+)?: {re.escape(message)}", str(error.value))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"leader": 1}, "leader = 1: in paper rules seat 0 leads every trick"),
        ({"first_card": 0}, "first_card = 'CA': seat 0 leads and is not known to hold it"),
        ({"table": (0, 1)}, "table: 2 cards; a trick of 2 is over"),
        ({"table": (0,)}, "known: card 'CA' lies open, so its owner is seat 0"),
        ({"taken": ((1, (0,)),)}, "taken.1: 1 cards are no whole tricks of 2"),
        ({"taken": ((1, (0, 0)),)}, "card 'CA' lies on the table or a stack twice"),
        ({"known": (0, 0, 0, 1)}, "known.0: 3 cards are known of a hand of 2"),
        ({"class_counts": ((0, "C", 1),)}, "class_counts.0.C: no such class in paper rules"),
        ({"class_counts": ((0, "T", 1), (0, "T", 2))}, "class_counts: give every class of a"),
    ],
)
def test_a_value_that_contradicts_itself_cannot_be_made(toy, changes, message):
    with pytest.raises(GameError) as error:
        attrs.evolve(toy, **changes)
    assert str(error.value).startswith(message)
