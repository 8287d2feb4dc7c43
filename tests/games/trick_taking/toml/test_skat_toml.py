"""The keys of skat rules, of knowledge and of a game in the middle, and mistakes in them."""

import re
from fractions import Fraction

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


@pytest.mark.parametrize("contract", ["grand", "null"])
def test_contracts_without_a_trump_suit(to_toml, contract):
    game = read(to_toml, {"trump": MISSING, "contract": contract})
    assert game.rules.contract == contract
    assert game.title == f"3 players, 3 cards each, skat rules, {contract}"


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
    assert game.points_before((0, 1, 1, 0, 1, 1, 2, 1, 2, 3)) == 21


def test_paper_rules_in_the_middle(make_game):
    game = make_game(2, 2, "CA C10 CK CQ CJ C9", table=["CK"], taken={"1": ["C10", "CJ"]})
    assert game.hands == (1, 2)
    assert game.known == (None, 1, 0, None, 1, None)
    assert [step.title for step in game.steps()] == [
        "deal",
        "B plays 1 of 2",
        "trick 1",
        "A plays 1 of 1",
        "B plays 1 of 1",
        "trick 2",
    ]
    assert game.deal_count == 3
    assert game.average("win") == Fraction(1, 3)


def test_a_null_game_is_won_without_a_trick(make_game):
    game = make_game(2, 1, "CA CJ C10", rules="skat", contract="null", known={"0": ["CJ"]})
    assert game.threshold == 0
    large = {"rules": "Skat", "contract": "Null"}
    assert make_game(2, 1, "CA CJ C10", **large, known={"0": ["CJ"]}) == game
    assert {game.describe(o): game.is_win(o) for o in game.exact_distribution()} == {
        "BB-": True,
        "-AA": False,
    }


