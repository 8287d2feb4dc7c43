"""Operators' specifications: sane in themselves, and what the rules mean by them."""

import pytest

from games.trick_taking.operators.card_play import CardPlay
from games.trick_taking.operators.trick_taking import TrickTaking
from games.trick_taking.operators.uniform_deal import UniformDeal


def card_play_is_legal(state, cards, hand, seat, owner_bits, opening, work):
    """Read the contract off a basis state: k cards in the hand, none on the table, clean work."""
    held = 0
    stack_offset = cards * (owner_bits + 1)
    if state >> (stack_offset + (0 if opening else cards)) & ((1 << work) - 1):
        return False
    for card in range(cards):
        owner = state >> (card * owner_bits) & ((1 << owner_bits) - 1)
        table = state >> (cards * owner_bits + card) & 1
        stack = 0 if opening else state >> (stack_offset + card) & 1
        if stack and not table:
            return False
        if owner == seat and not stack:
            held += 1
            if table:
                return False
    return held == hand


@pytest.mark.parametrize("opening", [True, False])
@pytest.mark.parametrize(
    ("cards", "hand", "seat", "owner_bits"),
    [(2, 1, 0, 1), (2, 2, 1, 1), (3, 1, 1, 1), (3, 2, 0, 1), (2, 1, 2, 2), (3, 1, 3, 2)],
)
def test_legal_inputs_of_a_card_play_are_all_that_the_contract_allows(
    cards, hand, seat, owner_bits, opening
):
    operator = CardPlay(cards, hand, seat, owner_bits, opening=opening)
    assert set(operator.legal_inputs()) == {
        state
        for state in range(1 << operator.num_qubits)
        if card_play_is_legal(state, cards, hand, seat, owner_bits, opening, operator.ancillas)
    }


def trick_is_legal(state, cards, players):
    """Read the contract off a basis state of a game with one owner bit and two players."""
    fields = [state >> (i * cards) & ((1 << cards) - 1) for i in range(4)]
    played = []
    for card in range(cards):
        owner, table, stack, prior = (field >> card & 1 for field in fields)
        if stack != prior or (stack and not table):
            return False
        if table and not stack:
            played.append(owner)
    return sorted(played) == list(range(players))


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_legal_inputs_of_a_trick_are_all_that_the_contract_allows(cards):
    operator = TrickTaking(cards, 2, 1)
    assert set(operator.legal_inputs()) == {
        state for state in range(1 << operator.num_qubits) if trick_is_legal(state, cards, 2)
    }


@pytest.mark.parametrize(
    ("hands", "known", "deals"),
    [
        ((2, 2), (None,) * 4, 6),
        ((2, 2, 1), (None,) * 5, 30),
        ((2, 2, 2), (None,) * 6, 90),
        ((3, 3, 3), (None,) * 9, 1680),
        ((3, 3, 3), (None,) * 5 + (0, 0, None, 0), 20),
        ((1, 1, 1, 1), (3, None, None, None), 6),
    ],
)
def test_number_of_deals(hands, known, deals):
    operator = UniformDeal(hands, known)
    assert operator.deals == deals
    if len(known) <= 6:
        assert len(operator.action(0)) == deals


def test_full_deck_of_skat_has_the_published_number_of_deals():
    assert UniformDeal((10, 10, 10, 2), (None,) * 32).deals == 2_753_294_408_504_640
    known = (0,) * 10 + (None,) * 22
    assert UniformDeal((10, 10, 10, 2), known).deals == 42_678_636
