"""Results of each card with open cards: the deals it wins, its points, and the game value."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import inf
from threading import Lock

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
from games.trick_taking.advice.compiled.search import new_memory
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
    late = effort.alarm(inf if soon else effort.seconds)
    progress = effort.progress(say)
    layout, order, goals = layout_of(game), bit_order(game), None
    choices = integers(order.index(card) for card in cards)
    null = game.rules.contract == NULL
    has_points = not null and game.hand <= POINTS_HAND
    # Points and tricks are remembered as two deals; in a game for all tricks only tricks count.
    first = 1
    if stakes is not None and not null:
        goals = goals_of(game)
        first = 1 if np.array_equal(layout.points, goals.by_points.points) else 2
    # By deal: the cards that win it, as bits; and by card the party's points, and the level.
    won = np.zeros(len(deals), np.int64)
    points, levels = np.zeros((2, len(deals), len(cards)), np.int64)

    def waiting() -> Iterator[int]:
        for number in range(len(deals)):
            if number and late():
                return
            progress(how_many(number, "deal"))
            yield number

    numbers, lock = waiting(), Lock()

    def solve(_: int) -> int:
        memory, done = new_memory(), 0
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return done
            question = Question(choices, deals[number], 2 * number + first)
            won[number] = winning_cards(layout, question, memory)
            if has_points:
                card_points(layout, question, memory, points[number])
            if goals is not None:
                counted = Question(choices, deals[number], 2 * number + 1)
                card_levels(goals, counted, memory, levels[number])
            done += 1

    with ThreadPoolExecutor(effort.threads) as pool:
        done = sum(pool.map(solve, range(effort.threads)))
    if null:
        levels = np.where(won[:, None] >> np.arange(len(cards)) & 1, WON, LOST)
    complete = done == consistent <= effort.deals
    counts = np.bincount(won[:done], minlength=1 << len(cards))
    columns = points[:done].T if has_points else ()
    values: tuple[Interval, ...] = ()
    if stakes is not None:
        values = _values(stakes, tops_of(game, stakes, deals), levels[:done], complete)
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
    layout, memory = layout_of(game), new_memory()
    hands = enumerate(all_deals(game), start=1)
    if game.first_card is None:
        return sum(wins_deal(layout, hand, number, memory) for number, hand in hands)
    led = integers([bit_order(game).index(game.first_card)])
    return sum(winning_cards(layout, Question(led, hand, number), memory) for number, hand in hands)
