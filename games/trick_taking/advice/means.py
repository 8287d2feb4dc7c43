"""Averages over deals, and how sure they are."""

from math import sqrt

from attrs import evolve, frozen

from compiler.scores.scoring import Z, wilson_interval
from games.trick_taking.advice.compiled.layout import Numbers


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


def mean_of(numbers: Numbers, complete: bool) -> Mean:
    """Return the average of some deals' numbers.

    Args:
        numbers: shape (deals,).
        complete: whether these are all deals, so that nothing is uncertain.
    """
    mean, deals = float(numbers.mean()), len(numbers)
    if complete:
        return Mean(mean, mean, mean)
    if deals == 1:
        return Mean(mean, None, None)
    half = Z * float(numbers.std(ddof=1)) / sqrt(deals)
    return Mean(mean, mean - half, mean + half)


def bounded_mean_of(numbers: Numbers, complete: bool, worst: float, best: float) -> Mean:
    """Return the same of numbers of which the worst and the best possible one are known.

    Where all deals of a sample have come to the same, the normal interval is empty. Then other
    deals, as many as Wilson's interval leaves possible, may come to the worst or the best.
    """
    mean = mean_of(numbers, complete)
    if complete or mean.low is None or mean.low != mean.high:
        return mean
    others = 1 - wilson_interval(len(numbers), len(numbers))[0]
    low, high = (mean.value + others * (end - mean.value) for end in (worst, best))
    return evolve(mean, low=low, high=high)
