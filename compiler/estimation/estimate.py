"""What estimators ask and answer."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from math import asin, ceil, sin, sqrt
from typing import Any, Protocol

import numpy as np
from attrs import field, frozen

from compiler.errors import InputError
from compiler.scores.intervals import normal_quantile

LEAST_ERROR = 1e-4
MOST_ITERATES = 1000
MOST_ROUNDS = 400
"""Rounds after which an estimator gives up: noise can keep it from ever being sure."""

STOPPING = 0.8
"""Of what an interval may miss, what is left to its own chance: that rounds end once it is narrow
prefers those that are so by accident."""


class Oracle(Protocol):
    """A program whose event has been amplified, run and counted."""

    def __call__(self, iterates: int, shots: int, /) -> int:
        """Return in how many of `shots` runs the event happens after `iterates` iterates.

        Without noise it does with probability sin²((2j + 1)θ), where sin²θ is what is estimated.
        """
        ...


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
        """How often the program or its inverse was played: 2j + 1 times a shot."""
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
    """

    value: float
    low: float
    high: float
    rounds: Sequence[Asked]
    reached: bool

    @property
    def calls(self) -> int:
        """How often the program or its inverse was played."""
        return sum(one.calls for one in self.rounds)

    @property
    def shots(self) -> int:
        """How often a circuit was run."""
        return sum(one.shots for one in self.rounds)

    @property
    def circuits(self) -> int:
        """How many circuits there were."""
        return len({one.iterates for one in self.rounds})

    @property
    def deepest(self) -> int:
        """The most iterates."""
        return max((one.iterates for one in self.rounds), default=0)


def between(least: float, most: float) -> Callable[[object, Any, float], None]:
    """Return a validator of a number's range."""

    def check(_: object, attribute: Any, value: float) -> None:
        if not least <= value <= most:
            raise InputError(f"{attribute.name} {value} is not between {least} and {most}")

    return check


@frozen(kw_only=True)
class Estimator(ABC):
    """Asks an oracle until a probability is known well enough.

    Args:
        error: half the width of the interval that is wanted.
        confidence: with which the interval holds the probability.
        shots: of each round.
        most_iterates: that a circuit may have.

    Raises:
        InputError: if a number is out of its range.
    """

    error: float = field(validator=between(LEAST_ERROR, 0.5))
    confidence: float = field(default=0.95, validator=between(0.5, 0.9999))
    shots: int = field(default=100, validator=between(1, 1_000_000))
    most_iterates: int = field(default=64, validator=between(0, MOST_ITERATES))

    @property
    def stopping_confidence(self) -> float:
        """The confidence of an interval whose width decides if it is the last one."""
        return 1 - STOPPING * (1 - self.confidence)

    @abstractmethod
    def estimate(self, oracle: Oracle) -> Estimate:
        """Return the probability for which the oracle's counts speak."""

    @property
    def most_shots(self) -> int:
        """Shots after which it gives up, whatever was counted."""
        return MOST_ROUNDS * self.shots

    def rehearsed(self, probability: float = 0.5, seed: int = 0) -> Estimate:
        """Return what comes of an oracle without noise, which costs nothing.

        Its rounds tell what to expect of a real one, and are no bounds of it; see `most_shots`.
        """
        return self.estimate(ideal_oracle(probability, seed))


def ideal_oracle(probability: float, seed: int) -> Oracle:
    """Return an oracle without noise, drawn from the theory's distribution."""
    random, angle = np.random.default_rng(seed), asin(sqrt(probability))

    def ask(iterates: int, shots: int) -> int:
        return int(random.binomial(shots, sin((2 * iterates + 1) * angle) ** 2))

    return ask


def classical_shots(probability: float, error: float, confidence: float = 0.95) -> int:
    """Return how many runs of the program alone estimate as well: z²p(1 − p)/ε²."""
    return ceil(normal_quantile(confidence) ** 2 * probability * (1 - probability) / error**2)