MISTAKES = {
    "no trump": ({"trump": MISSING}, "trump: missing in skat rules"),
    "trump of no suit": ({"trump": "J"}, "trump = 'J': must be one of C, S, H, D"),
    "trump of two suits": ({"trump": ["S"]}, "trump = ['S']: must be one of C, S, H, D"),
    "two contracts": ({"contract": "null"}, "contract = 'null': trump = 'S' is given too"),
    "suit as contract": (
        {"trump": MISSING, "contract": "S"},
        "contract = 'S': must be 'grand' or 'null'; for a suit game write trump",
    ),
    "trump in paper rules": ({"rules": "paper"}, "trump: has no meaning in paper rules"),
    "unknown key": ({"trick": 1}, "trick: unknown key in skat rules; known: rules, players"),
    "threshold of a null": (
        {"trump": MISSING, "contract": "null", "threshold": 61},
        "threshold: a null is won by taking no trick",
    ),
    "base points of a null": (
        {"trump": MISSING, "contract": "null", "base_points": 1},
        "base_points: a null is won by taking no trick",
    ),
    "leader of no seat": ({"leader": 3}, "leader = 3: must be a whole number from 0 to 2"),
    "leader as truth value": ({"leader": True}, "leader = True: must be a whole number"),
    "first card unknown": ({"first_card": "HX"}, "first_card: unknown card 'HX'"),
    "first card as list": ({"first_card": ["HQ"]}, "first_card: unknown card ['HQ']"),
    "first card elsewhere": ({"first_card": "CA"}, "first_card: card 'CA' is not in the deck"),
    "first card of an unknown hand": (
        {"first_card": "HQ"},
        "first_card = 'HQ': seat 0 leads and is not known to hold it; name it in known.0",
    ),
    "first card of another hand": (
        {"first_card": "HQ", "known": {"1": ["HQ"]}},
        "first_card = 'HQ': seat 0 leads and is not known to hold it",
    ),
    "first card of a begun trick": (
        {"first_card": "HQ", "known": {"0": ["HQ"]}, "table": ["H7"]},
        "first_card = 'HQ': H7 was led, it is on the table",
    ),
    "table as text": ({"table": "HQ"}, "table = 'HQ': give a list of cards"),
    "table with a stranger": ({"table": ["CA"]}, "table: card 'CA' is not in the deck"),
    "table with a whole trick": ({"table": ["HQ", "H7", "HA"]}, "table: 3 cards"),
    "table with a card twice": ({"table": ["HQ", "HQ"]}, "table: card 'HQ' lies there twice"),
    "taken as list": ({"taken": [1]}, "taken = [1]: write a table [taken] with a list of cards"),
    "taken by nobody": ({"taken": {"3": ["HQ"]}}, "taken.3: no such hand; seats are 0 to 2"),
    "taken by the skat": ({"taken": {"skat": ["HQ"]}}, "taken.skat: no such hand"),
    "half a trick": ({"taken": {"0": ["HQ"]}}, "taken.0: 1 cards are no whole tricks of 3"),
    "taken twice": (
        {"taken": {"0": ["HQ", "HQ", "H7"]}, "hand": 2},
        "taken.0: a card is named twice",
    ),
    "taken by two": (
        {"taken": {"0": ["HQ", "HA", "H7"], "1": ["HQ", "CJ", "SJ"]}, "hand": 1},
        "taken.1: card 'HQ' lies elsewhere too",
    ),
    "taken from the table": (
        {"taken": {"0": ["HQ", "HA", "H7"]}, "table": ["H7"], "hand": 2},
        "taken.0: card 'H7' lies elsewhere too",
    ),
    "too few cards after tricks": (
        {"taken": {"0": ["HQ", "HA", "H7"]}},
        "hand = 3: 3 hands of 3 need 9 cards, the deck has 9 less 3 taken",
    ),
    "skat after tricks": (
        {"taken": {"0": ["HQ", "HA", "H7"]}, "hand": 1, "skat": 2},
        "skat = 2: 9 cards less 3 taken less 3 hands of 1 leave 3",
    ),
    "known on the table": (
        {"table": ["H7"], "known": {"0": ["H7"]}},
        "known.0: card 'H7' lies on the table or a stack",
    ),
    "known of a shorter hand": (
        {"table": ["H7"], "known": {"0": ["HA", "HQ", "H8"]}},
        "known.0: 3 cards are known of a hand of 2",
    ),
    "class counts as list": ({"class_counts": [2]}, "class_counts = [2]: write a table"),
    "class counts of a seat as number": ({"class_counts": {"1": 2}}, "class_counts.1 = 2: write a"),
    "class counts of nobody": ({"class_counts": {"skat": {"T": 1}}}, "class_counts.skat: no such"),
    "class count too high": (
        {"class_counts": {"1": {"T": 4}}},
        "class_counts.1.T = 4: must be a whole number from 0 to 3",
    ),
    "class count as truth value": (
        {"class_counts": {"1": {"T": True}}},
        "class_counts.1.T = True: must be a whole number",
    ),
    "class of the trump suit": (
        {"class_counts": {"1": {"S": 1}}},
        "class_counts.1.S: no such class in skat rules, trump S; classes are T, C, H, D",
    ),
    "more classes than a hand": (
        {"class_counts": {"1": {"T": 2, "H": 2}}},
        "class_counts.1: 4 cards in all, the hand has 3",
    ),
    "fewer classes than a hand": (
        {"class_counts": {"1": {"T": 1, "C": 0, "H": 1, "D": 0}}},
        "class_counts.1: 2 cards in all, the hand has 3",
    ),
    "class counts against known cards": (
        {"class_counts": {"0": {"H": 1}}, "known": {"0": ["HA", "HQ"]}},
        "class_counts.0.H = 1: known to hold HA HQ",
    ),
    "class counts beside known cards": (
        {"class_counts": {"0": {"T": 2}}, "known": {"0": ["HA", "HQ"]}},
        "class_counts.0: 2 cards in all and 2 known ones of other classes, the hand has 3",
    ),
    "class counts against the deck": (
        {"class_counts": {"0": {"T": 3}, "1": {"T": 2}}},
        "class_counts: 5 cards of class T in all, there are 4 in hands",
    ),
    "no deal": (
        {"class_counts": {"0": {"T": 0}, "1": {"T": 0}}},
        "class_counts: no deal fits the hands, the known cards and all class counts",
    ),
    "held back": (
        {"leader": 2, "table": ["CJ", "H7"], "class_counts": {"0": {"T": 1}}},
        "class_counts.0.T = 1: seat 0 did not follow suit on the table, so it holds none",
    ),
    "known to be held back": (
        {"leader": 2, "table": ["CJ", "H7"], "known": {"0": ["SJ"]}},
        "class_counts.0.T = 0: known to hold SJ",
    ),
    "cards for a number of tricks": ({"hand": ["CJ"]}, "hand: is how many tricks are played"),
    "skat to nobody": ({"hand": 2, "skat_to": 3}, "skat_to = 3: must be a whole number from 0"),
    "skat that is none": ({"skat_to": 0}, "skat_to = 0: there is no skat in this game"),
}


@pytest.mark.parametrize(("changes", "message"), MISTAKES.values(), ids=MISTAKES)
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
        (
            {"class_counts": ((0, "T", 1), (0, "T", 2))},
            "class_counts: give every class of a hand once",
        ),
    ],
)
def test_a_value_that_contradicts_itself_cannot_be_made(toy, changes, message):
    with pytest.raises(GameError) as error:
        attrs.evolve(toy, **changes)
    assert str(error.value).startswith(message)
