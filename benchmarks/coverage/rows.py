"""Rows of the table: a kind of interval, and a situation in which the truth is known."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from attrs import field, frozen

Random = np.random.Generator


@frozen
class Row:
    """A kind of interval in one situation.

    Args:
        kind: of the interval.
        situation: the measured value, and the number of shots.
        draw: measures it once; returns the ends and the truth.
        conservative: why it may hold more often than its confidence; empty if it may not.
        slow: whether it is run less often.
    """

    kind: str
    situation: str
    draw: Callable[[Random], tuple[float, float, float]]
    conservative: str = ""
    slow: bool = False


@frozen
class Coverage:
    """Result of a row.

    Args:
        row: that was run.
        runs: how often.
        held: in how many runs the interval held the truth.
        width: of the interval, on average.
    """

    row: Row
    runs: int
    held: int
    width: float
    share: float = field(init=False)

    @share.default
    def _share(self) -> float:
        return self.held / self.runs

    @property
    def low(self) -> bool:
        """Return whether it holds too seldom: under 93 % by more than two standard errors."""
        return (
            self.share < MIN_COVERAGE - 2 * (MIN_COVERAGE * (1 - MIN_COVERAGE) / self.runs) ** 0.5
        )

    @property
    def high(self) -> bool:
        """Return whether it holds in more than 97 %."""
        return self.share > MAX_COVERAGE


MIN_COVERAGE, MAX_COVERAGE = 0.93, 0.97
EDGE = 1e-9
"""Tolerance of an end that is computed to hold exactly."""


def covered(row: Row, runs: int, seed: int) -> Coverage:
    """Return how often a row's interval holds the truth."""
    held, width = 0, 0.0
    for run in range(runs):
        low, high, truth = row.draw(np.random.default_rng([seed, run]))
        held += low - EDGE <= truth <= high + EDGE
        width += high - low
    return Coverage(row, runs, held, width / runs)


def drawn(random: Random, distribution: Mapping[int, float], shots: int) -> dict[int, int]:
    """Return counts of so many shots."""
    shares = np.array(list(distribution.values()), dtype=float)
    counts = random.multinomial(shots, shares / shares.sum())
    return {key: int(n) for key, n in zip(distribution, counts, strict=True) if n}


def noisy(exact: Mapping[int, float], right: float, spread: float) -> dict[int, float]:
    """Return outcomes of a machine that is right with a probability, else noise.

    Args:
        exact: probability by outcome.
        right: probability that an outcome is one of the exact distribution's.
        spread: share of the noise that is uniform on the outcomes; the rest is illegal, −1.
    """
    wrong = 1 - right
    uniform = wrong * spread / len(exact)
    played = {outcome: right * p + uniform for outcome, p in exact.items()}
    return {**played, -1: wrong * (1 - spread)}


def fidelity(played: Mapping[int, float], exact: Mapping[int, float]) -> float:
    """Return the Hellinger fidelity of two distributions."""
    return sum((played.get(outcome, 0.0) * p) ** 0.5 for outcome, p in exact.items()) ** 2


def rows() -> Iterator[Row]:
    """Return all rows, by kind."""
    # Games and pages are loaded where they are measured.
    from benchmarks.coverage import advice_rows, score_rows

    yield from score_rows.rows()
    yield from score_rows.estimation_rows()
    yield from advice_rows.rows()
