"""Rounds of amplitude estimators, and their oracles.

Bayesian amplitude estimation that learns the noise with the probability.

Quantum counting: one circuit that measures the phase of the iterate.
"""

from collections.abc import Callable, Mapping, Sequence
from math import asin, ceil, log2, pi, sin, sqrt
from typing import Any

import numpy as np
from attrs import field, frozen

from compiler.amplification.counting import MAX_BITS, counted
from compiler.circuits.matrices import Numbers, Reals
from compiler.circuits.tolerances import ROUNDING
from compiler.errors import InputError
from compiler.scores.intervals import angle_interval, normal_quantile

MIN_ERROR = 1e-4
MAX_ITERATES = 1000
MAX_TOGETHER = 64
REHEARSED = 0.4
"""Probability of a rehearsal; not 1/2, which no iterate changes, so that noise stays unknown."""
MAX_ROUNDS = 400
"""Rounds after which an estimator gives up: noise can keep it from ever being sure."""

STOPPING = 0.8
"""Share of an interval's error probability for its own chance: rounds that end once it is narrow
prefer intervals that are narrow by accident."""


Oracle = Callable[[Sequence[int], int], Sequence[int]]
"""Returns in how many shots of each circuit the event of an amplified program happens.

It is called with the iterates of the circuits, and the shots of each; see `Amplification.program`.
"""


@frozen
class Asked:
    """One circuit that was run.

    Args:
        iterates: of the Grover iterate, controlled or not.
        shots: how often.
    """

    iterates: int
    shots: int

    @property
    def calls(self) -> int:
        """Number of runs of the program or its inverse: 2j + 1 times a shot."""
        return self.shots * (2 * self.iterates + 1)


@frozen
class Round(Asked):
    """One circuit, and in how many shots the event happened."""

    hits: int


@frozen
class Estimate:
    """An estimated probability.

    Args:
        value: the estimate.
        low: where its interval begins.
        high: where it ends.
        rounds: all that was asked, in order.
        reached: whether the interval is as narrow as was asked for.
        steps: times that rounds were chosen; those of one step do not depend on each other.
    """

    value: float
    low: float
    high: float
    rounds: Sequence[Asked]
    reached: bool
    steps: int = 1

    @property
    def calls(self) -> int:
        """Number of runs of the program or its inverse."""
        return sum(round_.calls for round_ in self.rounds)

    @property
    def shots(self) -> int:
        """Number of shots."""
        return sum(round_.shots for round_ in self.rounds)

    @property
    def circuits(self) -> int:
        """Number of circuits."""
        return len({round_.iterates for round_ in self.rounds})

    @property
    def deepest(self) -> int:
        """The most iterates."""
        return max((round_.iterates for round_ in self.rounds), default=0)


def between(least: float, most: float) -> Callable[[object, Any, float], None]:
    """Return a validator of a number's range."""

    def check(_: object, attribute: Any, value: float) -> None:
        if not least <= value <= most:
            raise InputError(f"{attribute.name} {value} is not between {least} and {most}")

    return check


@frozen(kw_only=True)
class Estimator:
    """Request of an estimate.

    Args:
        error: half the width of the interval that is wanted.
        confidence: with which the interval holds the probability.
        shots: of each round, or of the one circuit.

    Raises:
        InputError: if a number is out of its range.
    """

    error: float = field(validator=between(MIN_ERROR, 0.5))
    confidence: float = field(default=0.95, validator=between(0.5, 0.9999))
    shots: int = field(default=100, validator=between(1, 1_000_000))


def ideal_oracle(probability: float, seed: int) -> Oracle:
    """Return an oracle without noise, drawn from the theory's distribution."""
    random, angle = np.random.default_rng(seed), asin(sqrt(probability))

    def ask(iterates: Sequence[int], shots: int) -> list[int]:
        return [int(random.binomial(shots, sin((2 * j + 1) * angle) ** 2)) for j in iterates]

    return ask


def classical_shots(probability: float, error: float, confidence: float = 0.95) -> int:
    """Return how many runs of the program alone estimate as well: z²p(1 − p)/ε²."""
    return ceil(normal_quantile(confidence) ** 2 * probability * (1 - probability) / error**2)


ANGLES = 8001
NOISY_ANGLES = 3001
MIN_SHARE = 0.25
"""Share of the grid that the posterior must reach; else the grid is laid anew around it."""

NOTHING = 1e-16
"""Share of the posterior's maximum below which a point is outside of it."""

SAMPLES = 500
"""Points drawn from the posterior to choose the next round."""

