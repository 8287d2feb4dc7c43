"""One number for a machine: the weighted mean of how well it plays the parts of a suite.

Game volume: the largest game that a machine plays better than a threshold.
"""

from collections.abc import Iterable
from math import hypot

from compiler.judge import enumerated
from compiler.program import Program
from compiler.scores.intervals import Interval
from compiler.scores.scoring import fidelity_to, register_noise_fidelity, uniform_noise

NOTHING = Interval(0.0, 0.0, 0.0)
"""The score of a part that a machine cannot run."""


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
    fidelities = [] if noise is None else [fidelity_to(noise, exact)]
    if outcome_bits is not None:
        register = register_noise_fidelity(judge, outcome_bits)
        fidelities += [] if register is None else [register]
    return max(fidelities, default=None)


def normalized_interval(interval: Interval, noise: float) -> Interval:
    """Return a fidelity and its ends with that of noise at 0; see `normalized`."""
    value, low, high = (
        (f - noise) / (1 - noise) for f in (interval.value, interval.low, interval.high)
    )
    return Interval(value, low, high)


def part_score(interval: Interval, noise: float) -> Interval:
    """Return the score of a part, between 0 and 1; its ends may lie beyond, for `machine_score`.

    Args:
        interval: see `fidelity_interval`.
        noise: Hellinger fidelity of noise, which counts as 0.
    """
    score = normalized_interval(interval, noise)
    return Interval(_within(score.value), score.low, score.high)


def bounded(score: Interval) -> Interval:
    """Return a score whose ends are between 0 and 1, too."""
    return Interval(_within(score.value), _within(score.low), _within(score.high))


def machine_score(parts: Iterable[tuple[float, Interval]]) -> Interval:
    """Return the mean of the parts by their weights, and its interval between 0 and 1.

    The parts are independent runs: the half of the interval is the root of the sum of the squares
    of the weighted halves of theirs, below and above the mean each.

    Args:
        parts: weight and score of each, also of those that were not played.
    """
    scored = list(parts)
    total = sum(weight for weight, _ in scored)
    value = sum(weight * part.value for weight, part in scored) / total
    below = hypot(*(weight * max(0, part.value - part.low) for weight, part in scored)) / total
    above = hypot(*(weight * max(0, part.high - part.value) for weight, part in scored)) / total
    return bounded(Interval(value, value - below, value + above))


def _within(value: float) -> float:
    return min(1.0, max(0.0, value))


THRESHOLDS = (0.1, 0.5)
"""Weight of normalised fidelities, where uniform noise on the outcome's register is 0."""


def game_volume(plays: Iterable[tuple[int, float]]) -> dict[float, int]:
    """Return the cards of the largest game by the threshold that it reaches, 0 for none.

    Args:
        plays: cards of a game, and the normalised fidelity with which it was played.
    """
    volume = dict.fromkeys(THRESHOLDS, 0)
    for cards, fidelity in plays:
        for threshold in THRESHOLDS:
            if fidelity >= threshold:
                volume[threshold] = max(volume[threshold], cards)
    return volume
