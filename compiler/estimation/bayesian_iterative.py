"""Bayesian iterative amplitude estimation: each number of iterates begins with what is known."""

from math import pi

import numpy as np
from attrs import frozen
from scipy.special import betaincinv

from compiler.estimation.estimate import MOST_ROUNDS, Estimate, Estimator, Oracle, Round
from compiler.estimation.iterative import most_stages
from compiler.estimation.window import Window, factor

POINTS = 1000
"""Quantiles of a belief that are carried over to the next number of iterates."""


@frozen
class Belief:
    """A Beta distribution of the probability after some iterates; at first that of Jeffreys."""

    a: float = 0.5
    b: float = 0.5

    def told(self, hits: int, shots: int) -> "Belief":
        """Return what is believed after so many hits of so many shots."""
        return Belief(self.a + hits, self.b + shots - hits)

    def interval(self, missed: float) -> tuple[float, float]:
        """Return the interval that leaves out so much.

        It is the central one, which never holds what is certain, or goes from 0 or to 1 if that is
        likeliest: if one parameter alone is below 1.
        """
        if self.a < 1 <= self.b:
            return 0.0, float(betaincinv(self.a, self.b, 1 - missed))
        if self.b < 1 <= self.a:
            return float(betaincinv(self.a, self.b, missed)), 1.0
        least, most = betaincinv(self.a, self.b, [missed / 2, 1 - missed / 2])
        return float(least), float(most)

    def carried(self, window: Window, iterates: int, following: int) -> "Belief":
        """Return the Beta distribution of the same mean and variance after other iterates.

        Args:
            window: where the angle is.
            iterates: what the belief is of.
            following: what the returned one is of.
        """
        points = betaincinv(self.a, self.b, (np.arange(POINTS) + 0.5) / POINTS)
        half, turned = window.half(iterates), np.arccos(1 - 2 * points)
        angles = (half * pi + (pi - turned if half % 2 else turned)) / factor(iterates)
        values = np.sin((2 * following + 1) * angles) ** 2
        mean, variance = float(values.mean()), float(values.var())
        size = mean * (1 - mean) / variance - 1
        return Belief(mean * size, (1 - mean) * size)


@frozen(kw_only=True)
class BayesianIterative(Estimator):
    """BIQAE: the schedule of `Iterative`, with credible intervals that remember earlier counts.

    Of the probability after j iterates a Beta distribution is believed, to whose parameters hits
    and misses are added. When j grows, its quantiles are followed through the angle to the new
    probability.

    References:
        Li, Vidwans, Wang, Soley, arXiv 2507.23074, Quantum 10, 1962: Beta-BIQAE. There the Beta
        distribution that is carried over is the likeliest one of a thousand random draws; here it
        has their mean and variance, and nothing is drawn.
    """

    def estimate(self, oracle: Oracle) -> Estimate:
        """Return the middle of the interval; see `Estimator`."""
        missed = (1 - self.confidence) / most_stages(self.error)
        before = window = Window()
        belief, iterates, rounds = Belief(), 0, list[Round]()
        while window.half_width > self.error and len(rounds) < MOST_ROUNDS:
            following = window.next_iterates(iterates, self.most_iterates)
            if following != iterates:
                belief = belief.carried(window, iterates, following)
                before, iterates = window, following
            rounds.append(Round(iterates, self.shots, oracle(iterates, self.shots)))
            belief = belief.told(rounds[-1].hits, self.shots)
            window = before.narrowed(iterates, *belief.interval(missed))
        return window.estimate(rounds, self.error)
