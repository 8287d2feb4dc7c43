"""Cards, names, and the rules of Skat."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.errors import GameError
from games.trick_taking.play.enumeration import most_states
from games.trick_taking.rules.rules import POINTS, SUITS, Card, card_of, cards_of, seat_of, suit_of
from tests.games.trick_taking.second_rules import (
    ALL,
    described_games,
    naive_distribution,
    naive_legal,
    naive_winner,
    suits_in_order,
)


def test_all_32_names_round_trip():
    names = [suit + rank for suit in SUITS for rank in POINTS]
    assert len(set(names)) == 32
    assert [str(Card.parse(name)) for name in names] == names
    assert Card.parse("S10") == Card("S", "10")


@pytest.mark.parametrize("name", ["", "C", "A", "CC", "C1", "C11", "cA", "XA", "CA ", 10, None, []])
def test_anything_else_is_refused_by_name(name):
    with pytest.raises(GameError) as error:
        Card.parse(name)
    assert f"unknown card {name!r}" in str(error.value)
    assert "such as 'S10'" in str(error.value)


GERMAN = {"C": "Kreuz", "S": "Pik", "H": "Herz", "D": "Karo"}
ENGLISH = {"C": "Clubs", "S": "Spades", "H": "Hearts", "D": "Diamonds"}
SIGNS = dict(zip(SUITS, "♣♠♥♦", strict=True))
GERMAN_RANKS = dict(zip(POINTS, ("Ass", "Zehn", "König", "Dame", "Bube", "Neun", "Acht", "Sieben"),
                        strict=True))  # fmt: skip
ENGLISH_RANKS = dict(zip(POINTS, ("Ace", "Ten", "King", "Queen", "Jack", "Nine", "Eight", "Seven"),
                         strict=True))  # fmt: skip


@pytest.mark.parametrize(("suit", "rank"), list(product(SUITS, POINTS)))
def test_every_card_is_read_in_many_forms(suit, rank):
    forms = [
        f"{suit}{rank}", f"{suit}{rank}".lower(), f" {suit} {rank} ",
        f"{SIGNS[suit]}{rank}", f"{rank}{SIGNS[suit]}", f"{SIGNS[suit]}\ufe0f{rank}",
        f"{GERMAN[suit]} {rank}", f"{GERMAN[suit]} {GERMAN_RANKS[rank]}",
        f"{GERMAN[suit]}-{GERMAN_RANKS[rank]}".lower(), f"{GERMAN[suit]}{GERMAN_RANKS[rank]}",
        f"{ENGLISH_RANKS[rank]} of {ENGLISH[suit]}", f"{ENGLISH[suit]} {ENGLISH_RANKS[rank]}",
    ]  # fmt: skip
    if rank == "10":
        forms += [f"{suit}T", f"T{SIGNS[suit]}", f"10{suit}"]
    assert {card_of(form) for form in forms} == {Card(suit, rank)}


@pytest.mark.parametrize(
    ("name", "candidates"),
    [("KB", "'CJ' or 'DJ'"), ("KK", "'CK' or 'DK'"), ("K10", "'C10' or 'D10'"),
     ("KD", "'CQ' or 'DK' or 'DQ'")],
)  # fmt: skip
def test_names_of_several_cards_are_refused_with_all_of_them(name, candidates):
    with pytest.raises(GameError) as error:
        card_of(name)
    assert str(error.value) == f"card '{name}' may be {candidates}: write one of these"


@pytest.mark.parametrize(
    ("name", "hint"),
    [("CJJ", "did you mean 'CJ'?"), ("Kreutz Bube", "did you mean 'CJ'?"),
     ("Pik Ast", "did you mean 'SA'?"), ("S100", "did you mean 'S10'?"),
     ("Joker", "write a suit of C, S, H, D"), ("", "write a suit"), (7, "write a suit"),
     ("C", "write a suit")],
)  # fmt: skip
def test_what_is_no_card_gets_a_hint(name, hint):
    with pytest.raises(GameError) as error:
        card_of(name)
    assert str(error.value).startswith(f"unknown card {name!r}: {hint}")


@pytest.mark.parametrize(
    "text",
    ["CJ S10 HA", "cj, s10, ha", "Kreuz Bube Pik 10 Herz Ass", "♣J;♠T;♥A",
     "Jack of Clubs, 10 of Spades, Ace of Hearts", "Jack of Clubs S10 Herz-Ass"],
)  # fmt: skip
def test_hands_are_read_card_by_card(text):
    assert list(map(str, cards_of(text))) == ["CJ", "S10", "HA"]


@pytest.mark.parametrize(
    ("name", "why"),
    [("K", "'K' may be 'C' or 'D'"), ("Hertz", "must be one of C, S, H, D; did you mean 'Herz'"),
     ("X", "must be one of"), (3, "must be one of"), ("", "must be one of")],
)  # fmt: skip
def test_what_is_no_suit(name, why):
    with pytest.raises(GameError) as error:
        suit_of(name)
    assert str(error.value).startswith(why)


@pytest.mark.parametrize(
    ("name", "players", "seat"),
    [(0, 2, 0), ("1", 2, 1), ("A", 2, 0), ("c", 3, 2), ("C", 2, None), (2, 2, None),
     (True, 2, None), (0.0, 2, None), ("", 3, None), ("AB", 3, None), ("-1", 3, None)],
)  # fmt: skip
def test_seats(name, players, seat):
    assert seat_of(name, players) == seat


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
    contract=st.sampled_from(["paper", *SUITS, "grand", "null"]),
    hand=st.lists(st.sampled_from(range(32)), min_size=1, max_size=10, unique=True),
    led=st.none() | st.integers(0, 31),
)
def test_legal_agrees_with_a_second_writing(whole_deck, contract, hand, led):
    lists = suits_in_order(contract, ALL)
    expected = naive_legal([ALL[i] for i in hand], None if led is None else ALL[led], lists)
    assert [ALL[i] for i in whole_deck(contract).legal(hand, led)] == expected


@given(
    contract=st.sampled_from(["paper", *SUITS, "grand", "null"]),
    deck=st.permutations(ALL),
    trick=st.lists(st.integers(0, 31), min_size=2, max_size=3, unique=True),
)
def test_winner_agrees_with_a_second_writing(whole_deck, contract, deck, trick):
    expected = naive_winner(
        [deck[i] for i in trick], suits_in_order(contract, deck), contract != "null"
    )
    assert whole_deck(contract, deck).winner(trick) == expected


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


@pytest.mark.parametrize(
    ("name", "card"),
    [("JC", "CJ"), ("KrB", "CJ"), ("kab", "DJ"), ("DK", "DK"), ("HD", "HQ"), ("PD", "SQ"),
     ("Pik As", "SA"), ("DD", "DQ"), ("KC", "CK"), ("Treff König", "CK")],
)  # fmt: skip
def test_short_names_that_can_be_one_card_only(name, card):
    assert str(card_of(name)) == card
