"""Names and points of the 32 cards."""

import pytest

from compiler.errors import GameError
from games.trick_taking.rules.cards import POINTS, SUITS, Card


def test_all_32_names_round_trip():
    names = [suit + rank for suit in SUITS for rank in POINTS]
    assert len(set(names)) == 32
    assert [str(Card.parse(name)) for name in names] == names
    assert Card.parse("S10") == Card("S", "10")


def test_points_of_the_deck_add_up_to_120():
    assert sum(POINTS[Card.parse(suit + rank).rank] for suit in SUITS for rank in POINTS) == 120


@pytest.mark.parametrize("name", ["", "C", "A", "CC", "C1", "C11", "cA", "XA", "CA ", 10, None, []])
def test_anything_else_is_refused_by_name(name):
    with pytest.raises(GameError) as error:
        Card.parse(name)
    assert f"unknown card {name!r}" in str(error.value)
    assert "such as 'S10'" in str(error.value)
