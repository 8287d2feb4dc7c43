"""Averages over deals, and how sure they are."""

import numpy as np
from attrs import frozen

from compiler.scores.intervals import mean_interval
from games.trick_taking.advice.compiled.layout import Numbers


@frozen
class Mean:
    """An average and its 95 % interval, the value itself where it is exact.

    Args:
        value: the average.
        low: lower end.
        high: upper end.
    """

    value: float
    low: float
    high: float


def mean_of(numbers: Numbers, complete: bool, bounds: tuple[int, int]) -> Mean:
    """Return the average of some deals' numbers.

    Args:
        numbers: shape (deals,).
        complete: whether these are all deals, so that nothing is uncertain.
        bounds: the least and the largest number that a deal may have.
    """
    mean = float(numbers.mean())
    if complete:
        return Mean(mean, mean, mean)
    values, counts = np.unique(numbers, return_counts=True)
    return Mean(mean, *mean_interval(values, counts, *bounds))
