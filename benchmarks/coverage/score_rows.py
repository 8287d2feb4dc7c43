"""Intervals of scores: probabilities, means, fidelities, and their combinations.

Intervals of amplitude estimation.
"""

from collections.abc import Iterator
from functools import cache
from math import asin, sin, sqrt
from typing import Any

from benchmarks.coverage.rows import Random, Row, drawn, fidelity, noisy
from compiler.amplification.counting import counting_distribution
from compiler.estimation import Bayesian, Counting
from compiler.judge import Kind, enumerated
from compiler.program import Program
from compiler.scores.intervals import (
    Interval,
    fidelity_interval,
    mean_interval,
    proportion_interval,
)
from compiler.scores.machine_score import bounded, part_score
from compiler.scores.scoring import score
from games import encoded, named_game

DISCRETE = "few possible ends"
UNSEEN = "outcomes that never came are bounded, not known"
RANGE = "allows for values that did not occur"
NOISE = 0.3
"""Fidelity of noise, in a score."""

RARE = {0: 0.99, 100: 0.01}
TWO_ENDS = {-200: 0.01, 20: 0.98, 100: 0.01}
HEAVY = {value: 1 / (value + 1) ** 1.5 for value in range(121)}
NEAR_TOP = {118: 0.05, 119: 0.15, 120: 0.8}
AVERAGES = {
    "100 in 1 of 100": RARE, "both ends rare": TWO_ENDS, "heavy tail to 120": HEAVY,
    "nearly all 120": NEAR_TOP,
}  # fmt: skip


def rows() -> Iterator[Row]:
    """Yield the rows of scores."""
    for shots in (1, 5, 20, 100, 1000):
        for p in (0.0, 0.002, 0.05, 0.5, 0.99):
            yield Row("probability", f"{p:g}, {shots} shots", _proportion(p, shots), DISCRETE)
    for name, distribution in AVERAGES.items():
        for shots in (1, 5, 20, 100, 1000):
            yield Row("mean", f"{name}, {shots} shots", _mean(distribution, shots), RANGE)
    for kind in (0, 1):
        selected = "post-selected, " if kind else ""
        for observable in ("win", "points"):
            for shots in (1, 5, 20, 100):
                yield Row(f"{selected}{observable}", f"skat-4, half illegal, {shots} shots",
                          _scored(observable, kind, shots), RANGE)  # fmt: skip
    for name, exact in _games().items():
        for shots in (20, 100, 1000, 4000):
            for right, spread in ((1, 0), (0.9, 0.5), (0.3, 0.5), (0.5, 0)):
                situation = f"{name}, right {right:g}, {shots} shots"
                draw = _fidelity(exact, right, spread, shots)
                yield Row("fidelity, part of a score", situation, draw, UNSEEN)


def _proportion(p: float, shots: int) -> Any:
    def draw(random: Random) -> tuple[float, float, float]:
        return *proportion_interval(int(random.binomial(shots, p)), shots), p

    return draw


def _mean(distribution: dict[int, float], shots: int) -> Any:
    total = sum(distribution.values())
    truth = sum(value * p for value, p in distribution.items()) / total

    def draw(random: Random) -> tuple[float, float, float]:
        counts = drawn(random, distribution, shots)
        ends = mean_interval(
            list(counts), list(counts.values()), min(distribution), max(distribution)
        )
        return *ends, truth

    return draw


@cache
def _toy() -> tuple[Program, dict[int, float], dict[int, float]]:
    """Return the four-card toy on its owners' bits, its distribution, and one half illegal."""
    program = encoded(named_game("skat-4"), "paper")
    assert program.judge is not None
    exact = enumerated(program.judge)
    assert exact is not None
    illegal = [bits for bits in range(16) if program.outcome(bits) is None]
    wrong = {bits: 0.5 / len(illegal) for bits in illegal}
    return program, exact, {**{o: p / 2 for o, p in exact.items()}, **wrong}


def _scored(observable: str, kind: int, shots: int) -> Any:
    program, exact, played = _toy()
    assert program.judge is not None
    (of,) = (each for each in program.judge.observables if each.name == observable)
    truth = float(of.average(exact))
    if of.kind is Kind.EVENT and not kind:
        truth /= 2

    def draw(random: Random) -> tuple[float, float, float]:
        scored = score(program, drawn(random, played, shots))[kind]
        estimate = None if scored is None else scored.observables[observable]
        if estimate is None or estimate.low is None or estimate.high is None:
            return truth, truth, truth
        return estimate.low, estimate.high, truth

    return draw


@cache
def _games() -> dict[str, dict[int, float]]:
    """Return distributions of few and of many outcomes, even and uneven ones."""
    result = {"8 outcomes": dict.fromkeys(range(8), 1 / 8)}
    result["300 outcomes"] = dict.fromkeys(range(300), 1 / 300)
    uneven = {outcome: 1 / (outcome + 1) for outcome in range(300)}
    total = sum(uneven.values())
    result["300 uneven outcomes"] = {outcome: p / total for outcome, p in uneven.items()}
    return result


def _fidelity(exact: dict[int, float], right: float, spread: float, shots: int) -> Any:
    played = noisy(exact, right, spread)
    value = fidelity(played, exact)
    truth = part_score(Interval(value, value, value), NOISE)

    def draw(random: Random) -> tuple[float, float, float]:
        interval = fidelity_interval(drawn(random, played, shots), exact)
        interval = bounded(part_score(interval, NOISE))
        return interval.low, interval.high, truth.value

    return draw


def estimation_rows() -> Iterator[Row]:
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
