"""Iterative amplitude estimation: each round unfolds the angle further, without ambiguity."""

from math import ceil, log2, pi

from attrs import frozen

from compiler.estimation.estimate import MOST_ROUNDS, Estimate, Estimator, Oracle, Round
from compiler.estimation.window import Window
from compiler.scores.intervals import proportion_interval


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
    """Return how many numbers of iterates, each at least twice the last, an error may take.

    Each of their intervals may miss the angle with its part of what all may together.
    """
    return ceil(max(1.0, log2(pi / (8 * error)) + 1))
