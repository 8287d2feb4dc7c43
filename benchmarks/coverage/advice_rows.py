"""Intervals of advice, bids, training and tournaments, and how often a recommendation is right."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.coverage.rows import Random, Row
from games.trick_taking.advice.shares import Estimate, Shares, mean_of
from games.trick_taking.skat.bidding.offers import Offer, Sample
from games.trick_taking.skat.contracts import Contract
from games.trick_taking.training.backend_learning import measured_step
from games.trick_taking.training.learning import Look
from play.ratings import SCALE, ratings

RANGE = "allows for values that did not occur"
DISCRETE = "few possible ends"
LEVELS = {"a sure game": (0, 0, 0.01, 0.9, 0.09, 0), "an open game": (0, 0.05, 0.45, 0.4, 0.1, 0)}
"""Probability of each level of a game of Skat."""


def rows() -> Iterator[Row]:
    """Yield the rows of games."""
    for deals in (1, 5, 20, 100):
        for p in (0.03, 0.6):
            yield Row("advise: deals won", f"{p:g}, {deals} deals", _deals(p, deals), DISCRETE)
        yield Row("advise: game value", f"−72, 36, 48 and 60, {deals} deals", _value(deals), RANGE)
        for name, levels in LEVELS.items():
            yield Row("skat bid: score", f"{name}, {deals} deals", _bid(levels, deals), RANGE)
    for deals in (20, 100, 500):
        yield Row("advise: recommended card is best", f"6 cards alike, {deals} deals",
                  _recommended(deals), "only a clear lead is told")  # fmt: skip
    for p in (0.02, 0.5):
        yield Row("training: P(win)", f"{p:g}, 80 % legal, 100 shots", _look(p), DISCRETE)
    for deals in (5, 20, 60):
        for p in (0.5, 0.95):
            yield Row("tournament: strength", f"wins {p:g}, {deals} deals", _rating(p, deals),
                      "few deals", slow=True)  # fmt: skip


def _deals(p: float, deals: int) -> Any:
    def draw(random: Random) -> tuple[float, float, float]:
        estimate = Estimate.counted(int(random.binomial(deals, p)), deals)
        return estimate.low, estimate.high, p

    return draw


def _value(deals: int) -> Any:
    values, chances = np.array([-72, 36, 48, 60]), np.array([0.1, 0.7, 0.17, 0.03])

    def draw(random: Random) -> tuple[float, float, float]:
        numbers = random.choice(values, deals, p=chances)
        estimate = mean_of(numbers, complete=False, bounds=(-120, 60))
        return estimate.low, estimate.high, float(values @ chances)

    return draw


def _bid(levels: tuple[float, ...], deals: int) -> Any:
    def offer(numbers: Any) -> Offer:
        return Offer(Contract("C"), tuple(Sample(1, 0.5, int(level)) for level in numbers))

    scores = [offer([level]).scores(18)[0] for level in range(6)]
    truth = float(np.dot(scores, levels))

    def draw(random: Random) -> tuple[float, float, float]:
        interval = offer(random.choice(6, deals, p=levels)).score(18)
        return interval.low, interval.high, truth

    return draw


def _recommended(deals: int) -> Any:
    """Return a draw that fails where a card is called better than others that are as good."""

    def draw(random: Random) -> tuple[float, float, float]:
        wins = random.random((deals, 6)) < 0.5
        won = np.bincount(wins @ (1 << np.arange(6)), minlength=64)
        shares = Shares(won, 6, complete=False)
        best, *others = sorted(range(6), key=shares.wins, reverse=True)
        called = shares.ahead(best, others)
        return 0.0, 0.0, float(called)

    return draw


def _look(p: float) -> Any:
    def draw(random: Random) -> tuple[float, float, float]:
        legal = max(1, int(random.binomial(100, 0.8)))
        look = Look(0, np.zeros(0), p, (), int(random.binomial(legal, p)) / legal)
        interval = measured_step(look, legal)
        return interval.low, interval.high, p

    return draw


def _rating(p: float, deals: int) -> Any:
    """Return a draw of two bots' games, two of each deal, of which both may end alike."""
    truth = SCALE * float(np.log(p / (1 - p))) / 2

    def draw(random: Random) -> tuple[float, float, float]:
        groups = []
        for _ in range(deals):
            first = random.random() < p
            second = first if random.random() < 0.3 else random.random() < p
            wins = int(first) + int(second)
            groups.append(Counter({("a", "b"): float(wins), ("b", "a"): float(2 - wins)}))
        rating = ratings(("a", "b"), groups)["a"]
        return rating.low, rating.high, truth

    return draw
