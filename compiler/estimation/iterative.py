"""Iterative amplitude estimation: each round unfolds the angle further, without ambiguity."""

from collections.abc import Sequence
from math import acos, ceil, floor, log2, pi, sin

from attrs import frozen

from compiler.estimation.estimate import MOST_ROUNDS, Estimate, Estimator, Oracle, Round
from compiler.scores.intervals import proportion_interval


def factor(iterates: int) -> int:
    """Return 4j + 2: after j iterates the event has the probability (1 − cos (4j + 2)θ)/2."""
    return 4 * iterates + 2


@frozen
class Window:
    """An interval of the angle θ, whose sin² is the probability that is estimated.

    Args:
        low: where it begins, 0 or more.
        high: where it ends, π/2 at most.
    """

    low: float = 0.0
    high: float = pi / 2

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the largest probability."""
        return sin(self.low) ** 2, sin(self.high) ** 2

    @property
    def half_width(self) -> float:
        """Half of the width of the probability's interval."""
        least, most = self.ends
        return (most - least) / 2

    def next_iterates(self, iterates: int, most_iterates: int) -> int:
        """Return the most iterates for which all of (4j + 2)θ lies in one half of the circle.

        A count then says where in it. They at least double 4j + 2, or stay what they were.
        """
        width = self.high - self.low
        most = min(pi / width if width > 0 else float("inf"), factor(most_iterates))
        candidate = int((most - 2) // 4)
        while factor(candidate) >= 2 * factor(iterates):
            many = factor(candidate)
            if floor(many * self.low / pi) == floor(many * self.high / pi - 1e-12):
                return candidate
            candidate -= 1
        return iterates

    def half(self, iterates: int) -> int:
        """Return in which half of the circle (4j + 2)θ lies, counted from 0."""
        return floor(factor(iterates) * (self.low + self.high) / 2 / pi)

    def narrowed(self, iterates: int, least: float, most: float) -> "Window":
        """Return what agrees with an interval of the probability after some iterates.

        In the upper half circle the probability rises with the angle, in the lower one it falls.
        What noise has made impossible is left at the end that is nearer.
        """
        half = self.half(iterates)
        first, last = acos(1 - 2 * least), acos(1 - 2 * most)
        if half % 2:
            first, last = pi - last, pi - first
        below = (half * pi + first) / factor(iterates)
        above = (half * pi + last) / factor(iterates)
        return Window(min(max(self.low, below), self.high), max(min(self.high, above), self.low))

    def estimate(self, rounds: Sequence[Round], error: float) -> Estimate:
        """Return the middle, to which some rounds have led where an error was asked for."""
        least, most = self.ends
        return Estimate((least + most) / 2, least, most, rounds, self.half_width <= error)


@frozen(kw_only=True)
class Iterative(Estimator):
    """IQAE, with intervals of Clopper and Pearson.

    The next number of iterates is the largest whose count is unambiguous; see `Window`.

    References:
        Grinko, Gacon, Zoufal, Woerner, arXiv 1912.05559.
    """

    def estimate(self, oracle: Oracle) -> Estimate:
        """Return the middle of the interval; see `Estimator`."""
        missed = (1 - self.confidence) / most_stages(self.error)
        before = window = Window()
        iterates, rounds = 0, list[Round]()
        while window.half_width > self.error and len(rounds) < MOST_ROUNDS:
            following = window.next_iterates(iterates, self.most_iterates)
            if following != iterates:
                before, iterates = window, following
            rounds.append(Round(iterates, self.shots, oracle(iterates, self.shots)))
            same = [one for one in rounds if one.iterates == iterates]
            shots, hits = sum(one.shots for one in same), sum(one.hits for one in same)
            # An interval of fewer shots that missed would be kept if it narrowed this one.
            window = before.narrowed(iterates, *proportion_interval(hits, shots, 1 - missed))
        return window.estimate(rounds, self.error)


def most_stages(error: float) -> int:
    """Return the most numbers of iterates, each at least twice the last, that an error may take.

    Each of their intervals may miss the angle with its part of what all may together.
    """
    return ceil(max(1.0, log2(pi / (8 * error)) + 1))
