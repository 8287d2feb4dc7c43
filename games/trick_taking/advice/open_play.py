"""What open cards say of each card: the share of deals it wins, and the points it brings."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import inf, sqrt
from threading import Lock

import numpy as np
from attrs import frozen

from compiler.scores.scoring import Z
from games.trick_taking.advice.compiled.deals import all_deals, random_deals
from games.trick_taking.advice.compiled.layout import Numbers, bit_order, integers, layout_of
from games.trick_taking.advice.compiled.open_deals import Question, card_points, winning_cards
from games.trick_taking.advice.compiled.search import new_memory
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.shares import Shares
from games.trick_taking.play.dealing import deals_of
from games.trick_taking.rules.rules import NULL
from games.trick_taking.rules.setup import Setup

POINTS_HAND = 6
"""The largest hand of which points are worked out: that takes many windows, a win takes one."""

FEW_DEALS = 500


@frozen
class Mean:
    """An average and its 95 % interval, by the normal distribution; none of a single deal.

    Args:
        value: the average.
        low: lower end.
        high: upper end.
    """

    value: float
    low: float | None
    high: float | None


@frozen(eq=False)
class OpenPlay:
    """Deals that were solved, every seat seeing all cards.

    Args:
        shares: the deals by the cards that win them.
        points: the party's points with each card, on average; empty in a null game, and
            of hands larger than `POINTS_HAND`.
        consistent: how many deals there are.
    """

    shares: Shares
    points: tuple[Mean, ...]
    consistent: int


def open_play(game: Setup, cards: Sequence[int], effort: Effort) -> OpenPlay:
    """Solve deals for each card that may be played.

    Args:
        game: the position.
        cards: those that may be played, by their places in the deck, in the order of their bits.
        effort: bounds of the sample.
    """
    consistent = deals_of(game).count()
    if consistent <= effort.deals:
        # In any order: what time leaves of them is then a fair sample.
        deals = np.random.default_rng(effort.seed).permutation(all_deals(game))
    else:
        deals = random_deals(game, effort.deals, effort.seed)
    # All of few deals of small hands take moments, and are worth waiting for.
    soon = consistent <= min(effort.deals, FEW_DEALS) and game.hand <= POINTS_HAND
    late = effort.alarm(inf if soon else effort.seconds)
    won, points = _solved(game, cards, deals, effort.threads, late)
    complete = len(points) == consistent <= effort.deals
    counts = np.bincount(won, minlength=1 << len(cards))
    columns = points.T if _has_points(game) else ()
    means = tuple(_mean(column, complete) for column in columns)
    return OpenPlay(Shares(counts, len(cards), complete), means, consistent)


def _solved(
    game: Setup, cards: Sequence[int], deals: Numbers, threads: int, late: Callable[[], bool]
) -> tuple[Numbers, Numbers]:
    """Return which cards win each deal and the points of each, of the deals there was time for."""
    layout, order = layout_of(game), bit_order(game)
    choices = integers(order.index(card) for card in cards)
    won = np.zeros(len(deals), np.int64)
    points = np.zeros((len(deals), len(cards)), np.int64)
    wants_points = _has_points(game)

    def numbers() -> Iterator[int]:
        for number in range(len(deals)):
            if number and late():
                return
            yield number

    waiting, lock = numbers(), Lock()

    def solve(_: int) -> int:
        memory, done = new_memory(), 0
        while True:
            with lock:
                number = next(waiting, None)
            if number is None:
                return done
            asked = Question(choices, deals[number], number + 1)
            won[number] = winning_cards(layout, asked, memory)
            if wants_points:
                card_points(layout, asked, memory, points[number])
            done += 1

    with ThreadPoolExecutor(threads) as pool:
        done = sum(pool.map(solve, range(threads)))
    return won[:done], points[:done]


def _has_points(game: Setup) -> bool:
    return game.rules.contract != NULL and game.hand <= POINTS_HAND


def _mean(points: Numbers, complete: bool) -> Mean:
    mean, deals = float(points.mean()), len(points)
    if complete:
        return Mean(mean, mean, mean)
    if deals == 1:
        return Mean(mean, None, None)
    half = Z * float(points.std(ddof=1)) / sqrt(deals)
    return Mean(mean, mean - half, mean + half)
