"""What a card costs at once if nothing is quantum, in whole numbers: the model of other players."""

from collections.abc import Sequence
from functools import lru_cache

from games.six_nimmt.rules.cards import CARDS, FULL
from games.six_nimmt.rules.rows import Rows

KEPT = 1 << 14
"""Answers that are kept: many plans of one move begin alike."""


def cheapest_row(rows: Rows, among: Sequence[int]) -> int:
    """Return the row whose cards cost the least."""
    return min(among, key=lambda row: sum(card.points for card in rows[row]))


@lru_cache(KEPT)
def nearest_card(rows: Rows, hand: tuple[int, ...]) -> int:
    """Return the card that costs the least, of these the one nearest to its row."""
    ends = sorted(
        (row[-1].number, sum(card.points for card in row) if len(row) == FULL else 0)
        for row in rows
    )
    lowest = min(sum(card.points for card in row) for row in rows)
    best, cheapest = hand[0], (CARDS * CARDS, 0)
    for card in hand:
        cost = (lowest, card)
        for last, price in ends:
            if last > card:
                break
            cost = (price, card - last)
        if cost < cheapest:
            best, cheapest = card, cost
    return best
