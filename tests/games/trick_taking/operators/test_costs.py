"""Declared costs and depths against those of the definition."""

from compiler.synthesis.operator import counted_cost
from games.trick_taking.operators.uniform_deal import UniformDeal


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