WHOLE = np.linspace(0.52, 1, 13)
"""Prior range of the fidelity of the program alone, its measurement included."""

KEPT = np.linspace(0.52, 1, 33)
"""Prior range of the fidelity of an iterate; below, one is worth nothing."""


@frozen(kw_only=True)
class Bayesian(Estimator):
    """A posterior on a grid of angles and, if there is noise, of two fidelities.

    After j iterates the event has probability f sin²((2j + 1)θ) + (1 − f)b, where f = s·λʲ, with s
    for the program and its measurement and λ for an iterate, and b is the value of uniform noise.
    The next round is the one that is expected to narrow the posterior most for a call; noise limits
    the depth. It is the idea of BAE, with a grid in the place of particles, and with depolarising
    noise alone. Of several rounds in a step, each is chosen as if the counts of those before it
    were known to a linear estimate, so that their circuits can be one job of a provider.

    Args:
        most_iterates: that a circuit may have.
        together: most rounds of a step, all of different circuits.
        background: b.
        noisy: whether s and λ are to be learnt; else they are 1.

    References:
        Ramôa, Santos, arXiv 2412.04394.
    """

    most_iterates: int = field(default=64, validator=between(0, MAX_ITERATES))
    together: int = field(default=1, validator=between(1, MAX_TOGETHER))
    background: float = 0.5
    noisy: bool = False

    @property
    def stopping_confidence(self) -> float:
        """The confidence of an interval whose width decides if it is the last one."""
        return 1 - STOPPING * (1 - self.confidence)

    @property
    def most_shots(self) -> int:
        """Shots after which it gives up, for any counts."""
        return MAX_ROUNDS * self.shots

    def rehearsed(self) -> Estimate:
        """Return the result for an oracle without noise, which costs nothing.

        Its rounds show the expected ones of a real oracle, and are no bounds; see `most_shots`.
        """
        return self.estimate(ideal_oracle(REHEARSED, 0))

    def estimate(self, oracle: Oracle) -> Estimate:
        """Return the posterior's mean, and its interval, for which the oracle's counts speak."""
        pairs = np.meshgrid(WHOLE, KEPT) if self.noisy else [np.ones(1), np.ones(1)]
        fidelities = np.stack([each.ravel() for each in pairs])
        angles = np.linspace(0, pi / 2, NOISY_ANGLES if self.noisy else ANGLES)
        log_posterior = self._log_posterior(angles, fidelities, [])
        random, rounds, steps = np.random.default_rng(0), list[Round](), 0
        while True:
            weights = np.exp(log_posterior - log_posterior.max())
            weights /= weights.sum()
            by_angle = weights.sum(axis=1)
            likelihood = _marginal(angles, by_angle)
            low, high = angle_interval(angles, likelihood, self.stopping_confidence)
            a, b = float(np.sin(low) ** 2), float(np.sin(high) ** 2)
            reached = (b - a) / 2 <= self.error
            if rounds and (reached or len(rounds) >= MAX_ROUNDS):
                value = float(by_angle @ np.sin(angles) ** 2)
                return Estimate(value, a, b, rounds, reached, steps)
            iterates = self._next(angles, weights, fidelities, random)[: MAX_ROUNDS - len(rounds)]
            hits, steps = oracle(iterates, self.shots), steps + 1
            for each, n in zip(iterates, hits, strict=True):
                rounds.append(Round(each, self.shots, n))
                log_posterior += self._log_likelihood(angles, fidelities, rounds[-1])
            nearer = _nearer(angles, log_posterior)
            if nearer is not angles:
                angles, log_posterior = nearer, self._log_posterior(nearer, fidelities, rounds)

    def _log_posterior(self, angles: Reals, fidelities: Reals, rounds: Sequence[Round]) -> Reals:
        # Uniform in the probability, which is sin² of the angle.
        with np.errstate(divide="ignore"):
            prior = np.log(np.abs(np.sin(2 * angles)))
        total = np.repeat(prior[:, None], fidelities.shape[1], axis=1)
        for round_ in rounds:
            total += self._log_likelihood(angles, fidelities, round_)
        return np.asarray(total)

    def _log_likelihood(self, angles: Reals, fidelities: Reals, round_: Round) -> Reals:
        p = self._probability(angles[:, None], fidelities[:, None, :], round_.iterates)
        p = np.clip(p, ROUNDING, 1 - ROUNDING)
        return np.asarray(round_.hits * np.log(p) + (round_.shots - round_.hits) * np.log(1 - p))

    def _probability(self, angles: Reals, fidelities: Reals, iterates: int | Numbers) -> Reals:
        fidelity = fidelities[0] * fidelities[1] ** iterates
        turned = np.sin((2 * iterates + 1) * angles) ** 2
        return np.asarray(fidelity * turned + (1 - fidelity) * self.background)

    def _next(
        self, angles: Reals, weights: Reals, fidelities: Reals, random: np.random.Generator
    ) -> list[int]:
        """Return the iterates of a step, whose counts narrow the posterior most for a call.

        The variance of the best linear estimate from a count is known: its share of the variance of
        sin²θ is 1 − r², where r is the correlation with the count. Where counts are ambiguous, or
        tell of the noise alone, they correlate little. If a round can be the last one, the
        cheapest such is asked.
        """
        total = np.cumsum(weights.ravel())
        places = np.searchsorted(total, random.random(SAMPLES) * total[-1])
        rows, columns = np.unravel_index(places, weights.shape)
        drawn, drawn_fidelities = angles[rows], fidelities[:, columns]
        wanted = np.sin(drawn) ** 2
        wanted = wanted - wanted.mean()
        each = np.arange(self.most_iterates + 1)
        p = self._probability(drawn, drawn_fidelities, each[:, None])
        # Variances of all counts and of sin²θ, and their covariances, each as a share of the shots.
        scatter = p.var(axis=1) + (p * (1 - p)).mean(axis=1) / self.shots
        least, common = max(float(wanted.var()), 1e-300), p @ wanted / SAMPLES
        deviations = normal_quantile(self.stopping_confidence)
        chosen, known = list[int](), list[Reals]()
        while len(chosen) < min(self.together, len(each)):
            shared = np.minimum(common**2 / (scatter * least), 1 - ROUNDING)
            shared[chosen] = 0
            enough = deviations * np.sqrt(least * (1 - shared)) <= self.error
            if enough.any():
                return [*chosen, int(np.argmax(enough))]
            place = int(np.argmax(-np.log1p(-shared) / (2 * each + 1)))
            # What a linear estimate from this count leaves of the variances and covariances.
            row = (p @ (p[place] - p[place].mean())) / SAMPLES
            row -= sum((column[place] * column for column in known), np.zeros_like(row))
            known.append(row / np.sqrt(scatter[place]))
            least -= float(common[place] ** 2 / scatter[place])
            common = common - common[place] / scatter[place] * row
            chosen.append(place)
            scatter = scatter - known[-1] ** 2
        return chosen


