"""What is estimated: the probability of an event, or the expected value of a number."""

from collections.abc import Mapping
from math import ceil, sqrt
from typing import Any

from attrs import frozen

from compiler.amplification.drawn import Drawn, drawn, is_number
from compiler.amplification.event import Event
from compiler.errors import InputError
from compiler.estimation import LEAST_ERROR, classical_shots
from compiler.judge import Kind, observable_title
from compiler.program import Program
from compiler.scores.intervals import normal_quantile


@frozen
class Quantity:
    """An event, and what its probability stands for.

    Args:
        event: whose probability is estimated.
        number: by which that is an expected value; None for a probability.
    """

    event: Event
    number: Drawn | None

    @property
    def width(self) -> float:
        """What the quantity grows by if the probability goes from 0 to 1."""
        return 1.0 if self.number is None else float(self.number.scale.width)

    @property
    def title(self) -> str:
        """What the probability is called."""
        if self.number is None:
            return observable_title(self.event.name, self.event.observable.kind)
        return _share_title(self.event.name, self.value(0), self.value(1))

    @property
    def spread(self) -> float:
        """The standard deviation of what one run of the program tells, as a probability's."""
        if self.number is None:
            return sqrt(self.event.probability * (1 - self.event.probability))
        return sqrt(self.number.variance) / self.width

    def share(self, error: float) -> float:
        """Return the error of the probability that belongs to one of the quantity.

        Raises:
            InputError: if that is out of range.
        """
        if self.number is not None and not LEAST_ERROR * self.width <= error <= self.width / 2:
            raise InputError(
                f"error {error}: {self.title}, so take {LEAST_ERROR * self.width:g} to "
                f"{self.width / 2:g}"
            )
        return error / self.width

    def sampling(self, error: float, confidence: float) -> int:
        """Return how many runs of the program alone estimate as well.

        Raises:
            GameTooLargeError: if there are too many outcomes to know how much they vary.
        """
        if self.number is None:
            return classical_shots(self.event.probability, error, confidence)
        return ceil(normal_quantile(confidence) ** 2 * self.number.variance / error**2)

    def value(self, probability: float) -> float:
        """Return the quantity that belongs to a probability."""
        return probability if self.number is None else self.number.scale.value(probability)

    def in_units(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Return an answer about the probability as one about the quantity."""
        if self.number is None:
            return answer
        told = {key: answer[key] for key in ("estimate", "low", "high", "exact")}
        return {
            **answer,
            **{key: None if p is None else self.value(p) for key, p in told.items()},
            "title": f"E({self.event.name.replace('_', ' ')})",
            "least": self.value(0),
            "width": self.width,
        }


def as_share(observable: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return a recorded estimate as one of a probability, which that of an event is already."""
    if "width" not in found:
        return {"title": observable_title(observable, Kind.EVENT), **found}
    least, width = found["least"], found["width"]
    shares = {key: (found[key] - least) / width for key in ("estimate", "low", "high", "exact")}
    return {**found, **shares, "title": _share_title(observable, least, least + width)}


def _share_title(observable: str, least: float, most: float) -> str:
    return f"{observable} as a share of {least:g} to {most:g}"


def quantity(source: Program, name: str) -> Quantity:
    """Return what an observable of a program is estimated by.

    Raises:
        InputError: if it has no event, or a number that cannot be drawn from.
        UnknownNameError: if there is no such observable.
    """
    number = drawn(source, name) if is_number(source, name) else None
    return Quantity(Event(source if number is None else number.program, name), number)
