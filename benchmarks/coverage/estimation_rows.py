"""Intervals of amplitude estimation."""

from collections.abc import Iterator
from math import asin, sin, sqrt
from typing import Any

from benchmarks.coverage.rows import Random, Row, drawn
from compiler.amplification.counting import counting_distribution
from compiler.estimation import Bayesian, Counting

DISCRETE = "few possible ends"


def rows() -> Iterator[Row]:
    """Yield the rows of estimators, without noise and with noise that is learnt."""
    for error in (0.1, 0.01):
        for p in (0.0, 0.001, 0.01, 0.05, 0.5, 0.997):
            yield Row("estimator bayesian", f"{p:g}, error {error:g}",
                      _estimated(Bayesian(error=error), p), DISCRETE, slow=True)  # fmt: skip
    few = Bayesian(error=0.05, shots=20)
    yield Row("estimator bayesian", "0.01, rounds of 20 shots", _estimated(few, 0.01), DISCRETE,
              slow=True)  # fmt: skip
    for p in (0.0, 0.02, 0.4):
        learns = Bayesian(error=0.05, noisy=True)
        yield Row("estimator bayesian", f"{p:g}, error 0.05, 10 % noise an iterate",
                  _estimated(learns, p, 0.9), "noise is learnt, too", slow=True)  # fmt: skip
    for p in (0.0, 0.01, 0.4):
        yield Row("estimator counting", f"{p:g}, error 0.05", _counted(p), DISCRETE, slow=True)


def _estimated(kind: Bayesian, p: float, fidelity: float = 1.0) -> Any:
    angle = asin(sqrt(p))

    def draw(random: Random) -> tuple[float, float, float]:
        def ask(iterates: int, shots: int) -> int:
            left = fidelity**iterates
            chance = left * sin((2 * iterates + 1) * angle) ** 2 + (1 - left) / 2
            return int(random.binomial(shots, chance))

        estimate = kind.estimate(ask)
        return estimate.low, estimate.high, p

    return draw


def _counted(p: float) -> Any:
    def draw(random: Random) -> tuple[float, float, float]:
        estimate = Counting(error=0.05).estimate(
            lambda bits, shots: drawn(random, counting_distribution(p, bits), shots)
        )
        return estimate.low, estimate.high, p

    return draw
