"""Where measured outcomes come from."""

from abc import ABC, abstractmethod
from fractions import Fraction
from math import lcm
from random import Random
from typing import Any

from games.match import Match, Measured


class Oracle(ABC):
    """Measures what a match is waiting for.

    It gets all of the match: `program()` is the circuit so far, `known` what its first classical
    bits have given, `awaited` how many more follow. A backend runs that circuit and keeps the
    shots in which the first bits are the known ones; a simulator needs `chances()` only.
    """

    @abstractmethod
    def outcomes(self, match: Match[Any]) -> tuple[int, ...]:
        """Return what the measurements give, `match.awaited` bits in order."""


class ExactOracle(Oracle):
    """Draws from the exact probabilities.

    What it draws depends on its seed and on how many measurements there were before, so that a
    match that was saved goes on as it would have.

    Args:
        seed: any whole number.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def outcomes(self, match: Match[Any]) -> tuple[int, ...]:
        """Return outcomes; see `Oracle`."""
        before = sum(isinstance(entry, Measured) for entry in match.log)
        return drawn(match, Random(f"outcomes {self._seed} {before}"))


def drawn(match: Match[Any], random: Random) -> tuple[int, ...]:
    """Return outcomes with their exact probabilities."""
    chances = sorted(match.chances().items())
    parts = lcm(*(p.denominator for _, p in chances))
    left = Fraction(random.randrange(parts), parts)
    for outcomes, p in chances:
        if left < p:
            return outcomes
        left -= p
    raise ValueError(f"probabilities of {match.game} do not add up to 1")


def measured_by(oracle: Oracle, match: Match[Any]) -> Match[Any]:
    """Return a match that waits for no more outcomes."""
    while match.awaited:
        match = match.collapse(oracle.outcomes(match))
    return match
