"""Lean encodings: choices, orders, ranks, and their T gates."""

from collections import Counter

import pytest

from compiler.compilation.proof import prove_program
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


DEALT = "CJ SJ HJ S7 HA H10 HQ H8 H7"


def registers(game):
    return {one.name: one.size for one in encoded(game, "lean").circuit.cregs}


def test_small_games_are_those_of_the_rules(vector, game_of):
    game = game_of(vector)
    found = Counter()
    for bits, p in measured_bits(encoded(game, "lean").circuit).items():
        found[game.is_win(LEAN.outcome(game, bits))] += p
    assert found[True] == pytest.approx(float(vector.p_win))
    if registers(game).keys() != {"dealt", "rank", "taken"}:
        assert_distribution_of_the_rules(game, "lean")


@pytest.mark.parametrize(
    ("players", "hand", "deck", "more"),
    [
        (2, 1, DEALT, {}),
        (2, 3, f"{SIX} C8", {}),
        (2, 2, TOY, {"known": {"0": ["CA"], "1": ["CQ"]}}),
        (2, 2, TOY, {"known": {"0": ["CA", "CK"], "1": ["C10", "CQ"]}}),
        (2, 2, SIX, {"known": {"0": ["CQ"], "skat": ["CA"]}}),
        (3, 2, SIX, {"known": {"2": ["CA", "C9"]}}),
        # Led by who must hold it, and games that are in the middle.
        (2, 2, TOY, {"known": {"0": ["CK"]}, "first_card": "CK"}),
        (3, 2, SIX, {"table": ["CK", "C9"]}),
        (3, 2, DEALT, {"taken": {"2": ["CJ", "HQ", "H7"]}, "table": ["HA"]}),
        pytest.param(2, 4, f"{SIX} C8 C7", {}, marks=pytest.mark.full),
    ],
)
def test_outcomes_are_those_of_the_rules(make_game, players, hand, deck, more):
    assert_distribution_of_the_rules(make_game(players, hand, deck, **more), "lean")


@pytest.mark.parametrize(("players", "hand", "deck"), [(2, 2, f"{TOY} CJ"), (3, 1, "CA C10 CK")])
def test_only_what_is_measured_means_anything(make_game, players, hand, deck):
    """Hands of wrong sizes and ranks of cards that are not there mean nothing."""
    game = make_game(players, hand, deck)
    reached = set(measured_bits(encoded(game, "lean").circuit))
    every = range(1 << sum(registers(game).values()))
    assert {bits for bits in every if LEAN.outcome(game, bits) is not None} == reached
    assert len(reached) < len(every)


def test_a_certain_game_reads_one_qubit_that_stays_0(make_game):
    known = {"0": ["CA"], "1": ["CK"], "2": ["C10"]}
    game = make_game(3, 1, "CA C10 CK", known=known)
    assert registers(game) == {"dealt": 1}
    assert prove_program(encoded(game, "lean")) == "exact"
    labels = [LEAN.outcome(game, bits) for bits in (0, 1)]
    assert (game.describe(labels[0]), labels[1]) == ("AAA", None)
