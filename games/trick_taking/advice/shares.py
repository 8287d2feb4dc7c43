"""Shares of deals that each card wins, and the significance of their differences."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from scipy.special import bdtr

from compiler.scores.intervals import Interval, mean_interval, proportion_interval
from compiler.words.plurals import how_many

Numbers = NDArray[np.int64]

NOT_ENOUGH = "Not enough samples yet"
"""Answer where samples do not support a recommendation."""
MORE = "Increase --seconds or --deals."
"""Line of an advice on the command line."""
SMALL_SAMPLE = 30
"""Number of deals below which shares are called a small sample."""
FALSE_LEADS = 0.05
"""Probability that a card is called better than all others if it is not."""


def sample_words(deals: int) -> str:
    """Return the size of a sample, with a warning if it is small."""
    return f"from {how_many(deals, 'deal')}{' (a small sample)' * (deals < SMALL_SAMPLE)}"


@frozen
class Estimate:
    """A probability and its 95 % interval.

    Args:
        value: the probability; a fraction where it is exact.
        low: lower end of Clopper and Pearson's interval, the value itself where it is exact.
        high: upper end.
    """

    value: Fraction | float
    low: float
    high: float

    @classmethod
    def exact(cls, value: Fraction) -> "Estimate":
        """Return an exact value."""
        return cls(value, float(value), float(value))

    @classmethod
    def counted(cls, successes: int, trials: int) -> "Estimate":
        """Return the estimate of a sample."""
        return cls(successes / trials, *proportion_interval(successes, trials))

    def other(self) -> "Estimate":
        """Return the probability of the opposite."""
        return Estimate(1 - self.value, 1 - self.high, 1 - self.low)


@frozen
class Lead:
    """Lead of one card over another in the same deals.

    Args:
        better: deals that it wins and the other one loses.
        worse: deals that it loses and the other one wins.
        p_value: of the two-sided sign test: the probability of a difference as large if both
            cards were equally likely to win such deals. None if the deals are complete.
    """

    better: int
    worse: int
    p_value: float | None


def sign_test(fewer: int, trials: int) -> float:
    """Return the two-sided p-value of a fair coin: 2 · P(at most `fewer` of `trials`), at most 1.

    `scipy.stats` takes longer to load than most advice.
    """
    return min(1.0, 2 * float(bdtr(fewer, trials, 0.5)))


@frozen(eq=False)
class Shares:
    """Deals by the cards that win them.

    All cards are compared in the same deals, which cancels the noise of the deals themselves.

    Args:
        won: shape (2^cards,), number of deals that exactly the cards of a set of bits have won.
        cards: number of cards.
        complete: whether these are all consistent deals, each of them once.
    """

    won: Numbers
    cards: int
    complete: bool

    @cached_property
    def deals(self) -> int:
        """Number of deals."""
        return int(self.won.sum())

    def other(self) -> "Shares":
        """Return the deals by the cards with which the other side wins them."""
        return Shares(self.won[::-1], self.cards, self.complete)

    def wins(self, card: int) -> int:
        """Return the number of deals that a card wins."""
        return self._with(card, None)

    def estimate(self, card: int) -> Estimate:
        """Return the share of deals that a card wins."""
        wins = self.wins(card)
        if self.complete:
            return Estimate.exact(Fraction(wins, self.deals))
        return Estimate.counted(wins, self.deals)

    def lead(self, card: int, other: int) -> Lead:
        """Return the lead of a card over another one."""
        better, worse = self._with(card, other), self._with(other, card)
        if self.complete:
            return Lead(better, worse, None)
        return Lead(better, worse, sign_test(min(better, worse), better + worse))

    def ahead(self, card: int, others: Sequence[int]) -> bool:
        """Return whether a card is certain to win more deals than each of some others.

        With all deals this is certain. In a sample it holds if a sign test against each other
        card is significant, at 95 % for all of them together (Bonferroni).
        """
        leads = [self.lead(card, other) for other in others]
        return all(
            each.better > each.worse
            and (each.p_value is None or each.p_value * len(leads) < FALSE_LEADS)
            for each in leads
        )

    def _with(self, card: int, without: int | None) -> int:
        winners = np.arange(len(self.won))
        counted = winners >> card & 1
        if without is not None:
            counted &= ~(winners >> without)
        return int(counted @ self.won)


def mean_of(numbers: Numbers, complete: bool, bounds: tuple[int, int]) -> Interval:
    """Return the mean of the numbers of some deals, and its 95 % interval.

    Args:
        numbers: shape (deals,).
        complete: whether these are all deals, so that the mean is exact.
        bounds: the least and the largest number that a deal may have.
    """
    mean = float(numbers.mean())
    if complete:
        return Interval(mean, mean, mean)
    values, counts = np.unique(numbers, return_counts=True)
    return Interval(mean, *mean_interval(values, counts, *bounds))


def ranked(values: Sequence[tuple[float, ...]]) -> list[int]:
    """Return places, that of the largest value first, equal ones in their order."""
    return sorted(range(len(values)), key=lambda place: [-v for v in values[place]])