def _marginal(angles: Reals, by_angle: Reals) -> Reals:
    """Return the logarithm of the likelihood of each angle, from its posterior and prior."""
    with np.errstate(divide="ignore", invalid="ignore"):
        density = np.log(by_angle / np.sin(2 * angles))
    # At 0 and π/2 the prior is 0; next to them the likelihood is the same.
    density[[0, -1]] = np.where(np.isfinite(density[[0, -1]]), density[[0, -1]], density[[1, -2]])
    return np.asarray(density)


def _nearer(angles: Reals, log_posterior: Reals) -> Reals:
    """Return angles as many as these and nearer to each other, if only few of these are likely."""
    by_angle = log_posterior.max(axis=1)
    likely = np.flatnonzero(by_angle > by_angle.max() + np.log(NOTHING))
    if likely[-1] - likely[0] >= MIN_SHARE * len(angles):
        return angles
    first, last = max(likely[0] - 1, 0), min(likely[-1] + 1, len(angles) - 1)
    return np.linspace(angles[first], angles[last], len(angles))


PhaseOracle = Callable[[int, int], Mapping[int, int]]
"""Returns shots by the measured phase of a program's iterate; see `counting_program`.

It is called with the bits of the phase, and the shots.
"""


class Counting(Estimator):
    """Phase estimation of the iterate, with so many bits that a hundred shots mostly suffice.

    References:
        Brassard, Høyer, Mosca, Tapp, arXiv quant-ph/0005055.
    """

    @property
    def bits(self) -> int:
        """Number of bits of the phase."""
        return min(MAX_BITS, max(1, ceil(log2(0.5 / self.error))))

    def estimate(self, oracle: PhaseOracle) -> Estimate:
        """Return the probability for which the phases speak."""
        bits = self.bits
        value, low, high = counted(oracle(bits, self.shots), bits, self.confidence)
        request = Asked((1 << bits) - 1, self.shots)
        return Estimate(value, low, high, [request], (high - low) / 2 <= self.error)
