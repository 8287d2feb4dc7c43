"""Game files as people write them: names of cards, letters of seats, and what may be left out."""

import pytest

from compiler.errors import GameError
from games.toml import game_from_toml

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
