"""The figures of docs/crossover.md that correct the paper's, computed anew."""

from math import factorial, log, sqrt
from pathlib import Path

import pytest

from games import named_game

PAGE = (Path(__file__).parents[2] / "docs" / "crossover.md").read_text()
SECONDS = 0.1
"""What the paper allows for a game."""


def deals(cards, hands):
    return factorial(hands * cards + 2) // (factorial(cards) ** hands * 2)


def test_deals_are_those_of_the_games():
    assert deals(10, 3) == named_game("skat-32").deal_count
    assert deals(10, 2) == named_game("skat-32:known").deal_count


@pytest.mark.parametrize(
    "figure",
    [
        f"| {deals(6, 3):,} |",
        f"{deals(6, 3) * SECONDS / 86400 / 365:.2f} years |",
        f"{deals(9, 3) / 1e13:.3f}·10¹³ |",
        f"| {deals(6, 2):,} |",
        f"{deals(6, 2) * SECONDS / 3600:.2f} hours |",
        f"{deals(7, 2) * SECONDS / 3600:.2f} hours |",
        f"{deals(10, 2) * SECONDS / 86400:.2f} days |",
        f"{sqrt(2 * log(2) * deals(10, 3)) / 1e6:.1f} million |",
        f"{723e6 * 40e-9:.1f} s |",
    ],
)
def test_corrected_figures_are_on_the_page(figure):
    assert figure in PAGE
