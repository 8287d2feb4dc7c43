"""Lean encodings: choices, ranks, and their T gates."""

import pytest

from games import encoded, encodings, encodings_of
from tests.games.trick_taking.encodings.distributions import (
    assert_distribution_of_the_rules,
    measured_bits,
)

LEAN = encodings["lean"]
TOY = "CA C10 CK CQ"
SIX = f"{TOY} CJ C9"
NINE = f"{SIX} C8 C7 SA"


@pytest.mark.parametrize(
    ("players", "hand", "deck", "more", "read"),
    [
        (2, 2, TOY, {}, ["dealt", "rank", "taken"]),
        (2, 2, TOY, {"known": {"1": ["CK"]}}, ["dealt", "rank", "taken"]),
        (2, 2, TOY, {"rules": "skat", "contract": "grand"}, ["read"]),
        (3, 2, SIX, {"rules": "skat", "contract": "null"}, ["read"]),
    ],
)
def test_the_toy_and_small_games_of_skat(make_game, players, hand, deck, more, read):
    game = make_game(players, hand, deck, **more)
    assert "lean" in encodings_of(game)
    assert [one.name for one in encoded(game, "lean").circuit.cregs] == read
    assert LEAN.simulated(game) == (read == ["read"])


@pytest.mark.parametrize(
    ("players", "hand", "deck", "more"),
    [
        (2, 2, TOY, {"table": ["C10"]}),
        (3, 1, "CA C10 CK", {}),
        # Ten cards of which all but two are known, which would be few states.
        (2, 5, f"{NINE} S10", {"rules": "skat", "contract": "grand",
         "known": {"0": ["CA", "C10", "CK", "CQ"], "1": ["CJ", "C9", "C8", "C7"]}}),
        (3, 3, NINE, {"rules": "skat", "contract": "grand"}),
    ],
)  # fmt: skip
def test_larger_games_are_not_supported(make_game, players, hand, deck, more):
    assert "lean" not in encodings_of(make_game(players, hand, deck, **more))


@pytest.mark.parametrize(
    "known", [{"0": ["CA"], "1": ["CQ"]}, {"0": ["CA", "CK"], "1": ["C10", "CQ"]}]
)
def test_outcomes_of_the_toy_are_those_of_the_rules(make_game, known):
    assert_distribution_of_the_rules(make_game(2, 2, TOY, known=known), "lean")


@pytest.mark.parametrize("known", [{}, {"1": ["CK"]}])
def test_only_what_is_measured_means_anything(make_game, known):
    """Hands of wrong sizes and winners that contradict the cards mean nothing."""
    game = make_game(2, 2, TOY, known=known)
    reached = set(measured_bits(encoded(game, "lean").circuit))
    assert {bits for bits in range(1 << 8) if LEAN.outcome(game, bits) is not None} == reached
