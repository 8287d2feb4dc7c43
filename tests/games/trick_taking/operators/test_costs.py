"""Declared costs and depths against those of the definition."""

import pytest

from compiler.synthesis.operator import counted_cost
from games.trick_taking.operators import CardPlay, TrickTaking, UniformDeal


def positive(cost):
    return {kind: number for kind, number in cost.items() if number}


def test_declared_cost_is_the_counted_cost(operator):
    assert positive(operator.declared_cost) == positive(counted_cost(operator.definition))


def test_declared_depth_is_the_depth_of_the_definition(operator):
    """A deal declares depth 1, because the papers count it as one gate."""
    if isinstance(operator, UniformDeal):
        assert operator.declared_depth == 1
    else:
        assert operator.declared_depth == operator.definition.depth()


@pytest.mark.parametrize(
    ("operator", "cost"),
    [
        (
            CardPlay(4, 2, 0, 1, opening=True),
            {("x", 4): 12, ("h", 1): 6, ("x", 2): 6, ("x", 1): 6},
        ),
        (CardPlay(4, 1, 0, 1), {("x", 2): 4}),
        (TrickTaking(4, 2, 1), {("x", 4): 18}),
        (TrickTaking(3, 3, 2), {("x", 6): 2, ("x", 2): 8, ("x", 1): 3}),
        (UniformDeal((2, 2), (None,) * 4), {("state_preparation", 0): 1}),
    ],
    ids=["play 1 of 2", "play 1 of 1", "trick of two", "trick of three", "deal"],
)
def test_costs_of_small_operators(operator, cost):
    assert positive(operator.declared_cost) == cost
