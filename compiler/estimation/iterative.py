"""Iterative amplitude estimation: each round unfolds the angle further, without ambiguity."""

from math import acos, ceil, floor, log2, pi, sin

from attrs import frozen
from scipy.stats import beta

from compiler.estimation.estimate import MOST_ROUNDS, Estimate, Estimator, Oracle, Round


@frozen(kw_only=True)
class Iterative(Estimator):
    """IQAE, with intervals of Clopper and Pearson.

    The next number of iterates is the largest for which the whole interval of (4j + 2)θ lies in
    one half of the circle, so that a count says where in it; it at least doubles 4j + 2, or stays.

    References:
        Grinko, Gacon, Zoufal, Woerner, arXiv 1912.05559.
    """

    def estimate(self, oracle: Oracle) -> Estimate:
        """Return the middle of the interval; see `Estimator`."""
        allowed = (1 - self.confidence) / ceil(max(1.0, log2(pi / (8 * self.error)) + 1))
        low, high, iterates = 0.0, pi / 2, 0
        rounds: list[Round] = []
        while self._half_width(low, high) > self.error and len(rounds) < MOST_ROUNDS:
            iterates = self._next(iterates, low, high)
            rounds.append(Round(iterates, self.shots, oracle(iterates, self.shots)))
            same = [one for one in rounds if one.iterates == iterates]
            shots, hits = sum(one.shots for one in same), sum(one.hits for one in same)
            least, most = _clopper_pearson(hits, shots, allowed)
            low, high = _narrowed(low, high, 4 * iterates + 2, least, most)
        a, b = sin(low) ** 2, sin(high) ** 2
        return Estimate((a + b) / 2, a, b, rounds, self._half_width(low, high) <= self.error)

    def _half_width(self, low: float, high: float) -> float:
        return (sin(high) ** 2 - sin(low) ** 2) / 2

    def _next(self, iterates: int, low: float, high: float) -> int:
        """Return the most iterates for which the multiplied interval lies in half a circle."""
        widest = pi / (high - low) if high > low else float("inf")
        most = min(widest, 4 * self.most_iterates + 2)
        candidate = int((most - 2) // 4)
        while 4 * candidate + 2 >= 2 * (4 * iterates + 2):
            factor = 4 * candidate + 2
            if floor(factor * low / pi) == floor(factor * high / pi - 1e-12):
                return candidate
            candidate -= 1
        return iterates


def _clopper_pearson(hits: int, shots: int, allowed: float) -> tuple[float, float]:
    least = float(beta.ppf(allowed / 2, hits, shots - hits + 1)) if hits else 0.0
    most = float(beta.ppf(1 - allowed / 2, hits + 1, shots - hits)) if hits < shots else 1.0
    return least, most


def _narrowed(
    low: float, high: float, factor: int, least: float, most: float
) -> tuple[float, float]:
    """Return what of an interval of θ agrees with sin²(factor·θ/2) between two values.

    In the upper half circle the probability rises with the angle, in the lower one it falls. An
    interval that noise has made impossible is left at the end that is nearer.
    """
    half = floor(factor * (low + high) / 2 / pi)
    first, last = acos(1 - 2 * least), acos(1 - 2 * most)
    if half % 2:
        first, last = pi - last, pi - first
    below, above = (half * pi + first) / factor, (half * pi + last) / factor
    return min(max(low, below), high), max(min(high, above), low)
