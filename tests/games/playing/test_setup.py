"""Setups of matches: what all games know of them."""

import pytest

from compiler.errors import GameError
from games.playing.playable import Setup, number_in, playables, read_setup

SEATS = (2, 5, 3)


def test_what_is_not_said_is_as_usual():
    assert read_setup({}, SEATS) == Setup(3, 0, {})
    given = {"seats": 5, "seed": 7, "options": {"size": "9"}, "decks": []}
    assert read_setup(given, SEATS, ("decks",)) == Setup(5, 7, {"size": "9"})


def test_options_that_are_taken_out_stay_with_whoever_gave_them():
    given = {"options": {"size": "9"}}
    read_setup(given, SEATS).options.clear()
    assert given == {"options": {"size": "9"}}


@pytest.mark.parametrize("game", sorted(playables))
@pytest.mark.parametrize(
    ("setup", "why"),
    [
        ({"seats": 0}, r"^seats = 0: must be "),
        ({"seats": True}, r"^seats = True: must be "),
        ({"seats": "2"}, r"^seats = 2: must be "),
        ({"seed": "1"}, r"^seed = '1': must be a whole number from 0 on$"),
        ({"seed": -1}, r"^seed = -1: must be a whole number from 0 on$"),
        ({"options": ["size"]}, r"^options = \['size'\]: write an object of names and values$"),
        ({"players": 2}, r"^players: unknown; a setup has seats, seed, options"),
    ],
)
def test_every_game_refuses_alike(game, setup, why):
    with pytest.raises(GameError, match=why):
        playables[game].start(setup)


@pytest.mark.parametrize(
    ("word", "number"),
    [("9", 9), ("015", 15), (9, 9), ("x", "x"), ("", ""), ("-1", "-1"), ("٣", "٣"),
     ("1" * 10, "1" * 10), (None, None)],
)  # fmt: skip
def test_numbers_are_read_from_words(word, number):
    assert number_in(word) == number
