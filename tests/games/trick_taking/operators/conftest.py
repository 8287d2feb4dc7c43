"""Operators of many sizes, each with few enough legal inputs to try them all."""

import pytest

from compiler.synthesis.operator import Operator
from games.trick_taking.operators.card_play import CardPlay
from games.trick_taking.operators.trick_taking import TrickTaking
from games.trick_taking.operators.uniform_deal import UniformDeal

CARD_PLAYS = [
    *((n, k, seat, 1) for n in (1, 2, 3, 4) for k in range(1, n + 1) for seat in (0, 1)),
    *((5, k, seat, 1) for k in (2, 3, 4, 5) for seat in (0, 1)),
    (6, 3, 1, 1),
    *((3, k, seat, 2) for k in (1, 2, 3) for seat in (0, 1, 2, 3)),
    *((4, k, 2, 2) for k in (2, 3, 4)),
    (5, 3, 0, 2),
]
TRICKS = [(2, 2, 1), (3, 2, 1), (4, 2, 1), (5, 2, 1), (3, 2, 2), (4, 2, 2), (3, 3, 2), (4, 3, 2)]
FREE = None
DEALS = {
    "two hands": ((2, 2), (FREE,) * 4),
    "uneven hands": ((1, 3), (FREE,) * 4),
    "large hands": ((3, 3), (FREE,) * 6),
    "one card known": ((2, 2), (FREE, 1, FREE, FREE)),
    "one hand known": ((1, 1), (0, FREE)),
    "other hand known": ((2, 2), (1, FREE, 1, FREE)),
    "all known": ((2, 2), (0, 1, 1, 0)),
    "skat": ((1, 1, 1), (FREE,) * 3),
    "large skat": ((1, 1, 3), (FREE,) * 5),
    "skat of the toy": ((2, 2, 1), (FREE,) * 5),
    "skat known": ((2, 2, 1), (FREE, FREE, 2, FREE, FREE)),
    "hand and skat known": ((2, 2, 1), (0, FREE, 2, FREE, 0)),
    "three hands": ((2, 2, 2), (FREE,) * 6),
    "first of three hands known": ((2, 2, 2), (FREE, 0, FREE, FREE, 0, FREE)),
    "second of three hands known": ((2, 2, 2), (1, FREE, FREE, 1, FREE, FREE)),
    "last of three hands known": ((2, 2, 2), (2, FREE, FREE, 2, FREE, FREE)),
    "cards of all three hands known": ((2, 2, 2), (2, 1, FREE, 0, FREE, FREE)),
    "three hands and skat": ((1, 1, 1, 1), (FREE,) * 4),
    "three hands and large skat": ((1, 1, 1, 2), (FREE,) * 5),
    "two of four known": ((1, 1, 1, 2), (FREE, 3, FREE, FREE, 0)),
    "only the last two unknown": ((1, 1, 1, 1), (FREE, FREE, 0, 1)),
    "only the first two unknown": ((1, 1, 1, 1), (2, FREE, 3, FREE)),
}

MAKE = {
    **{
        f"card_play-{n}-{k}-{seat}-{b}-{'opening' if opening else 'later'}": (
            lambda n=n, k=k, seat=seat, b=b, opening=opening: CardPlay(
                n, k, seat, b, opening=opening
            )
        )
        for n, k, seat, b in CARD_PLAYS
        for opening in (True, False)
    },
    **{f"trick_taking-{n}-{m}-{b}": (lambda t=(n, m, b): TrickTaking(*t)) for n, m, b in TRICKS},
    **{f"deal-{name}": (lambda d=deal: UniformDeal(*d)) for name, deal in DEALS.items()},
}


MANY_INPUTS = (
    *("card_play-4-2-2-2-later", "card_play-5-2-0-1-later", "card_play-5-2-1-1-later"),
    *("card_play-5-3-0-2-later", "card_play-6-3-1-1-later", "trick_taking-5-2-1"),
    *("card_play-5-2-0-1-opening", "card_play-5-2-1-1-opening", "card_play-5-3-0-1-later"),
    *("card_play-5-3-1-1-later", "card_play-5-3-0-2-opening", "card_play-6-3-1-1-opening"),
    *("card_play-4-2-1-1-later", "card_play-4-2-2-2-opening", "trick_taking-4-3-2"),
)
"""Those that take seconds; every kind has smaller ones beside them."""


@pytest.fixture(
    params=[
        pytest.param(make, id=name, marks=[pytest.mark.full] if name in MANY_INPUTS else [])
        for name, make in MAKE.items()
    ]
)
def operator(request: pytest.FixtureRequest) -> Operator:
    """Each operator."""
    return request.param()


SMALL = (
    "card_play-3-1-1-2-opening",
    "card_play-3-3-2-2-later",
    "trick_taking-3-2-1",
    "deal-hand and skat known",
)


@pytest.fixture(params=[MAKE[name] for name in SMALL], ids=SMALL)
def small_operator(request: pytest.FixtureRequest) -> Operator:
    """A few operators of each kind that are lowered in a moment."""
    return request.param()
