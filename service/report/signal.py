"""Shares of the game and of noise in measured shots."""

from collections import Counter
from collections.abc import Mapping

import numpy as np
from attrs import frozen

from compiler.judge import Number

CHI_SQUARED_95 = 3.841
"""95 % quantile of χ² with one degree of freedom."""


@frozen
class Signal:
    """Share of the shots that follow the exact distribution, the rest being uniform noise.

    Args:
        share: the most likely share.
        low: lower end of its 95 % likelihood-ratio interval.
        high: upper end.
    """

    share: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """`signal`, `mostly noise`, `noise`, or `unclear` if there were too few shots to tell."""
        if self.low > 0.5:
            return "signal"
        if self.high < 0.5:
            return "mostly noise" if self.low > 0 else "noise"
        return "unclear"


def signal(
    counts: Mapping[int | None, int], exact: Mapping[int, Number], noise: Mapping[int | None, float]
) -> Signal:
    """Fit λ·exact + (1-λ)·noise to counts by maximum likelihood.

    Args:
        counts: shots by outcome, None for the illegal ones; at least one shot.
        exact: probability by outcome.
        noise: probability by outcome if all bits are uniform.
    """
    shares = np.linspace(0, 1, 1001)
    likelihood = np.zeros_like(shares)
    with np.errstate(divide="ignore"):
        for outcome, shots in (+Counter(counts)).items():
            p = 0.0 if outcome is None else float(exact.get(outcome, 0))
            likelihood += shots * np.log(shares * p + (1 - shares) * noise.get(outcome, 0.0))
    # Of few shots the ratio varies more than χ².
    within = CHI_SQUARED_95 * (1 + 1 / sum(counts.values())) / 2
    likely = shares[likelihood >= likelihood.max() - within]
    return Signal(float(shares[likelihood.argmax()]), float(likely[0]), float(likely[-1]))
