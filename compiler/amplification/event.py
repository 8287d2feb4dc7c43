"""An event of a program: which of its outcomes count, and how probable they are together."""

from collections.abc import Mapping, Sequence
from math import asin, sin, sqrt

from attrs import evolve, field, frozen

from compiler.arguments import checked
from compiler.errors import InputError, UnknownNameError, meant
from compiler.judge import Judge, Kind, Number, Observable, from_part
from compiler.program import Program

MAX_BITS = 16
"""Measured bits all of whose values are looked up."""


def judge_of(program: Program) -> Judge:
    """Return the judge of a program.

    Raises:
        InputError: if it has none.
    """
    if program.judge is None:
        raise InputError(f"{program.name}: the meaning of its bits is unknown; name a game")
    return program.judge


@checked
def observable_of(program: Program, name: str) -> Observable:
    """Return an observable of a program.

    Raises:
        InputError: if the program has no judge.
        UnknownNameError: if there is no such observable.
    """
    by_name = {observable.name: observable for observable in judge_of(program).observables}
    if name not in by_name:
        raise UnknownNameError(f"{program.name}: no observable '{name}'; {meant(name, by_name)}")
    return by_name[name]


@frozen(eq=False)
class Event:
    """An observable of a program that is 0 or 1 on every outcome.

    Args:
        program: a game with a judge.
        name: of the observable.

    Raises:
        InputError: if the program has no judge, or the observable is no event.
        UnknownNameError: if there is no such observable.
    """

    program: Program
    name: str
    observable: Observable = field(init=False)

    @observable.default
    def _named(self) -> Observable:
        named = observable_of(self.program, self.name)
        if named.kind is not Kind.EVENT:
            events = (each.name for each in self.judge.observables if each.kind is Kind.EVENT)
            raise InputError(
                f"{self.program.name}: '{self.name}' is a number, and no event that happens or "
                f"does not; events: {', '.join(events) or 'none'}"
            )
        return named

    @property
    def judge(self) -> Judge:
        """Meaning of measured bits."""
        return judge_of(self.program)

    @property
    def probability(self) -> float:
        """The exact probability.

        Raises:
            GameTooLargeError: if the outcomes are too many to be enumerated.
        """
        exact = self.observable.exact
        distribution = {} if exact is not None else self.judge.exact_distribution()
        return float(self.observable.average(distribution))

    def happens(self, measured: int) -> int | None:
        """Return 1 if the event has happened, 0 if not, None for illegal bits.

        Args:
            measured: bit i is the program's classical bit i.
        """
        outcome = self.program.outcome(measured)
        return None if outcome is None else int(bool(self.observable.value(outcome)))

    def share_of_noise(self) -> float:
        """Return the probability of the event where all measured bits are as likely as not.

        Of more than `MAX_BITS` bits hardly any are legal, and it is taken for 0.
        """
        bits = self.program.circuit.num_clbits
        if bits > MAX_BITS:
            return 0.0
        return sum(self.happens(measured) or 0 for measured in range(1 << bits)) / (1 << bits)


def first_event(program: Program) -> str:
    """Return the name of a program's most important event.

    Raises:
        InputError: if it has none.
    """
    observables = () if program.judge is None else program.judge.observables
    events = [observable.name for observable in observables if observable.kind is Kind.EVENT]
    if not events:
        raise InputError(f"{program.name}: has no event whose probability could be estimated")
    return events[0]


def amplified_probability(probability: float, iterates: int) -> float:
    """Return sin²((2j + 1)θ) for sin²θ = `probability` and j iterates."""
    return sin((2 * iterates + 1) * asin(sqrt(probability))) ** 2


@frozen(eq=False)
class AmplifiedJudge(Judge):
    """Judges a program whose event is amplified.

    Outcomes keep their meaning. Those of the event share the amplified probability as they shared
    their own, and so do all others.

    Args:
        event: with the program as it was.
        iterates: how often the Grover iterate was applied.
    """

    event: Event
    iterates: int
    name = from_part("event.judge.name")
    axes = from_part("event.judge.axes")
    measures_outcome = from_part("event.judge.measures_outcome")
    outside = from_part("event.judge.outside")
    reading = from_part("event.judge.reading")
    branches = from_part("event.judge.branches")
    outcome = from_part("event.program.outcome")
    describe = from_part("event.judge.describe")

    @property
    def observables(self) -> Sequence[Observable]:
        """Those of the program, averaged over the amplified distribution."""
        return [evolve(observable, exact=None) for observable in self.event.judge.observables]

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
