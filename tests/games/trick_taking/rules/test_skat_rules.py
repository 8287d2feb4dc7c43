"""Follow suit, trumps, and the winner leads: against a second writing of the rules."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.errors import GameError
from games.trick_taking.play.enumeration import most_states
from games.trick_taking.rules.rules import CONTRACTS, Rules
from tests.games.trick_taking.second_rules import (
    ALL,
    described_games,
    naive_distribution,
    naive_legal,
    naive_winner,
    suits_in_order,
)


@pytest.fixture(scope="session")
def whole_deck(make_game):
    """Return a function that gives the game of 32 cards in any rules."""

    def game(contract, deck=ALL):
        if contract == "paper":
            return make_game(3, 10, " ".join(deck))
        key = "trump" if contract in "CSHD" else "contract"
        return make_game(3, 10, " ".join(deck), rules="skat", **{key: contract})

    return game


@given(
    contract=st.sampled_from(["paper", *CONTRACTS]),
    hand=st.lists(st.sampled_from(range(32)), min_size=1, max_size=10, unique=True),
    led=st.none() | st.integers(0, 31),
)
def test_legal_agrees_with_a_second_writing(whole_deck, contract, hand, led):
    lists = suits_in_order(contract, ALL)
    expected = naive_legal([ALL[i] for i in hand], None if led is None else ALL[led], lists)
    assert [ALL[i] for i in whole_deck(contract).legal(hand, led)] == expected


@given(
    contract=st.sampled_from(["paper", *CONTRACTS]),
    deck=st.permutations(ALL),
    trick=st.lists(st.integers(0, 31), min_size=2, max_size=3, unique=True),
)
def test_winner_agrees_with_a_second_writing(whole_deck, contract, deck, trick):
    expected = naive_winner(
        [deck[i] for i in trick], suits_in_order(contract, deck), contract != "null"
    )
    assert whole_deck(contract, deck).winner(trick) == expected


def test_unknown_contract():
    with pytest.raises(GameError, match="contract = 'ramsch': must be one of C, S, H, D, grand"):
        Rules("ramsch")


@given(keys=described_games())
def test_exact_distribution_agrees_path_by_path(make_game, keys):
    game = make_game(**keys)
    deals, expected = naive_distribution(keys)
    assert game.deal_count == deals
    exact = {game.owners(outcome): p for outcome, p in game.exact_distribution().items()}
    assert exact == expected
    assert sum(exact.values()) == 1
    steps = game.step_distributions()
    assert all(sum(positions.values()) == 1 for _, positions in steps)
    assert sum(len(positions) for _, positions in steps) <= most_states(game)
    won = sum((p for owners, p in expected.items() if wins(game, owners)), Fraction(0))
    assert game.average("win") == won


def wins(game, owners):
    """Party [0] wins with more than half of the points, a null without a trick."""
    if game.rules.contract == "null":
        return 0 not in owners
    mine = sum(p for p, o in zip(game.points_of, owners, strict=True) if o == 0)
    return 2 * mine > sum(game.points_of)
