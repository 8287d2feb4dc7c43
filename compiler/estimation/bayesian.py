"""Bayesian amplitude estimation that learns the noise with the probability."""

from collections.abc import Sequence
from math import pi

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from compiler.estimation.estimate import (
    MOST_ROUNDS,
    Estimate,
    Estimator,
    Oracle,
    Round,
)
from compiler.scores.intervals import angle_interval, normal_quantile

Table = NDArray[np.float64]

ANGLES = 8001
NOISY_ANGLES = 3001
LEAST_SHARE = 0.25
"""Of the grid, what the posterior has to reach; else the grid is laid anew where it is."""

NOTHING = 1e-16
"""Of the posterior at its maximum, what is no part of it any more."""

SAMPLES = 500
"""Points drawn from the posterior on which it is weighed what to ask next."""

WHOLE = np.linspace(0.52, 1, 13)
"""What may be left of the program alone, its measurement included."""

KEPT = np.linspace(0.52, 1, 33)
"""What an iterate may leave; below, one is worth nothing."""


@frozen(kw_only=True)
class Bayesian(Estimator):
    """A posterior on a grid of angles and, if there is noise, of two fidelities.

    After j iterates the event has probability f sin²((2j + 1)θ) + (1 − f)b, where f = s·λʲ, with s
    for the program and its measurement and λ for an iterate, and b is what uniform noise gives.
    Asked is next what is expected to narrow the posterior most for a call; noise thus limits the
    depth. It is the idea of BAE, with a grid in the place of particles, and with depolarising
    noise alone.

    Args:
        background: b.
        noisy: whether s and λ are to be learnt; else they are 1.

    References:
        Ramôa, Santos, arXiv 2412.04394.
    """

    background: float = 0.5
    noisy: bool = False

    def estimate(self, oracle: Oracle) -> Estimate:
        """Return the posterior's mean, and its interval; see `Estimator`."""
        pairs = np.meshgrid(WHOLE, KEPT) if self.noisy else [np.ones(1), np.ones(1)]
        fidelities = np.stack([each.ravel() for each in pairs])
        angles = np.linspace(0, pi / 2, NOISY_ANGLES if self.noisy else ANGLES)
        log_posterior = self._log_posterior(angles, fidelities, [])
        random, rounds = np.random.default_rng(0), list[Round]()
        while True:
            weights = np.exp(log_posterior - log_posterior.max())
            weights /= weights.sum()
            by_angle = weights.sum(axis=1)
            likelihood = _marginal(angles, by_angle)
            low, high = angle_interval(angles, likelihood, self.stopping_confidence)
            a, b = float(np.sin(low) ** 2), float(np.sin(high) ** 2)
            reached = (b - a) / 2 <= self.error
            if rounds and (reached or len(rounds) >= MOST_ROUNDS):
                value = float(by_angle @ np.sin(angles) ** 2)
                return Estimate(value, a, b, rounds, reached)
            iterates = self._next(angles, weights, fidelities, random)
            rounds.append(Round(iterates, self.shots, oracle(iterates, self.shots)))
            log_posterior += self._log_likelihood(angles, fidelities, rounds[-1])
            nearer = _nearer(angles, log_posterior)
            if nearer is not angles:
                angles, log_posterior = nearer, self._log_posterior(nearer, fidelities, rounds)

    def _log_posterior(self, angles: Table, fidelities: Table, rounds: Sequence[Round]) -> Table:
        # Uniform in the probability, which is sin² of the angle.
        with np.errstate(divide="ignore"):
            prior = np.log(np.abs(np.sin(2 * angles)))
        total = np.repeat(prior[:, None], fidelities.shape[1], axis=1)
        for one in rounds:
            total += self._log_likelihood(angles, fidelities, one)
        return np.asarray(total)

    def _log_likelihood(self, angles: Table, fidelities: Table, one: Round) -> Table:
        p = self._probability(angles[:, None], fidelities[:, None, :], one.iterates)
        p = np.clip(p, 1e-12, 1 - 1e-12)
        return np.asarray(one.hits * np.log(p) + (one.shots - one.hits) * np.log(1 - p))

    def _probability(
        self, angles: Table, fidelities: Table, iterates: int | NDArray[np.int64]
    ) -> Table:
        kept = fidelities[0] * fidelities[1] ** iterates
        turned = np.sin((2 * iterates + 1) * angles) ** 2
        return np.asarray(kept * turned + (1 - kept) * self.background)

    def _next(
        self, angles: Table, weights: Table, fidelities: Table, random: np.random.Generator
    ) -> int:
        """Return the iterates whose counts narrow the posterior most for a call.

        Of the best linear estimate from a count the variance is known: what is left of that of
        sin²θ is 1 − r², where r is the correlation with the count. Where counts are ambiguous, or
        tell of the noise alone, they correlate little. If a round can be the last one, the
        cheapest such is asked.
        """
        total = np.cumsum(weights.ravel())
        places = np.searchsorted(total, random.random(SAMPLES) * total[-1])
        rows, columns = np.unravel_index(places, weights.shape)
        drawn, kept = angles[rows], fidelities[:, columns]
        wanted = np.sin(drawn) ** 2
        wanted = wanted - wanted.mean()
        each = np.arange(self.most_iterates + 1)
        p = self._probability(drawn, kept, each[:, None])
        scatter = p.var(axis=1) + (p * (1 - p)).mean(axis=1) / self.shots
        least = max(float(wanted.var()), 1e-300)
        shared = np.minimum((p @ wanted / SAMPLES) ** 2 / (scatter * least), 1 - 1e-12)
        deviations = normal_quantile(self.stopping_confidence)
        enough = deviations * np.sqrt(least * (1 - shared)) <= self.error
        if enough.any():
            return int(np.argmax(enough))
        return int(np.argmax(-np.log1p(-shared) / (2 * each + 1)))


def _marginal(angles: Table, by_angle: Table) -> Table:
    """Return the logarithm of the likelihood of each angle, from its posterior and prior."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.log(by_angle / np.sin(2 * angles))
    # At 0 and π/2 the prior is 0; next to them the likelihood is the same.
    found[[0, -1]] = np.where(np.isfinite(found[[0, -1]]), found[[0, -1]], found[[1, -2]])
    return np.asarray(found)


def _nearer(angles: Table, log_posterior: Table) -> Table:
    """Return angles as many as these and nearer to each other, if only few of these are likely."""
    by_angle = log_posterior.max(axis=1)
    likely = np.flatnonzero(by_angle > by_angle.max() + np.log(NOTHING))
    if likely[-1] - likely[0] >= LEAST_SHARE * len(angles):
        return angles
    first, last = max(likely[0] - 1, 0), min(likely[-1] + 1, len(angles) - 1)
    return np.linspace(angles[first], angles[last], len(angles))
