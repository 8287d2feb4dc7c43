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


def test_classes_and_lanes_of_the_showcase(make_game):
    game = make_game(3, 3, "H7 S7 CJ HA HQ SJ H10 HJ H8", rules="skat", trump="S")
    assert "".join(game.card_classes) == "HTTHHTHTH"
    assert game.lanes == (4, 3, 0, 0, 2, 1, 1, 2, 3)
    assert (game.rules.name, game.rules.contract) == ("skat", "S")
    assert game.follows_suit
    assert game.winner_leads


def test_paper_rules_know_one_class_in_the_order_of_the_deck(toy):
    assert toy.card_classes == ("T",) * 4
    assert toy.lanes == (0, 1, 2, 3)
    assert (toy.rules.name, toy.rules.contract) == ("paper", None)
    assert not toy.follows_suit
    assert not toy.winner_leads


@pytest.mark.parametrize(
    ("contract", "order"),
    [
        ("C", "CJ SJ HJ DJ CA C10 CK CQ C9 C8 C7"),
        ("grand", "CJ SJ HJ DJ"),
        ("null", "CA CK CQ CJ C10 C9 C8 C7"),
    ],
)
def test_order_of_the_strongest_class(whole_deck, contract, order):
    game = whole_deck(contract)
    name = game.rules.classes[0]
    members = [i for i in range(32) if game.card_classes[i] == name]
    members.sort(key=lambda i: game.lanes[i])
    assert [str(game.deck[i]) for i in members] == order.split()
    assert [game.lanes[i] for i in members] == list(range(len(members)))


def test_every_class_of_a_null_has_its_jack(whole_deck):
    game = whole_deck("null")
    assert game.rules.classes == ("C", "S", "H", "D")
    assert all(game.card_classes.count(suit) == 8 for suit in "CSHD")


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
