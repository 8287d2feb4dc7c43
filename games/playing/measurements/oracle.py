"""Where measured outcomes come from."""

from abc import ABC, abstractmethod
from fractions import Fraction
from math import lcm
from random import Random
from typing import Any

from compiler.errors import StichwerkError
from games.match import Match
from games.playing.match_log import Measured
from games.playing.measurements.looks import Look
from games.playing.measurements.origins import How, Origin


class NotYetMeasuredError(StichwerkError):
    """Outcomes are on their way; the message says where they are."""


class Oracle(ABC):
    """Measures what a match is waiting for.

    It gets all of the match: `program()` is the circuit so far, `known` what its first classical
    bits have given, `awaited` how many more follow. A backend runs circuits for it; see
    `games.playing.measurements.backend_oracle`. A simulator needs `chances()` only.
    """

    @abstractmethod
    def measured(self, match: Match[Any]) -> Measured:
        """Return what the measurements give, `match.awaited` bits in order, and how it was got.

        Raises:
            NotYetMeasuredError: if it is being measured, and to be asked for later.
        """

    def seen(self, match: Match[Any]) -> Look | None:
        """Look at the state of a match; None if no machine holds it.

        Raises:
            NotYetMeasuredError: as of `measured`.
        """
        return None


class ExactOracle(Oracle):
    """Draws from the exact probabilities.

    What it draws depends on its seed and on how many measurements there were before, so that a
    match that was saved goes on as it would have.

    Args:
        seed: any whole number.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def measured(self, match: Match[Any]) -> Measured:
        """Return outcomes; see `Oracle`."""
        return Measured(drawn(match, chance(self._seed, match)), Origin(How.EXACT))


def chance(seed: int, match: Match[Any]) -> Random:
    """Return the source of chance for what a match waits for now."""
    before = sum(isinstance(entry, Measured) for entry in match.log)
    return Random(f"outcomes {seed} {before}")


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
        match = match.learnt(oracle.measured(match))
    return match
