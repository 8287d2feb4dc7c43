"""Maximum-likelihood amplitude estimation: a fixed schedule, and one likelihood of all counts."""

from collections.abc import Sequence
from math import ceil, pi, sqrt

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from compiler.estimation.estimate import MOST_ROUNDS, Estimate, Estimator, Oracle, Round
from compiler.scores.intervals import angle_interval, normal_quantile

Grid = NDArray[np.float64]

ROUND_POINTS = 64
"""Points of the grid for each turn of the likelihood that turns fastest."""

NEAR_POINTS = 4001
"""Points around the maximum."""


@frozen(kw_only=True)
class Likelihood(Estimator):
    """MLAE with the schedule 0, 1, 2, 4, … of iterates, and the interval of that likelihood.

    The schedule is so long that Fisher's information, Σ N(2j + 1)²/(p(1 − p)), suffices for the
    error at p = 1/2, the worst case. Where iterates are limited, or the interval is still too wide,
    the last ones are repeated.

    References:
        Suzuki et al., arXiv 1904.10246.
    """

    def schedule(self) -> list[tuple[int, int]]:
        """Return the iterates and shots of each round."""
        wanted = (normal_quantile(self.stopping_confidence) / self.error) ** 2 / 4
        rounds, iterates, information = [(0, self.shots)], 1, float(self.shots)
        while information < wanted and iterates < self.most_iterates:
            rounds.append((iterates, self.shots))
            information += self.shots * (2 * iterates + 1) ** 2
            iterates *= 2
        if information < wanted:
            last = self.most_iterates
            shots = ceil((wanted - information) / (2 * last + 1) ** 2)
            rounds.append((last, max(shots, self.shots)))
        return rounds

    @property
    def most_shots(self) -> int:
        """Those of the schedule, and of the rounds that may follow it."""
        scheduled = self.schedule()
        more = max(MOST_ROUNDS - len(scheduled), 0)
        return sum(shots for _, shots in scheduled) + more * self.shots

    def estimate(self, oracle: Oracle) -> Estimate:
        """Return where the likelihood is largest; see `Estimator`."""
        rounds = [Round(j, shots, oracle(j, shots)) for j, shots in self.schedule()]
        found = self._found(rounds)
        while not found.reached and len(rounds) < MOST_ROUNDS:
            deepest = rounds[-1].iterates
            rounds.append(Round(deepest, self.shots, oracle(deepest, self.shots)))
            found = self._found(rounds)
        return found

    def _found(self, rounds: Sequence[Round]) -> Estimate:
        turns = 2 * max(one.iterates for one in rounds) + 1
        angles = np.linspace(0, pi / 2, ROUND_POINTS * turns + 1)
        best = float(angles[np.argmax(log_likelihood(angles, rounds))])
        information = 4 * sum(one.calls * (2 * one.iterates + 1) for one in rounds)
        deviations = normal_quantile(self.stopping_confidence)
        reach = max(8 * deviations / sqrt(information), 2 * float(angles[1]))
        near = np.linspace(max(0.0, best - reach), min(pi / 2, best + reach), NEAR_POINTS)
        found = log_likelihood(near, rounds)
        ends = angle_interval(near, found, self.stopping_confidence)
        value, low, high = (float(np.sin(a) ** 2) for a in (near[np.argmax(found)], *ends))
        return Estimate(value, low, high, tuple(rounds), (high - low) / 2 <= self.error)


def log_likelihood(angles: Grid, rounds: Sequence[Round]) -> Grid:
    """Return the logarithm of the likelihood of each angle, up to a constant."""
    total = np.zeros_like(angles)
    for one in rounds:
        p = np.clip(np.sin((2 * one.iterates + 1) * angles) ** 2, 1e-300, 1)
        q = np.clip(np.cos((2 * one.iterates + 1) * angles) ** 2, 1e-300, 1)
        total += one.hits * np.log(p) + (one.shots - one.hits) * np.log(q)
    return total
