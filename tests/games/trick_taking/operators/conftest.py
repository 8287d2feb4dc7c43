"""Operators of many sizes, each with few enough legal inputs to try them all."""

import pytest

from compiler.synthesis.method import Operator
from games.trick_taking.operators.card_play import CardPlay
from games.trick_taking.operators.trick_taking import TrickTaking
from games.trick_taking.operators.uniform_deal import UniformDeal

CARD_PLAYS = [
    (1, 1, 0, 1), (2, 1, 1, 1), (2, 2, 0, 1), (3, 2, 0, 1), (4, 1, 1, 1), (4, 3, 0, 1),
    (3, 1, 2, 2), (3, 3, 2, 2),
]  # fmt: skip
TRICKS = [(2, 2, 1), (3, 2, 1), (4, 2, 1), (3, 3, 2)]
FREE = None
DEALS = [
    ((1, 3), (FREE,) * 4),
    ((3, 3), (FREE,) * 6),
    ((1, 1), (0, FREE)),
    ((2, 2), (FREE, 1, FREE, FREE)),
    ((2, 2), (0, 1, 1, 0)),
    ((1, 1, 3), (FREE,) * 5),
    ((2, 2, 1), (0, FREE, 2, FREE, 0)),
    ((2, 2, 2), (FREE,) * 6),
    ((2, 2, 2), (1, FREE, FREE, 1, FREE, FREE)),
    ((2, 2, 2), (2, 1, FREE, 0, FREE, FREE)),
    ((1, 1, 1, 2), (FREE, 3, FREE, FREE, 0)),
    ((1, 1, 1, 1), (FREE, FREE, 0, 1)),
]
OPERATORS = [
    *(CardPlay(*size, opening=opening) for size in CARD_PLAYS for opening in (True, False)),
    *(TrickTaking(*size) for size in TRICKS),
    *(UniformDeal(*deal) for deal in DEALS),
    pytest.param(CardPlay(5, 3, 0, 2, opening=False), marks=pytest.mark.full),
    pytest.param(TrickTaking(5, 2, 1), marks=pytest.mark.full),
]
SMALL = [
    CardPlay(3, 1, 1, 2, opening=True),
    TrickTaking(3, 2, 1),
    UniformDeal((2, 2, 1), (0, FREE, 2, FREE, 0)),
]


def label(operator: Operator) -> str:
    """Return an operator's name and numbers."""
    return f"{operator.name}-{'-'.join(map(str, operator.params))}"


@pytest.fixture(params=OPERATORS, ids=label)
def operator(request: pytest.FixtureRequest) -> Operator:
    """Each operator."""
    return request.param


@pytest.fixture(params=SMALL, ids=label)
def small_operator(request: pytest.FixtureRequest) -> Operator:
    """An operator of each kind that is lowered in a moment."""
    return request.param
