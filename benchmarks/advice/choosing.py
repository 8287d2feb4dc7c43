"""Results of the two choices of a position, with the real cards."""

from argparse import Namespace
from collections.abc import Sequence
from time import thread_time
from typing import Any

import numpy as np
from attrs import frozen

from compiler.scores.intervals import mean_interval, proportion_interval
from games.trick_taking.advice.adviser import advise, choices_of
from games.trick_taking.advice.compiled.layout import (
    Layout,
    bit_order,
    hands_of,
    integers,
    layout_of,
)
from games.trick_taking.advice.compiled.open_deals import Question, card_points
from games.trick_taking.advice.compiled.search import new_memory
from games.trick_taking.advice.effort import Effort
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.play.positions import turn_of
from games.trick_taking.skat.values import ALL_POINTS
from service.cli.options import PROCESSES

SECONDS = 60.0
"""Processor seconds for a position, far above the need."""


@frozen
class Compared:
    """The own side's result with both choices.

    Args:
        another: whether superposed play and open cards choose different cards.
        superposed: points of the own side with its choice, negative for the other side; None
            where no points are counted, or both choose the same card.
        open_cards: the same with the choice of open cards.
        superposed_wins: whether its choice wins; None if both choose the same.
        open_cards_win: the same of open cards.
    """

    another: bool
    superposed: int | None = None
    open_cards: int | None = None
    superposed_wins: bool | None = None
    open_cards_win: bool | None = None


def compared(game: TrickTakingGame, lie: Sequence[int], seed: int, options: Namespace) -> Compared:
    """Let both choose a card, and judge the two as the cards really lie.

    Args:
        game: the position, as the player knows it.
        lie: the owner of each card of the deck.
        seed: of the samples.
        options: with `playouts` and `samples`.
    """
    effort = Effort(options.playouts, options.samples, SECONDS, seed, PROCESSES, thread_time)
    advice = advise(game, effort, lambda _: None)
    ours, theirs = advice.by_superposition[0], advice.by_open_cards[0]
    if ours == theirs:
        return Compared(another=False)
    chosen = sorted({ours, theirs})
    layout = layout_of(game)
    points = judged(game, layout, [choices_of(game)[place] for place in chosen], lie)
    by_card = dict(zip(chosen, points, strict=True))
    sign = 1 if turn_of(game) in game.party else -1

    def wins(place: int) -> bool:
        party = (by_card[place] >= layout.needed) == (layout.wins_with == 1)
        return party == (sign == 1)

    # In a null and in a game for all tricks, points are tricks.
    counted = game.skat_to is not None
    return Compared(
        another=True,
        superposed=sign * by_card[ours] if counted else None,
        open_cards=sign * by_card[theirs] if counted else None,
        superposed_wins=wins(ours),
        open_cards_win=wins(theirs),
    )


def judged(
    game: TrickTakingGame, layout: Layout, cards: Sequence[int], lie: Sequence[int]
) -> list[int]:
    """Return the party's points with each card, as the cards really lie."""
    order, points = bit_order(game), np.zeros(len(cards), np.int64)
    choices = integers(order.index(card) for card in cards)
    card_points(layout, Question(choices, hands_of(game, lie), 1), new_memory(), points)
    return points.tolist()


def summary(results: Sequence[Compared]) -> dict[str, Any]:
    """Return in how many positions the superposed choice was worse, and by how many points.

    Of points are told only positions that have them, of which those count in which both choose the
    same card, since nothing is lost there.
    """
    loss = np.array(
        [_loss(row) for row in results if not row.another or row.superposed is not None]
    )
    positions = len(loss)
    worse, better = int((loss > 0).sum()), int((loss < 0).sum())
    mean = float(loss.mean()) if positions else None
    ends = None
    if positions:
        values, counts = np.unique(loss, return_counts=True)
        ends = mean_interval(values, counts, -ALL_POINTS, ALL_POINTS)
    return {
        "positions": len(results),
        "another_card": sum(row.another for row in results),
        "positions_with_points": positions,
        "worse": worse,
        "worse_share": [worse / positions, *proportion_interval(worse, positions)],
        "better": better,
        "better_share": [better / positions, *proportion_interval(better, positions)],
        "points_lost_a_position": mean,
        "points_lost_interval": ends and list(ends),
        "points_lost_where_worse": float(loss[loss > 0].mean()) if worse else None,
        "points_gained_where_better": float(-loss[loss < 0].mean()) if better else None,
        "game_lost_and_won_with_open_cards": sum(
            row.open_cards_win is True and row.superposed_wins is False for row in results
        ),
        "game_won_and_lost_with_open_cards": sum(
            row.superposed_wins is True and row.open_cards_win is False for row in results
        ),
    }


def _loss(row: Compared) -> int:
    if row.superposed is None or row.open_cards is None:
        return 0
    return row.open_cards - row.superposed
