"""Judges: the meaning of measured bits and their exact distribution, for scores and proofs."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from math import erfc, sqrt
from operator import attrgetter
from sys import float_info
from typing import Any, Protocol

from attrs import field, frozen

from compiler.errors import GameTooLargeError, StateTooLargeError

Number = Fraction | float
"""A fraction where the rules give one."""


def number_text(value: Number) -> str:
    """Return a fraction, or another number to the twelve digits that rounding leaves."""
    return f"{value:.12g}" if isinstance(value, float) else str(value)


class Kind(StrEnum):
    """The kind of an observable's values, which decides how they are averaged."""

    EVENT = "event"
    """0 or 1: its average is a probability, to which illegal shots do not contribute."""
    NUMBER = "number"
    """Any number: its average is an expectation over the legal shots."""


@frozen
class Observable:
    """A quantity that every legal outcome has.

    Args:
        name: lower-case letters, digits and `_`; the label of metrics and records.
        kind: see `Kind`.
        value: of a legal outcome.
        exact: the exact average; None if it is the sum over the exact distribution.
        bounds: of a number, its least and its largest value; None if they are those of the
            outcomes of the exact distribution.
        bound: the largest probability of an event without entanglement; None if there is no
            such bound.
    """

    name: str
    kind: Kind
    value: Callable[[int], Number]
    exact: Number | None = None
    bounds: tuple[float, float] | None = None
    bound: float | None = None

    @property
    def title(self) -> str:
        """Name of its average, such as `P(win)`."""
        return observable_title(self.name, self.kind)

    def average(self, distribution: Mapping[int, Number]) -> Number:
        """Return the exact average over a distribution of legal outcomes."""
        if self.exact is not None:
            return self.exact
        return sum((p * self.value(outcome) for outcome, p in distribution.items()), Fraction(0))


def observable_title(name: str, kind: str) -> str:
    """Return the name of an observable's average, such as `P(win)`."""
    text = name.replace("_", " ")
    return f"P({text})" if kind == Kind.EVENT else text


SIGNIFICANT = 3.0
"""Standard deviations from which on counts exceed a bound."""


def excess_words(bound: float, sigmas: float | None) -> str:
    """Return the verdict on an event with a bound for players without entanglement.

    Args:
        bound: the largest probability without entanglement.
        sigmas: excess of the counts; None where values are computed.
    """
    if sigmas is None:
        return f"at most {bound:.3f}"
    beaten = sigmas >= SIGNIFICANT
    verdict = "beats every classical strategy" if beaten else "classical bound not beaten"
    # No σ means any p-value; the smallest number bounds those that erfc rounds to 0.
    p = max(erfc(sigmas / sqrt(2)) / 2, float_info.min) if sigmas else 1.0
    return f"{verdict}, {sigmas:.1f} σ over {bound:.3f} (p ≤ {p:.1g})"


class Judge(ABC):
    """The meaning of a program's measured classical bits.

    An *outcome* is an integer that stands for a result; the judge explains it.

    Attributes:
        name: of the program, for messages.
        axes: the size of the program, by the name of each dimension, such as cards and
            players.
        measures_outcome: whether the measured bits are the outcome, so that an illegal one is
            a value that the exact distribution does not have.
        outside: name of the outcomes that the exact distribution does not have.
        selects: whether shots may be post-selected on legal outcomes.
    """

    name: str
    axes: Mapping[str, int] = {}
    measures_outcome: bool = False
    outside: str = "illegal"
    selects: bool = True

    @property
    @abstractmethod
    def observables(self) -> Sequence[Observable]:
        """The quantities that outcomes have, the most important first; there may be none."""

    @abstractmethod
    def outcome(self, measured: int) -> int | None:
        """Return the outcome that measured bits stand for, None if they are illegal.

        Args:
            measured: bit i is the program's classical bit i.
        """

    @abstractmethod
    def exact_distribution(self) -> Mapping[int, Number]:
        """Return the exact probability of every possible outcome.

        Raises:
            GameTooLargeError: if there are too many to be enumerated.
        """

    @abstractmethod
    def describe(self, outcome: int) -> str:
        """Return a short label of a legal outcome, for people."""

    @property
    def reading(self) -> str:
        """Explanation of the labels of outcomes, a sentence or two."""
        return f"{self.name}."

    @property
    def branches(self) -> int:
        """Return a number of amplitudes that the program's state cannot do without."""
        return 1

    def examine(self, runs: Iterable[int]) -> str:
        """Check single runs of a circuit whose distribution is too large to be compared.

        Args:
            runs: measured bits, one after the other; each takes its time to be sampled.

        Returns:
            The result, one line for people.

        Raises:
            VerificationError: if a run is illegal, or all of them together are no accident.
            StateTooLargeError: if single runs tell too little.
        """
        raise StateTooLargeError(f"single runs of {self.name} tell too little to judge them")


def from_part(path: str) -> Any:
    """Return a property that is that of a part, such as `game.axes`."""
    return property(attrgetter(path))


@frozen(eq=False)
class DistributionJudge(Judge):
    """Judges measured bits by a distribution that is known, and nothing else.

    Args:
        name: of the program.
        bits: the number of measured bits.
        distribution: probability by measured bits.
    """

    name: str
    bits: int
    distribution: Mapping[int, float]
    axes: Mapping[str, int] = field(factory=dict)
    measures_outcome: bool = True
    outside: str = "not expected"

    @property
    def observables(self) -> Sequence[Observable]:
        """None: all that is known is how likely every value is."""
        return ()

    def outcome(self, measured: int) -> int:
        """Return the measured bits themselves: all of them are legal."""
        return measured

    def exact_distribution(self) -> Mapping[int, float]:
        """Return the distribution that was given."""
        return self.distribution

    def describe(self, outcome: int) -> str:
        """Return the bits, the last classical bit first."""
        return f"{outcome:0{self.bits}b}"


class Enumerable(Protocol):
    """Something whose outcomes may be few enough to be listed: a judge, or a game."""

    def exact_distribution(self) -> Mapping[int, Number]:
        """Return the exact probability of every outcome; see `Judge`."""


def enumerated(judge: Enumerable) -> dict[int, float] | None:
    """Return the exact distribution of outcomes, None if it is too large to be enumerated."""
    try:
        return {outcome: float(p) for outcome, p in judge.exact_distribution().items()}
    except GameTooLargeError:
        return None
