"""One number for a machine: the weighted mean of how well it plays the parts of a suite."""

from collections.abc import Iterable
from math import hypot

from attrs import frozen

from compiler.judge import enumerated
from compiler.program import Program
from compiler.scores.run_comparison import Play, scored_within
from compiler.scores.scoring import (
    fidelity_to,
    register_noise_fidelity,
    uniform_noise,
)


@frozen
class Interval:
    """A number between 0 and 1, and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


NOTHING = Interval(0.0, 0.0, 0.0)
"""The score of what a machine cannot play."""


def noise_fidelity(program: Program, outcome_bits: int | None) -> float | None:
    """Return the Hellinger fidelity that noise alone reaches, which is to count as 0.

    It is the better one of uniform noise on the measured bits, where it can be decoded, and on a
    register that holds the outcome, where the game has one: neither then scores more than 0.

    Args:
        program: with its judge.
        outcome_bits: size of that register; None if there is none.
    """
    judge = program.judge
    exact = None if judge is None else enumerated(judge)
    if judge is None or exact is None:
        return None
    noise = uniform_noise(program)
    found = [] if noise is None else [fidelity_to(noise, exact)]
    if outcome_bits is not None:
        register = register_noise_fidelity(judge, outcome_bits)
        found += [] if register is None else [register]
    return max(found, default=None)


def part_score(fidelity: float, shots: int, noise: float, outcomes: int) -> Interval:
    """Return the normalised fidelity of a part, without bias, between 0 and 1.

    Args:
        fidelity: Hellinger fidelity of the raw counts to the exact distribution.
        shots: of them.
        noise: Hellinger fidelity of noise, which counts as 0.
        outcomes: how many outcomes the exact distribution has.
    """
    found, low, high = scored_within(Play(shots, fidelity, None), noise, outcomes)
    return Interval(_within(found), _within(low), _within(high))


def machine_score(parts: Iterable[tuple[float, Interval]]) -> Interval:
    """Return the mean of the parts by their weights.

    The parts are independent runs: the half of the interval is the root of the sum of the squares
    of the weighted halves of theirs, below and above the mean each.

    Args:
        parts: weight and score of each, also of those that were not played.
    """
    known = list(parts)
    total = sum(weight for weight, _ in known)
    value = sum(weight * one.value for weight, one in known) / total
    below = hypot(*(weight * (one.value - one.low) for weight, one in known)) / total
    above = hypot(*(weight * (one.high - one.value) for weight, one in known)) / total
    return Interval(value, _within(value - below), _within(value + above))


def _within(value: float) -> float:
    return min(1.0, max(0.0, value))
