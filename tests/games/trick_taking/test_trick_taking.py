"""How outcomes of a trick-taking game are read and judged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.errors import UnknownNameError
from games import encoded, encodings_of


def test_bit_i_b_plus_j_of_an_outcome_is_bit_j_of_the_owner_of_card_i(make_game):
    game = make_game(2, 2, "CA C10 CK CQ CJ")
    assert game.owner_bits == 2
    assert game.outcome((1, 0, 2, 0, 1)) == 0b01_00_10_00_01
    assert game.owners(0b01_00_10_00_01) == (1, 0, 2, 0, 1)


@given(owners=st.tuples(*[st.integers(0, 3)] * 6))
def test_owners_undo_outcome(make_game, owners):
    game = make_game(3, 2, "CA C10 CK CQ CJ C9")
    assert game.owners(game.outcome(owners)) == owners


def test_party_of_two_seats_and_base_points(make_game):
    game = make_game(3, 1, "CA C10 CK", party=[0, 2], base_points=7, threshold=20)
    outcome = game.outcome((0, 1, 2))
    assert game.points(outcome) == 7 + 11 + 4
    assert game.is_win(outcome)
    assert not game.is_win(game.outcome((1, 0, 1)))


def test_labels_name_seats_skat_and_owners_that_do_not_exist(make_game):
    game = make_game(2, 2, "CA C10 CK CQ CJ")
    assert game.describe(game.outcome((0, 1, 2, 3, 0))) == "AB-?A"


def test_unknown_encoding_is_refused_with_a_hint(toy):
    with pytest.raises(UnknownNameError, match=r"unknown encoding 'papr'; did you mean 'paper'"):
        encoded(toy, "papr")


def test_default_encoding_is_the_papers(toy):
    assert encodings_of(toy)[0] == "paper"
