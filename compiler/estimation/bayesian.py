"""Bayesian amplitude estimation that learns the noise with the probability."""

from math import pi

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from compiler.estimation.estimate import (
    MOST_ROUNDS,
    Estimate,
    Estimator,
    Oracle,
    Round,
)

Table = NDArray[np.float64]

ANGLES = 8001
NOISY_ANGLES = 3001
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
    Asked is next what is expected to narrow the posterior most for a
    call; noise thus limits the depth. It is the idea of BAE, with a grid in the place of
    particles, and with depolarising noise alone.

    Args:
        background: b.
        noisy: whether s and λ are to be learnt; else they are 1.

    References:
        Ramôa, Santos, arXiv 2412.04394.
    """

    background: float = 0.5
    noisy: bool = False
    _angles: Table = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        points = NOISY_ANGLES if self.noisy else ANGLES
        object.__setattr__(self, "_angles", np.linspace(0, pi / 2, points))

    def estimate(self, oracle: Oracle) -> Estimate:
        """Return the posterior's mean, and its central interval; see `Estimator`."""
        pairs = np.meshgrid(WHOLE, KEPT) if self.noisy else [np.ones(1), np.ones(1)]
        fidelities = np.stack([each.ravel() for each in pairs])
        log_posterior = np.zeros((len(self._angles), fidelities.shape[1]))
        # Uniform in the probability, which is sin² of the angle.
        with np.errstate(divide="ignore"):
            log_posterior += np.log(np.sin(2 * self._angles))[:, None]
        random, rounds = np.random.default_rng(0), list[Round]()
        while True:
            weights = np.exp(log_posterior - log_posterior.max())
            weights /= weights.sum()
            values = np.sin(self._angles) ** 2
            by_angle = weights.sum(axis=1)
            low, high = self._central(by_angle)
            a, b = float(np.sin(low) ** 2), float(np.sin(high) ** 2)
            reached = (b - a) / 2 <= self.error
            if rounds and (reached or len(rounds) >= MOST_ROUNDS):
                return Estimate(float(by_angle @ values), a, b, rounds, reached)
            iterates = self._next(weights, fidelities, random)
            hits = oracle(iterates, self.shots)
            rounds.append(Round(iterates, self.shots, hits))
            p = self._probability(self._angles[:, None], fidelities[:, None, :], iterates)
            p = np.clip(p, 1e-12, 1 - 1e-12)
            log_posterior += hits * np.log(p) + (self.shots - hits) * np.log(1 - p)

    def _probability(self, angles: Table, fidelities: Table, iterates: int) -> Table:
        kept = fidelities[0] * fidelities[1] ** iterates
        turned = np.sin((2 * iterates + 1) * angles) ** 2
        return np.asarray(kept * turned + (1 - kept) * self.background)

    def _central(self, by_angle: Table) -> tuple[float, float]:
        total = np.cumsum(by_angle)
        tail = (1 - self.confidence) / 2
        low, high = np.searchsorted(total, [tail, 1 - tail])
        return float(self._angles[low]), float(self._angles[min(int(high), len(self._angles) - 1)])

    def _next(self, weights: Table, fidelities: Table, random: np.random.Generator) -> int:
        """Return the iterates whose counts narrow the posterior most for a call.

        Of the best linear estimate from a count the variance is known: what is left of that of
        sin²θ is 1 − r², where r is the correlation with the count. Where counts are ambiguous, or
        tell of the noise alone, they correlate little.
        """
        total = np.cumsum(weights.ravel())
        places = np.searchsorted(total, random.random(SAMPLES) * total[-1])
        rows, columns = np.unravel_index(places, weights.shape)
        angles, kept = self._angles[rows], fidelities[:, columns]
        wanted = np.sin(angles) ** 2
        wanted = wanted - wanted.mean()
        gains = []
        for iterates in range(self.most_iterates + 1):
            p = self._probability(angles, kept, iterates)
            scatter = p.var() + (p * (1 - p)).mean() / self.shots
            shared = (wanted * p).mean() ** 2 / max(scatter * wanted.var(), 1e-300)
            gains.append(-np.log1p(-min(shared, 1 - 1e-12)) / (2 * iterates + 1))
        return int(np.argmax(gains))
