"""Winning state of a round, and the probability of each state to win."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, repeat
from math import comb
from operator import add, mul
from random import Random

from attrs import frozen

from games.endless_fun.rules.state import KEPT_ROUNDS, State, Values

MEASUREMENTS = 100
"""Default number of measurements of a round's state."""
MAX_MEASUREMENTS = 500
KEPT_SIZES = 32
"""Numbers of states whose counts are kept: few occur, and a bot looks at many rounds."""


def winner(measured: Mapping[Values, int]) -> Values:
    """Return the winning state.

    It is, among the measured states that contain the highest value seen on any qudit, the one
    measured most often; of equal ones the first in lexical order.

    Args:
        measured: number of results by state; at least one.
    """
    return min(measured, key=lambda values: (-max(values), -measured[values], values))


@frozen
class WinningChances:
    """The exact probability that each state wins.

    Args:
        weights: number of winning sequences of measurements for each state, in lexical order.
        total: number of sequences; all of them are equally likely.
    """

    weights: Mapping[Values, int]
    total: int

    def chances(self) -> Mapping[Values, Fraction]:
        """Return the probabilities, in lexical order of the states."""
        return {values: Fraction(weight, self.total) for values, weight in self.weights.items()}

    def expected_points(self) -> tuple[Fraction, ...]:
        """Return the average points of each qudit's player: its value in the winning state."""
        qudits = range(len(next(iter(self.weights))))
        return tuple(
            Fraction(sum(w * values[at] for values, w in self.weights.items()), self.total)
            for at in qudits
        )

    def favourite(self) -> Values:
        """Return the state that wins most probably; of equal ones the first."""
        return max(self.weights, key=lambda values: self.weights[values])


@lru_cache(KEPT_ROUNDS)
def winning_chances(state: State, measurements: int = MEASUREMENTS) -> WinningChances:
    """Return the exact probability of each state to win.

    All M states that can be measured are equally likely, because the round ends in a stabilizer
    state. So the M^n sequences of n measurements are counted: for every highest value, the
    sequences without a higher one; among the states with that value, for every highest count.

    Args:
        state: state after the round.
        measurements: n.
    """
    possible = list(state.measurable())
    by_highest: dict[int, list[Values]] = {}
    for values in possible:
        by_highest.setdefault(max(values), []).append(values)
    weights = dict.fromkeys(possible, 0)
    lower = 0
    for highest in sorted(by_highest):
        among = by_highest[highest]
        for values, weight in zip(
            among, wins_by_rank(len(among), lower, measurements), strict=True
        ):
            weights[values] = weight
        lower += len(among)
    return WinningChances(weights, len(possible) ** measurements)


@lru_cache(KEPT_SIZES)
def wins_by_rank(states: int, lower: int, measurements: int) -> tuple[int, ...]:
    """Count the sequences that each of some states wins, the first in lexical order first.

    If m states tie, and the one of rank r is the first of them, the others are m − 1 of the
    states − 1 − r that follow.

    Args:
        states: number of states with the highest value that is seen.
        lower: states whose highest value is lower, and which may be measured as well.
        measurements: length of the sequences.
    """
    # Σ_m C(q, m−1)·ties[m−1] for q = 0, 1, …, states − 1: Newton's series, by differences.
    differences = _ties(states, lower, measurements)
    wins = []
    for _ in range(states):
        wins.append(differences[0])
        differences = list(map(add, differences, [*differences[1:], 0]))
    return tuple(wins[::-1])


def _ties(states: int, lower: int, measurements: int) -> list[int]:
    """Count the sequences in which m given states tie for the highest count, by m − 1.

    With the count c, the other states are measured at most c − 1 times each. Let b_p[k] be the
    number of sequences of length k in which p states are, and the lower ones at will: k! times a
    coefficient of B_p = E^p e^(lower·x), where E = Σ_(j<c) x^j/j!. From E' = E − x^(c−1)/(c−1)!
    follows B_p' = (p + lower) B_p − p x^(c−1)/(c−1)! B_(p−1).
    """
    n = measurements
    ties = [0] * min(states, n)
    factorials = list(accumulate(range(1, n + 1), mul, initial=1))
    for count in range(1, n + 1):
        most = min(states, n // count)
        choices = [comb(k, count - 1) for k in range(count - 1, n - count)]
        fewer: list[int] = []
        # n!/(c!^m (n−cm)!): which measurements are of the states that tie.
        ways = factorials[n] // factorials[count] ** most // factorials[n - count * most]
        for tied in range(most, 0, -1):
            others, length = states - tied, n - count * tied
            powers = repeat(others + lower, count - 1 if fewer else length)
            sequences = list(accumulate(powers, mul, initial=1))
            for choice, before in zip(choices, fewer, strict=False):
                sequences.append((others + lower) * sequences[-1] - others * choice * before)
            ties[tied - 1] += ways * sequences[length]
            ways = ways * factorials[count] * factorials[length] // factorials[length + count]
            fewer = sequences
    return ties


def measured_states(state: State, measurements: int, seed: int) -> Mapping[Values, int]:
    """Measure a state at random, and return the number of results by state.

    Args:
        state: state after the round.
        measurements: number of measurements.
        seed: seed of the random numbers.
    """
    random = Random(f"endless fun {seed}")
    seen = Counter(random.choices(list(state.measurable()), k=measurements))
    return dict(sorted(seen.items()))
