"""Results of each card with open cards: the deals it wins, its points, and the game value."""

from collections.abc import Callable, Sequence
from math import inf

import numpy as np
from attrs import frozen

from compiler.errors import GameTooLargeError
from compiler.scores.intervals import Interval
from compiler.words.plurals import how_many
from games.trick_taking.advice.compiled.deals import all_deals, random_deals
from games.trick_taking.advice.compiled.layout import Numbers, bit_order, integers, layout_of
from games.trick_taking.advice.compiled.open_deals import (
    Question,
    card_levels,
    card_points,
    winning_cards,
    wins_deal,
)
from games.trick_taking.advice.compiled.search import Memory, begin_deal, new_memory
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.shares import Shares, mean_of
from games.trick_taking.advice.stakes import Stakes, goals_of, tops_of
from games.trick_taking.play.enumeration import deals_of
from games.trick_taking.rules.rules import NULL
from games.trick_taking.rules.setup import Setup
from games.trick_taking.skat.values import LOST, WON

POINTS_HAND = 6
"""Maximum hand whose points are computed: points take many windows, a win takes one."""

FEW_DEALS = 500


@frozen(eq=False)
class OpenPlay:
    """Deals that were solved, every seat seeing all cards.

    Args:
        shares: the deals by the cards that win them.
        points: the party's average points with each card; empty in a null game, and of hands
            larger than `POINTS_HAND`.
        values: the declarer's average game value with each card, all playing for the value; empty
            if the stakes are unknown.
        consistent: number of consistent deals.
    """

    shares: Shares
    points: tuple[Interval, ...]
    values: tuple[Interval, ...]
    consistent: int


def open_play(
    game: Setup,
    cards: Sequence[int],
    effort: Effort,
    stakes: Stakes | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> OpenPlay:
    """Solve deals for each legal card.

    Args:
        game: the position.
        cards: legal cards as indices into the deck, in the order of their bits.
        effort: bounds of the sample.
        stakes: the stakes; None to compute no values.
        say: takes lines of progress.
    """
    consistent = deals_of(game).count()
    if consistent <= effort.deals:
        # In random order: the deals that are solved in time are then a fair sample.
        deals = np.random.default_rng(effort.seed).permutation(all_deals(game))
    else:
        deals = random_deals(game, effort.deals, effort.seed)
    # All of few deals of small hands take moments, and are worth waiting for.
    soon = consistent <= min(effort.deals, FEW_DEALS) and game.hand <= POINTS_HAND
    seconds = inf if soon else effort.seconds
    progress = effort.progress(say)
    layout, order = layout_of(game), bit_order(game)
    choices = integers(order.index(card) for card in cards)
    null = game.rules.contract == NULL
    has_points = not null and game.hand <= POINTS_HAND
    goals = goals_of(game) if stakes is not None and not null else None

    def solve(number: int, memory: Memory) -> tuple[int, Numbers, Numbers]:
        """Return the cards that win a deal, as bits, and by card the points and the level."""
        question = Question(choices, deals[number])
        points, levels = np.zeros((2, len(cards)), np.int64)
        begin_deal(memory)
        won = winning_cards(layout, question, memory)
        if has_points:
            card_points(layout, question, memory, points)
        if goals is not None:
            card_levels(goals, question, memory, levels)
        return won, points, levels

    solved = effort.repeat(
        solve,
        range(len(deals)),
        seconds,
        [new_memory() for _ in range(effort.threads)],
        lambda number: progress(how_many(number, "deal")),
    )
    won, points, levels = map(np.array, zip(*solved, strict=True))
    if null:
        levels = np.where(won[:, None] >> np.arange(len(cards)) & 1, WON, LOST)
    complete = len(solved) == consistent <= effort.deals
    counts = np.bincount(won, minlength=1 << len(cards))
    columns = points.T if has_points else ()
    values: tuple[Interval, ...] = ()
    if stakes is not None:
        values = _values(stakes, tops_of(game, stakes, deals), levels, complete)
    return OpenPlay(
        Shares(counts, len(cards), complete),
        tuple(mean_of(column, complete, game.points_range) for column in columns),
        values,
        consistent,
    )


def _values(
    stakes: Stakes, tops: Sequence[int], levels: Numbers, complete: bool
) -> tuple[Interval, ...]:
    table = np.array([stakes.values(matadors) for matadors in tops], np.int64)
    counted = np.take_along_axis(table[: len(levels)], levels, axis=1)
    # Deals that there was no time for are drawn, too, and say which matadors are possible.
    bounds = int(table.min()), int(table.max())
    return tuple(mean_of(column, complete, bounds) for column in counted.T)


MAX_SOLVED = 10_000
"""Deals that are all solved, of hands whose points are found; of larger hands `FEW_DEALS`."""


def deals_won(game: Setup) -> int:
    """Return the number of consistent deals that the party wins with best open play.

    Args:
        game: the rules; where it has a first card, this one is led.

    Raises:
        GameTooLargeError: if there are too many deals.
    """
    deals, most = deals_of(game).count(), MAX_SOLVED if game.hand <= POINTS_HAND else FEW_DEALS
    if deals > most:
        raise GameTooLargeError(
            f"{game.name}: {deals:,} deals are too many to solve (at most {most:,})"
        )
    layout, memory, hands = layout_of(game), new_memory(), all_deals(game)
    if game.first_card is None:
        return sum(wins_deal(layout, hand, memory) for hand in hands)
    led = integers([bit_order(game).index(game.first_card)])
    won = 0
    for hand in hands:
        begin_deal(memory)
        won += winning_cards(layout, Question(led, hand), memory)
    return won
