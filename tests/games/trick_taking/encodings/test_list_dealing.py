"""Plans of deals: who can be dealt owner by owner, in which order, and who cannot."""

import pytest
from hypothesis import given

from compiler.errors import GameError
from games import encodings, encodings_of, named_game
from games.trick_taking.encodings.list_dealing import deal_plan
from games.trick_taking.operators.list_deal import ListSplit, SortedDeal
from games.trick_taking.play.dealing import Dealing
from tests.games.trick_taking.second_rules import described_games

LISTS = encodings["lists"]
NAMES = ("lists", "lists-win")
SPADES = {"rules": "skat", "trump": "S"}


def dealing_operators(game):
    """Return the operators that deal, as (name, cards, hand)."""
    found = []
    for item in LISTS.program(game).data:
        if isinstance(item.operation, SortedDeal):
            found.append(("deal", len(item.operation.codes), item.operation.chosen))
        elif isinstance(item.operation, ListSplit):
            found.append(("split", item.operation.cards, item.operation.chosen))
    return found


def test_class_counts_are_dealt_class_by_class():
    """Either of two hands gets two of four trumps and one of two hearts."""
    game = named_game("skat-9")
    plan = deal_plan(game)
    assert plan.groups == {"T": (0, 1, 2, 3), "H": (4, 7)}
    assert plan.needs == {0: {"T": 0, "H": 0}, 1: {"T": 2, "H": 1}, 2: {"T": 2, "H": 1}}
    assert dealing_operators(game) == [("deal", 4, 2), ("deal", 2, 1)]


REFUSED = {
    "one class each": {"1": {"T": 2}, "2": {"H": 1}},
    "two of four classes of one": {"1": {"T": 2}, "0": {"H": 1}},
}


@pytest.mark.parametrize("counts", REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("name", NAMES)
def test_deals_that_cannot_be_dealt_owner_by_owner_are_refused(make_game, name, counts):
    """How many of the cards are neither trumps nor hearts decides what seats may draw."""
    game = make_game(3, 3, "CJ SJ HJ CA HA H10 C10 H8 H7", class_counts=counts, **SPADES)
    assert not encodings[name].supports(game)
    assert name not in encodings_of(game)
    with pytest.raises(GameError, match="class counts that cannot be dealt owner by owner"):
        encodings[name].program(game)


@given(keys=described_games())
def test_plans_are_true_of_every_deal(make_game, keys):
    game = make_game(**keys)
    plan = deal_plan(game)
    if plan is None:
        with pytest.raises(GameError):
            LISTS.program(game)
        return
    assert sorted(plan.order) == sorted(set(plan.order))
    certain = [plan.needs[owner] is not None for owner in plan.order]
    assert certain == sorted(certain, reverse=True)
    for deal in Dealing(game).all():
        for owner, needs in plan.needs.items():
            counts = {name: sum(deal[card] == owner for card in cards)
                      for name, cards in plan.groups.items()}  # fmt: skip
            assert needs is None or needs == counts
            assert owner in plan.order or not any(counts.values())
