"""What is right for an amplified program: its outcomes, likelier or less likely as theory says."""

from collections.abc import Mapping, Sequence
from math import asin, sin, sqrt

from attrs import evolve, field, frozen

from compiler.amplification.event import Event
from compiler.judge import Judge, Number, Observable


def amplified_probability(probability: float, iterates: int) -> float:
    """Return sin²((2j + 1)θ) for sin²θ = `probability` and j iterates."""
    return sin((2 * iterates + 1) * asin(sqrt(probability))) ** 2


@frozen(eq=False)
class AmplifiedJudge(Judge):
    """Judges a program whose event is amplified.

    Outcomes mean what they did. Those of the event share the amplified probability as they shared
    their own, and so do all others.

    Args:
        event: with the program as it was.
        iterates: how often the Grover iterate was applied.
    """

    event: Event
    iterates: int
    name: str = field(init=False)
    axes: Mapping[str, int] = field(init=False)
    measures_outcome: bool = field(init=False)
    outside: str = field(init=False)

    def __attrs_post_init__(self) -> None:
        judge = self.event.judge
        for attribute in ("name", "axes", "measures_outcome", "outside"):
            object.__setattr__(self, attribute, getattr(judge, attribute))

    @property
    def observables(self) -> Sequence[Observable]:
        """Those of the program, averaged over the amplified distribution."""
        return [evolve(one, exact=None) for one in self.event.judge.observables]

    def outcome(self, measured: int) -> int | None:
        """Return what measured bits stand for; see `Judge`."""
        return self.event.program.outcome(measured)

    def exact_distribution(self) -> Mapping[int, Number]:
        """Return p·sin²((2j + 1)θ)/sin²θ for outcomes of the event, p·cos²(…)/cos²θ for others."""
        before = self.event.judge.exact_distribution()
        happens = self.event.observable.value
        exact = self.event.probability
        after = amplified_probability(exact, self.iterates)
        return {
            outcome: float(p) * (after / exact if happens(outcome) else (1 - after) / (1 - exact))
            for outcome, p in before.items()
        }

    def describe(self, outcome: int) -> str:
        """Return the label that the program has for it."""
        return self.event.judge.describe(outcome)

    @property
    def reading(self) -> str:
        """How people read the labels."""
        return self.event.judge.reading

    @property
    def branches(self) -> int:
        """Those of the program."""
        return self.event.judge.branches
