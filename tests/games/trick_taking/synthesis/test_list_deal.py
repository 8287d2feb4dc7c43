"""Deals into lists: predictions, growth, and gates that must not be missing."""

import pytest

from games.trick_taking.operators.list_deal import ListSplit, SortedDeal


@pytest.mark.parametrize(("cards", "parts"), [(12, 1), (13, 13), (20, 20)])
def test_large_deals_are_cut_into_parts(cards, parts):
    """One barrier after every card, across all qubits."""
    for operator in (SortedDeal(5, 3, tuple(range(cards))), ListSplit(5, cards, 3)):
        barriers = [item for item in operator.definition.data if item.operation.name == "barrier"]
        drawn = cards if isinstance(operator, SortedDeal) else cards - 3
        assert len(barriers) == (drawn if parts > 1 else 0)
        assert all(len(item.qubits) == operator.num_qubits for item in barriers)
